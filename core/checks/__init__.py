"""One check a file; a file that appears here is a check that runs."""
