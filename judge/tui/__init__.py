"""The terminal where people judge: the only room, with `cli`, that knows Textual."""
