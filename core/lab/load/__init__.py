"""Load tests: rows per second, large banks and libraries, and many simultaneous users."""
