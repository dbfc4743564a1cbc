"""Apps that the benchmark opens."""
