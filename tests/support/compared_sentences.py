"""Sentences of an answer that the passages support, contradict or do not mention, and a verdict on them."""

from core.decide import verdict
from core.lab.figures.chapter_outcomes import answer_checks_alone
from core.thresholds import Preset
from tests.support.traces import trace_of

SAID = "An arithmetic progression is a list of numbers."
DENIED = "The fixed number is not called the common difference of the progression."
ELSEWHERE = "Elephants migrate every winter."
WATCHING = answer_checks_alone(Preset())


def verdict_on(models, make_case, answer, preset=WATCHING):
    return verdict(trace_of(models, make_case(answer)), preset)
