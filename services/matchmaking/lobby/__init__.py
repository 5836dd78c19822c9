"""Tables: matches that are made up by hand."""
