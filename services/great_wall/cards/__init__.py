"""The cards of The Great Wall, as tables over the vocabulary in `effects`."""
