"""The laboratory: training, figures, benchmark, generated docs. No product code imports it."""
