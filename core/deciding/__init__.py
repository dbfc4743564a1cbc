"""How a verdict comes about, piece by piece; core/chain.py is its door. All of it is pure."""
