"""From a question to evidence.

Determines the kind of turn, completes a follow-up, searches by meaning and by words, scores the passages on one hybrid
scale, and keeps the sentences that bear on the query. It also suggests better questions.
"""
