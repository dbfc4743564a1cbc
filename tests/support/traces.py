"""Traces with every round that a preset could ask for, made without a search."""

from dataclasses import replace

from core.case import Trace
from core.decide import SEARCHES
from core.features.correction import correction
from core.graph.rounds import measure


def deep(models, *cases, wider=lambda case: case, **about):
    """The trace of these searches, first, refined 1 and refined 2, each corrected and rechecked too.

    wider: what a recheck makes of a case. about: other fields of the trace.
    """
    searched = [measure(name, case, models) for name, case in zip(SEARCHES, cases, strict=False)]
    corrected = [_of(r, "corrected", replace(r.case, draft=correction(r)), models) for r in searched]
    rechecked = [_of(r, "rechecked", wider(r.case), models) for r in searched]
    return Trace(question=cases[0].question, rounds=(*searched, *corrected, *rechecked), **about)


def without(trace, *names):
    """The trace as if the rounds of these names had never been measured."""
    return replace(trace, rounds=tuple(r for r in trace.rounds if r.name not in names))


def _of(round_, name, case, models):
    return replace(measure(name, case, models), of=round_.name)


def trace_of(models, *cases):
    """The trace of these searches, first, refined 1 and refined 2, without any other round."""
    names = ("first", "refined 1", "refined 2")
    rounds = tuple(measure(name, case, models) for name, case in zip(names, cases, strict=False))
    return Trace(question=cases[0].question, rounds=rounds)
