"""The command line: what each command does, what it is told, and what a person at a terminal sees."""
