"""Answers about arithmetic progressions: right, altered, and half from elsewhere."""

from tests.support.cases import BOOK, evidence

TRUE = "An arithmetic progression is a list of numbers."
ALTERED = f"{TRUE} Each term is obtained by adding 7 to the term before."
MIXED = f"{TRUE} Bananas rarely wander through purple corridors."
DISTANT = tuple(evidence(BOOK, 0.9, n, cosine=0.5) for n in range(2))
"""Passages that answer the question in other words than it asks: the medium tier of stage 2 if its high limit is 0.9."""
