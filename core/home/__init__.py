"""A run-time folder as a whole: is all of it there, its backup, and a new folder from that."""
