"""The examples that the five source documents print, and a command that runs them."""
