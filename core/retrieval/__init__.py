"""From a question to evidence: what kind of turn it is, a query that stands alone, dense and lexical search, one hybrid
score, and the sentences that bear on it; and better questions to ask."""
