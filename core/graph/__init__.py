"""The chain as a graph: the explorer that runs it over a library, and the guardrail for graphs of other people."""

from core.graph.explorer import NODES, Explorer, State, graph
from core.graph.guardrail import Guarded, guardrail

__all__ = ["NODES", "Explorer", "Guarded", "State", "graph", "guardrail"]
