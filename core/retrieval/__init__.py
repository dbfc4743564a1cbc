"""From a query to evidence: dense and lexical search, one hybrid score, and the sentences that bear on it."""
