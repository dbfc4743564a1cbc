"""Sentences of an answer that the passages support, contradict or do not mention, and a verdict on them."""

from core.case import Trace
from core.decide import verdict
from core.graph.rounds import measure
from core.lab.figures.chapter_outcomes import answer_checks_alone
from core.thresholds import Preset

SAID = "An arithmetic progression is a list of numbers."
DENIED = "The fixed number is not called the common difference of the progression."
ELSEWHERE = "Elephants migrate every winter."
WATCHING = answer_checks_alone(Preset())


def verdict_on(models, make_case, answer, preset=WATCHING):
    case = make_case(answer)
    return verdict(Trace(question=case.question, rounds=(measure("first", case, models),)), preset)
