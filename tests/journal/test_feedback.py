"""Feedback: the thumbs of users are a trust score, and a question set from which limits are learnt."""

import numpy as np

from core.banks.open_bank import OpenBank
from core.banks.saved import OWN, SavedBanks, label
from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.journal import Filter
from core.presentation.history import trust_sentence
from core.presentation.review import labelled_row, right_label
from core.presets import preset
from core.tuning.proposals import Aim, propose
from tests.support.journals import journal, make_trace, write  # noqa: F401 - fixtures
from tests.support.planted_banks import HYBRID, RELATED, two_limits

PRINTED = preset("as_printed")


def rate(journal, home, decision, expected):  # noqa: F811
    """What the thumbs of the History page do: `expected` is what the decision should have been."""
    label(home, labelled_row(journal.open(decision.id).row, decision, expected), expected)
    journal.mark(decision.id, expected)


def test_the_trust_score_is_the_share_of_rated_decisions_that_were_right(journal, write, tmp_path):  # noqa: F811
    assert "nobody has rated" in trust_sentence(journal.ratings())
    for n in range(5):
        write(f"Question {n}?")
    for decision, is_right in zip(journal.rows()[:3], (True, True, False), strict=True):
        wrong = "altered" if right_label(decision) == "supported" else "supported"
        rate(journal, tmp_path, decision, right_label(decision) if is_right else wrong)
    assert trust_sentence(journal.ratings()).startswith("3 decisions rated: 2 right.")
    assert "nobody has rated" in trust_sentence(journal.ratings(Filter(text="Question 0?")))


def test_thumbs_alone_are_a_set_from_which_better_limits_are_proposed(journal, tmp_path):  # noqa: F811
    cases = {case.trace.question.query: case for case in two_limits(120, related=0.434, hybrid=0.524)}
    for case in cases.values():
        journal.record(case.trace, verdict(case.trace, PRINTED), PRINTED)
    for decision in reversed(journal.rows()):  # the oldest first, as the cases
        rate(journal, tmp_path, decision, cases[decision.question].row["expected"])
    rows = SavedBanks(tmp_path).rows(OWN)
    bank = OpenBank.of([LabelledCase(row=row, trace=cases[row["query"]].trace) for row in rows])
    proposal = propose(bank, PRINTED, Aim(), tuning=np.arange(len(rows)) // 2 % 2 == 0)
    assert len(rows) == len(cases) and {move.key for move in proposal.moves} == {RELATED, HYBRID}
    assert proposal.held_out.cost < proposal.held_out.base_cost
