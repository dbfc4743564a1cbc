"""How a whole bank is decided at once; bank_sweep.py is its door.

The way itself stands in core/deciding/routing.py alone. It is rehearsed once for every combination of facts that occurs
(forks.py), and each fact is looked up for all cases and settings together (findings.py, pairs.py), from signals stacked
by round (bank.py, stacks.py) and decided once for each distinct value of what a check reads (tables.py). What becomes
of a row depends on the text that goes out, and is found once for each distinct end (endings.py).
"""
