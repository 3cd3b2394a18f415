"""How foreign text is measured, cut and broken into lines for the screen."""
