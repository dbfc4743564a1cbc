"""Banks made from one measured trace, with the scores that decide planted in its signals."""

from dataclasses import replace
from functools import cache

import numpy as np

from core.evaluation.cases import LabelledCase
from tests.support.cases import case_about
from tests.support.fake_models import fake_models
from tests.support.traces import deep

RELATED, HYBRID = "retrieval_confidence.min_retrieval_confidence", "retrieval_score.min_retrieval_score"


@cache
def deep_trace():
    """A trace that every check lets through, measured to full depth."""
    case = case_about(scores=(0.95, 0.9))
    return deep(fake_models(), case, case, case)


def planted(query, expected, facts=("list of numbers",), **signals):
    """That trace as the case of a bank whose signals are these in every round: retrieval_confidence=0.4, ..."""
    trace = deep_trace()
    rounds = tuple(replace(r, signals=r.signals | _set(r.signals, signals)) for r in trace.rounds)
    question = replace(trace.question, query=query)
    row = {"id": query, "query": query, "kind": "made", "expected": expected, "facts": list(facts)}
    return LabelledCase(row=row, trace=replace(trace, question=question, rounds=rounds))


def _set(probabilities, labels):
    """The signals of the named checks, every score of a passage put to one value."""
    names = {"retrieval_confidence": "related", "retrieval_score": "hybrid"}
    return {
        check: {**probabilities[check], names[check]: np.full_like(probabilities[check][names[check]], value)}
        for check, value in labels.items()
        if check in probabilities
    }


def two_limits(count, related, hybrid, seed=0):
    """Good questions above both limits, others below one of them, each as close to it as chance puts it."""
    rng, cases = np.random.default_rng(seed), []
    for n in range(count):
        good, which = n % 2 == 0, rng.random() < 0.5
        high = [float(rng.uniform(limit, limit + 0.3)) for limit in (related, hybrid)]
        if not good:
            high[which] = float(rng.uniform(0.05, (related, hybrid)[which]))
        signals = {"retrieval_confidence": high[0], "retrieval_score": high[1]}
        cases.append(planted(f"Question {seed} {n}?", "answered" if good else "refused", **signals))
    return cases
