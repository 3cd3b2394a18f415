"""How lines and JSON become validated records, with every problem named, whatever the format."""
