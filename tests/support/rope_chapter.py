"""The source of a short chapter about ropes, with a table and a list."""

CHAPTER = """# Ropes
= class 7 | Science | chapter 1

## 1.1 Fibres
A rope has 3 strands, which are twisted together. The rope in the picture is 40 metres long.
Jute is cheaper than silk. Nylon was made by Carothers in 1935.

[table] Table 1.1: Weights
Jute weighs little.
[end]
- A list is no paragraph.
1. Why is jute cheap. Say it.
A knot is always weaker than the rope. Why is that?
"""
