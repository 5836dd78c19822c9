"""The scripts that change tickets and tables, each all at once."""
