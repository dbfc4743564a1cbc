"""Models that measure: the only importers of torch, transformers and sentence-transformers."""
