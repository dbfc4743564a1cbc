"""Cases that one check alone decides, by the name of the check."""

from dataclasses import replace

import numpy as np

from core.case import Judgement, Scope
from core.text.answer_sentences import read_answer
from tests.support.cases import BOOK, ELSEWHERE, MIXED, SUPPORTED, evidence
from tests.support.traces import trace_of

CITED = "An arithmetic progression is a list of numbers [1]."


def objectionable(models, case, values):
    """The trace of `case` as if stage 1 had measured these values on each sentence."""
    trace = trace_of(models, case)
    (first,) = trace.rounds
    interest = first.signals["interest"]
    moved_signals = {name: np.full_like(interest[name], value) for name, value in values.items()}
    return replace(trace, rounds=(replace(first, signals=first.signals | {"interest": interest | moved_signals}),))


TWO = "Each term is obtained by adding a fixed number to the term before"


def passages(text=BOOK, scores=(0.9, 0.7), **fields):
    """Evidence of one text with each of these scores; scores on single scales are given by name."""
    return tuple(evidence(text, s, n, **fields) for n, s in enumerate(scores))


def cases(make_case):
    """For each check what is asked and answered where it alone forbids the answer."""
    supported = make_case(SUPPORTED)
    seven = (*passages(scores=(0.9,)), evidence("The 7 wonders are a list of numbers", 0.7, 1))
    return {
        "context_sufficiency": make_case(CITED, evidence=passages(cosine=0.45)),
        "retrieval_confidence": make_case(CITED, evidence=passages(related=0.3)),
        "topic_relevance": make_case(CITED, scope=Scope(class_number=8)),
        "citations": make_case(f"{SUPPORTED} [9]"),
        "grounding": make_case(MIXED.replace(".", " [1].")),
        "confidence": make_case(scores=(0.39, 0.3)),
        "retrieval_score": make_case(scores=(0.29,)),
        "score_gap": make_case(scores=(0.45, 0.44)),
        "entailment": make_case(MIXED.removeprefix(SUPPORTED).strip()),
        "hedging": make_case(f"Perhaps {SUPPORTED[0].lower()}{SUPPORTED[1:]}"),
        "interest": make_case(SUPPORTED),
        "fact_grounding": make_case(ELSEWHERE),
        "clarity": replace(supported, question=replace(supported.question, query="what about the other one?")),
        "context_quality": make_case(evidence=passages(cosine=0.25)),
        "fact_check": make_case(ELSEWHERE),
        "answer_relevance": make_case(f"{TWO} [1]."),
        "consensus": replace(make_case(CITED), drafts=(read_answer(ELSEWHERE, writer="given"),) * 2),
        "llm_judge": replace(supported, judgement=Judgement(by="a model", yes=(0.1,))),
        "support": make_case(f"{TWO}, and the progression never ends [1]."),  # one clause is right
        "numbers": make_case(
            "Each term is obtained by adding the fixed number 7 to the term before [1].", evidence=seven
        ),
    }
