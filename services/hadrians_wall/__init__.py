"""Hadrian's Wall for one to six seats: pure rules. README.md maps the rulebook to these files."""
