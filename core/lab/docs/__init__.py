"""The generated tables of the docs."""
