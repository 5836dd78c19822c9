"""What the platform costs: `make bench`."""
