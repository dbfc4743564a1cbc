"""The chain as a graph: the explorer that runs it over a library, each round measured once by models and rules, and the
guardrail for graphs of other people."""

from core.graph.explorer import Explorer
from core.graph.guardrail import Guarded, guardrail
from core.graph.steps import NODES, State, graph

__all__ = ["NODES", "Explorer", "Guarded", "State", "graph", "guardrail"]
