"""What a service author imports: everything that talks to the outside (I/O of every service)."""
