"""What a game author imports: pure values, no I/O (the kernel of every hosted game)."""
