"""What is drawn: widgets that paint their own lines, so that a key costs a few milliseconds."""
