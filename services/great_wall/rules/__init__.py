"""The rules of The Great Wall, a chapter a file."""
