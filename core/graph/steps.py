"""The steps of the chain as LangGraph runs them: a node measures, and only `next_step` says which comes next."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypedDict

from core.case import Round, Trace
from core.chain import Step, next_step
from core.chain.routing import ROUTES
from core.thresholds import Preset

NODES = ("retrieve", "refine", "correct", "recheck", "part")
"""What the graph measures; every other node of it is a route that ends."""
_NODE_OF = {"first": "retrieve", "corrected": "correct", "rechecked": "recheck"}
Watch = Callable[[Step, Trace | None], None]
"""Hears of each step as it begins, with None, and once it is measured, with the trace that it has made. What it raises
ends the question."""


class State(TypedDict):
    """What moves through the graph. `measure` makes the round of a step; the graph itself knows no model."""

    trace: Trace
    preset: Preset
    measure: Callable[[Trace, Step], Trace]


@lru_cache(maxsize=1)
def graph() -> Any:
    """The compiled graph. Each of its conditional edges calls `next_step`, and nothing else decides."""
    from langgraph.graph import END, START, StateGraph  # it takes a second, which a command without a question saves

    builder = StateGraph(State)
    for name in NODES:
        builder.add_node(name, _measure)
    for route in ROUTES:
        builder.add_node(route, _end)
        builder.add_edge(route, END)
    for name in (START, *NODES):
        builder.add_conditional_edges(name, _next_node, [*NODES, *ROUTES])
    return builder.compile()


def node_of(step: Step) -> str:
    """The node that a step leads to."""
    if step.action != "measure":
        return step.action
    return "part" if step.part is not None else _NODE_OF.get(step.round, "refine")


def measured_by(step: Step, trace: Trace) -> Round:
    """The round of `trace` that `step` has measured."""
    return (trace if step.part is None else trace.parts[step.part]).round(step.round, step.of)


def watched(grow: Callable[[Trace, Step], Trace], watch: Watch) -> Callable[[Trace, Step], Trace]:
    def grown(trace: Trace, step: Step) -> Trace:
        watch(step, None)
        found = grow(trace, step)
        watch(step, found)
        return found

    return grown


def _next_node(state: State) -> str:
    return node_of(next_step(state["trace"], state["preset"]))


def _measure(state: State) -> dict[str, Trace]:
    """Make the round that the next step asks for."""
    step = next_step(state["trace"], state["preset"])
    return {"trace": state["measure"](state["trace"], step)}


def _end(state: State) -> dict[str, Trace]:
    """A route: what it gives out is the verdict's business."""
    return {"trace": state["trace"]}
