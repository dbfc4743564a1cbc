"""A run-time folder as a whole: checking and repairing its parts, backing it up, and restoring it."""
