"""From a verdict to words, rows and numbers, for pages, reports, the terminal and the service. Knows no screen."""
