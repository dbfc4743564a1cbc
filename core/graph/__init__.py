"""The chain as a graph: the explorer that runs it over a library, and the guardrail as a node for other graphs.

Each round is measured once by models and rules.
"""

from core.graph.explorer import NODES, Explorer, State, graph
from core.graph.guardrail import GuardrailState, guardrail

__all__ = ["NODES", "Explorer", "GuardrailState", "State", "graph", "guardrail"]
