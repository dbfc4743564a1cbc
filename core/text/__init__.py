"""Rules for reading English text, independent of any subject."""
