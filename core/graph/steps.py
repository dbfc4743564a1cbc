"""The chain as LangGraph nodes: each node measures a round, and `next_step` alone decides which node comes next."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypedDict

from core.case import Round, Trace
from core.decide import Step, next_step
from core.decide.routes import ROUTES
from core.thresholds import Preset

NODES = ("retrieve", "refine", "correct", "recheck", "part")
"""The nodes that measure a round; every other node is a route that ends the path."""
_NODE_OF = {"first": "retrieve", "corrected": "correct", "rechecked": "recheck"}
Watch = Callable[[Step, Trace | None], None]
"""A function that is called with (step, None) when a step begins, and with (step, new trace) when it is measured.

An exception from it ends the question.
"""


class State(TypedDict):
    """The state of the graph.

    step: the next step of `trace` under `preset`; each node computes it once. measure: makes the round of a step, so
    that the graph itself knows no model.
    """

    trace: Trace
    preset: Preset
    step: Step
    measure: Callable[[Trace, Step], Trace]


@lru_cache(maxsize=1)
def graph() -> Any:
    """The compiled graph. Each of its conditional edges follows the result of `next_step`, and nothing else decides."""
    from langgraph.graph import END, START, StateGraph  # imported here: it takes a second

    builder = StateGraph(State)
    for name in NODES:
        builder.add_node(name, _measure)
    for route in ROUTES:
        builder.add_node(route, lambda state: {"trace": state["trace"]})  # the verdict computes what goes out
        builder.add_edge(route, END)
    for name in (START, *NODES):
        builder.add_conditional_edges(name, lambda state: node_of(state["step"]), [*NODES, *ROUTES])
    return builder.compile()


def node_of(step: Step) -> str:
    """Name of the node that a step leads to."""
    if step.action != "measure":
        return step.action
    return "part" if step.part is not None else _NODE_OF.get(step.round, "refine")


def measured_by(step: Step, trace: Trace) -> Round:
    """The round of `trace` that `step` measured."""
    return (trace if step.part is None else trace.parts[step.part]).round(step.round, step.of)


def with_callbacks(grow: Callable[[Trace, Step], Trace], watch: Watch) -> Callable[[Trace, Step], Trace]:
    """Return a function that does the same as `grow` and also calls `watch` before and after.

    grow: a function that measures the round of a step and returns the trace with it.
    """

    def grown(trace: Trace, step: Step) -> Trace:
        watch(step, None)
        new_trace = grow(trace, step)
        watch(step, new_trace)
        return new_trace

    return grown


def _measure(state: State) -> dict[str, Any]:
    """Measure the round that the step asks for, and compute the next step."""
    trace = state["measure"](state["trace"], state["step"])
    return {"trace": trace, "step": next_step(trace, state["preset"])}
