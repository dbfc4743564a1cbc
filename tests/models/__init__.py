"""What the models that ship are worth, and the programs that measure it."""
