"""From a verdict to words, rows and numbers, once: for pages, reports, terminal and service. It knows no Streamlit."""
