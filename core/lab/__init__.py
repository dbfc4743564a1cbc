"""The laboratory: training, figures, benchmark, generated docs, the sample's PDFs. No product code imports it."""
