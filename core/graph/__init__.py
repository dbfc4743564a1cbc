"""The chain as a graph: the explorer that runs it over a library, and the guardrail as a node for other graphs.

Each round is measured once by models and rules.
"""

from core.graph.explorer import Explorer
from core.graph.guardrail import GuardrailState, guardrail
from core.graph.steps import NODES, State, graph

__all__ = ["NODES", "Explorer", "GuardrailState", "State", "graph", "guardrail"]
