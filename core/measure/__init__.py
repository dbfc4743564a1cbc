"""The slow half: each round of a trace measured once, by models and by rules; nothing here decides."""
