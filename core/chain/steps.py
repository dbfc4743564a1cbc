"""From the rounds of a trace to the next step and the verdict. Pure: no model, no file, no clock.

The way itself stands in routing.py, what goes out in delivery.py.
"""

from dataclasses import dataclass, replace
from typing import Literal

from core.case import Round, Trace
from core.chain.multi_part import joined, joint_route
from core.chain.routing import FIRST, Route, walk
from core.chain.trace_facts import TraceFacts
from core.chain.verdicts import Verdict, concluded
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class Step:
    """What to do next: measure the round that is missing, or end the route.

    round, of: the round to measure and the one that it goes out from. part: place of the part of the question that
    it belongs to, None for the question itself.
    """

    action: Literal["measure"] | Route
    round: str = ""
    of: str = ""
    part: int | None = None


def next_step(trace: Trace, preset: Preset, *, of_a_whole: bool = False) -> Step:
    """The next step for `trace` under `preset`: measure a round that is not there yet, or end on a route.

    of_a_whole: `trace` is a part of a question that was clear as a whole.
    """
    if trace.round(*FIRST) is None:
        return Step(action="measure", round=FIRST[0])
    path = walk(TraceFacts(trace, preset, of_a_whole=of_a_whole))
    if path.route == "split":
        return _next_of_parts(trace, preset)
    if path.missing:
        return Step(action="measure", round=path.missing.name, of=path.missing.of)
    return Step(action=path.route)


def verdict(trace: Trace, preset: Preset, *, of_a_whole: bool = False) -> Verdict:
    """The verdict on the rounds that `trace` holds; a round still missing is left out of it, as a step shows."""
    found = TraceFacts(trace, preset, of_a_whole=of_a_whole)
    path = walk(found)
    if path.route != "split":
        return concluded(found, path)
    return joined(found, path, tuple(verdict(p, preset, of_a_whole=True) for p in trace.parts if p.rounds))


def needed(trace: Trace, preset: Preset) -> tuple[Round, ...]:
    """The rounds of `trace`, and of its parts, that `preset` needs, as they would be measured one after the other."""
    bare, found = replace(trace, rounds=(), parts=tuple(replace(p, rounds=()) for p in trace.parts)), []
    while (step := next_step(bare, preset)).action == "measure":
        owner = trace if step.part is None else trace.parts[step.part]
        one = owner.round(step.round, step.of)
        if one is None or any(one is r for r in found):  # never measured, or its draft still awaited
            break
        found.append(one)
        if step.part is None:
            bare = bare.with_round(one)
        else:
            bare = bare.with_part(step.part, bare.parts[step.part].with_round(one))
    return tuple(found)


def _next_of_parts(trace: Trace, preset: Preset) -> Step:
    """The first round that a part lacks, else the end that the parts come to together."""
    steps = [next_step(part, preset, of_a_whole=True) for part in trace.parts]
    for place, step in enumerate(steps):
        if step.action == "measure":
            return replace(step, part=place)
    return Step(action=joint_route([step.action for step in steps]))
