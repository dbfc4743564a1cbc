"""Seed C's three layers, branch by branch and pattern by pattern, with the real models; each difference is named.

The seed prints branches and patterns, no questions: the answers here are made for them, about one passage.
"""

from dataclasses import dataclass

import pytest

from core.case import Case, Question, Trace
from core.chain import verdict
from core.graph.signals import measure
from core.presets import preset, with_settings
from core.reports.seed_outputs import ABSTENTION, abstention
from core.text.answer_sentences import given_draft
from tests.conftest import BOOK, evidence
from tests.support.seed_example import MODEL, Example

ONCE = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
PROCEED = "proceed"
SUPPORTED = "An arithmetic progression is a list of numbers."


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """An answer about the passage BOOK. `seed` is the reason to abstain, or PROCEED; hedges: layer 3 finds a pattern.

    label: what the language model says of the whole answer, in a row that layer 2 decides.
    """

    answer: str = SUPPORTED
    scores: tuple = (0.9, 0.7)
    label: str = ""
    hedges: bool = False


def hedging(answer, **changes):
    return Row(answer=answer, seed="hedging_detected", hedges=True, nli=True, **changes)


def denied(answer):
    return hedging(
        answer, ours="not_grounded", label="contradiction",
        difference=f"{MODEL}an answer that says nothing, beside a passage that does say it, is taken for a "
        "contradiction, and layer 2 is asked first, as in the seed; layer 3 finds the pattern all the same",
    )  # fmt: skip


def left_open(answer):
    return hedging(
        answer, ours="not_grounded", label="neutral",
        difference="no passage says a filler, so layer 2, which is asked first as in the seed, leaves it open; layer 3 "
        "finds the pattern all the same",
    )  # fmt: skip


TABLE = {
    "1 no documents": Row(scores=(), seed="low_retrieval_score"),
    "1 the top score below 0.3": Row(scores=(0.2, 0.1), seed="low_retrieval_score"),
    "1 the top score at 0.3": Row(scores=(0.3, 0.1), seed=PROCEED, nli=True),
    "1 a low top score, and a gap below 0.1": Row(scores=(0.4, 0.35), seed="no_score_gap"),
    "1 a low top score, and a gap of 0.1": Row(scores=(0.4, 0.3), seed=PROCEED, nli=True),
    "1 a top score of 0.5 needs no gap": Row(scores=(0.5, 0.45), seed=PROCEED, nli=True),
    "1 one result has no gap": Row(scores=(0.45,), seed=PROCEED, nli=True),
    "2 entailed, as it stands there": Row(seed=PROCEED, label="entailment", nli=True),
    "2 entailed, the second sentence": Row(
        answer="Each term is obtained by adding a fixed number to the term before.",
        seed=PROCEED, label="entailment", nli=True,
    ),
    "2 a contradiction by a negation": Row(
        answer="An arithmetic progression is not a list of numbers.",
        seed="not_grounded", label="contradiction", nli=True,
    ),
    "2 a contradiction by another word": Row(
        answer="Each term is obtained by multiplying the term before by a fixed number.",
        seed="not_grounded", ours=PROCEED, label="entailment", nli=True,
        difference="language model: one operation for another, all other words the same, is read as said",
    ),
    "2 neutral, on something else": Row(
        answer="Bankers everywhere love such clever schemes.", seed="not_grounded", label="neutral", nli=True,
    ),
    "2 neutral, on the same thing": Row(
        answer="Arithmetic progressions were first studied in ancient Babylon.",
        seed="not_grounded", label="neutral", nli=True,
    ),
    "3 I'm not sure": hedging("I'm not sure, but an arithmetic progression is a list of numbers."),
    "3 I'm uncertain": hedging("I'm uncertain whether an arithmetic progression is a list of numbers."),
    "3 I don't know, and no more": hedging("I don't know."),
    "3 I don't know": hedging("I don't know what an arithmetic progression is."),
    "3 I think": hedging("I think an arithmetic progression is a list of numbers."),
    "3 maybe": hedging("Maybe an arithmetic progression is a list of numbers."),
    "3 possibly": hedging("An arithmetic progression is possibly a list of numbers."),
    "3 perhaps": hedging("Perhaps an arithmetic progression is a list of numbers."),
    "3 cannot find": hedging("I cannot find what an arithmetic progression is."),
    "3 cannot determine": hedging("I cannot determine what an arithmetic progression is."),
    "3 cannot answer": hedging("I cannot answer what an arithmetic progression is."),
    "3 no information": hedging("There is no information on arithmetic progressions."),
    "3 no data": hedging("There is no data on arithmetic progressions."),
    "3 no evidence": denied("There is no evidence that an arithmetic progression is a list of numbers."),
    "3 not mentioned": hedging("The common difference is not mentioned."),
    "3 not specified": hedging("The common difference is not specified."),
    "3 not stated": hedging("The common difference is not stated."),
    "3 generic filler, alone": left_open("It depends on many factors."),
    "3 generic filler before an answer": hedging(
        "Great question! An arithmetic progression is a list of numbers.", ours="the filler is left out",
        difference="a sentence that cannot stand is left out and the supported rest goes out; of the whole answer "
        "layer 2 says not_grounded, since no passage says the filler",
    ),
}  # fmt: skip


def judged(models, row):
    found = tuple(evidence(BOOK, score, n) for n, score in enumerate(row.scores))
    question = Question(query="What is an arithmetic progression?", answer=row.answer)
    case = Case(question=question, query=question.query, evidence=found, draft=given_draft(question))
    return verdict(Trace(question=question, rounds=(measure("first", case, models),)), ONCE)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_a_branch_of_the_seed_has_its_outcome(bundled_models, row):
    found = judged(bundled_models, row)
    result = abstention(found)
    assert result.should_abstain is (result.reason is not None)
    partly = found.route == "deliver_part" and result.should_abstain
    assert ("the filler is left out" if partly else result.reason or PROCEED) == row.outcome, result.details
    assert (found.checks["hedging"].state == "failed") is row.hedges
    if row.label:
        assert {s.label for s in found.sentences} == {row.label}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_the_reader_of_the_seed_says_that_it_abstains_and_keeps_the_answer(bundled_models, row):
    found = judged(bundled_models, row)
    assert found.round.case.draft.text == row.answer
    if row.outcome == PROCEED:
        assert (found.route, found.answer) == ("deliver", row.answer)
    elif row.outcome == "the filler is left out":
        assert found.answer.startswith(SUPPORTED) and "left out" in found.answer
    else:
        assert (found.route, found.answer) == ("refuse", ABSTENTION)
