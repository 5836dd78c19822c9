"""The moves of Hadrian's Wall, a chapter a file."""
