"""The laboratory: training, figures, benchmark, generated docs, the sample's typesetter. No product code imports it."""
