"""What becomes of a set in words and numbers: the chart, the sentences and the table are counted once."""

import re

import pytest

from core.banks.bank_counts import compare, outcome_matrix, refusals, signs, wrong_outcomes
from core.banks.open_bank import ROUTE_NAMES, OpenBank
from core.evaluation.counts import Counts, Rate
from core.presentation.set_words import (
    ASSUMES,
    changes_heading,
    comparison_lines,
    guarantee_line,
    guarantee_sentences,
    headline,
    recheck_sentence,
    sentences,
)
from core.presets import preset
from core.tuning.guarantee import Guarantee, Promise
from core.words import OUTCOMES
from tests.support.planted_banks import RELATED, two_limits

PRINTED = preset("as_printed")
FIELDS = ("due", "right", "fair", "wrong", "over_refused", "others", "held", "not_due_fair", "not_due_wrong", "unsaid")


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def counted(*numbers):
    return Counts(**dict(zip(FIELDS, numbers, strict=True)))


SOME = counted(90, 74, 4, 3, 9, 60, 55, 2, 3, 2)


def test_the_outcome_is_given_in_sentences_with_intervals():
    said = sentences(SOME)
    assert said[0] == (
        "Of **90** questions that should be answered, **78** are answered correctly (**4** of these in part, or at "
        "greater length than needed), **3** are answered wrongly (3 %, likely 1–9 %), and **9** are wrongly refused "
        "(10 %, likely 5–18 %)."
    )
    assert said[1] == (
        "Of **60** questions that should not be answered, **57** are refused or sent back for clarification, and **3** "
        "are answered (5 %, likely 2–14 %)."
    )
    assert said[2].startswith("2 cases not counted")
    assert sentences(counted(*[0] * 10)) == ["No case can be counted under these limits."]


def test_the_title_states_the_finding():
    assert headline(SOME) == "135 of 150 handled correctly; 6 wrong answers given, 9 questions wrongly refused"
    one = headline(counted(2, 0, 0, 1, 1, 0, 0, 0, 0, 0))
    assert one == "0 of 2 handled correctly; 1 wrong answer given, 1 question wrongly refused"
    assert headline(counted(*[0] * 10)) == "No question of this set can be counted yet"


def test_matrix_title_and_sentences_never_differ(cases):
    """Each is read back from what is shown, under the preset and under moved limits."""
    bank = OpenBank.of(cases)
    for moved in ({}, {RELATED: 0.3}, {RELATED: 0.7}, {RELATED: 1.0}):
        limits = PRINTED.with_values(moved)
        counts, (right, wrong) = bank.counts(limits), outcome_matrix(bank, limits)
        title = [int(n) for n in re.findall(r"\d+", headline(counts))]
        assert title == [right.sum(), counts.n, wrong[:, :2].sum() + wrong[1, 2], wrong[0, 2]]
        assert right.sum() + wrong.sum() == len(cases)
        due, others, *_ = [[int(n) for n in re.findall(r"\*\*(\d+)\*\*", line)] for line in sentences(counts)]
        assert [due[0], others[0]] == (right + wrong).sum(1).tolist()
        assert due[1] == right[0].sum() and others[1] == right[1, 2]
        assert len(wrong_outcomes(bank, limits)) == wrong.sum()
        marks = signs(bank, limits)
        assert marks.count("✓") == title[0] and marks.count("✗") == wrong.sum()


def test_a_corrected_answer_is_a_count_of_its_own(cases):
    bank = OpenBank.of(cases)
    routes = bank.decided_at(PRINTED).routes
    routes[0, 0] = list(ROUTE_NAMES).index("deliver_corrected")
    assert sum(outcome_matrix(bank, PRINTED))[:, 1].sum() == 1


def test_refusals_add_up(cases):
    bank = OpenBank.of(cases)
    counts, refused = bank.counts(PRINTED), refusals(bank, PRINTED)
    due, others = (sum(pair[n] for pair in refused.values()) for n in (0, 1))
    same = compare(bank, PRINTED, PRINTED)
    assert same.before == same.after == counts and same.changes == ()
    assert due == counts.over_refused and others == counts.held and due + others > 0


def test_changes_list_worse_cases_first(cases):
    found = compare(OpenBank.of(cases), PRINTED, PRINTED.with_values({RELATED: 0.3})).changes
    directions = [c.direction for c in found]
    assert directions == sorted(directions, key=[-1, 1, 0].index) and {-1, 1} <= set(directions)
    assert set(OUTCOMES) >= {outcome for c in found for outcome in (c.before, c.after)}
    said = changes_heading(found)
    assert said.startswith(f"{len(found)} changed: {directions.count(1)} better, {directions.count(-1)} worse")
    assert changes_heading(()) == "No outcomes changed"


def test_two_presets_are_compared_with_the_mcnemar_test(cases):
    bank = OpenBank.of(cases)
    said = comparison_lines(compare(bank, PRINTED, PRINTED.with_values({RELATED: 0.3})), "One", "Other")
    assert said[0].startswith("**One**") and "exact McNemar test, p " in said[2]
    alike = comparison_lines(compare(bank, PRINTED, PRINTED), "One", "Other")
    assert alike[2] == "There is no case on which only one of the two is right."


WRONG = Rate(count=3, n=180)
KEPT = Guarantee(
    key="support.min_support", promise=Promise(), kept=(0.7, 0.62), value=0.62, wrong=WRONG, bound=0.046
)  # fmt: skip


def missing(rows):
    return Guarantee(key=KEPT.key, promise=Promise(), kept=(), value=0.9, wrong=WRONG, bound=0.08, rows_needed=rows)


def test_a_guarantee_says_what_is_promised_counted_and_assumed():
    promised, counted, assumed = guarantee_sentences(KEPT)
    assert promised == "At most 5 % of the answers given out are wrong, with 95 % confidence, with “Support” at 0.62."
    assert counted == "Counted here: 3 of 180 answers are wrong, so at most 4.6 % of similar answers are."
    assert assumed == ASSUMES


@pytest.mark.parametrize(
    ("rows", "said"),
    [(1234, "About 1,234 more labelled questions are needed."), (None, "More questions would not help")],
)
def test_a_guarantee_that_is_missing_says_what_would_do(rows, said):
    promised, nearest, last = guarantee_sentences(missing(rows))
    assert promised.startswith("No value of “Support” gives this guarantee: at most 5 %")
    assert "0.9 comes nearest: 3 of 180" in nearest and last.startswith(said)


def test_the_line_says_yes_or_no_first():
    assert guarantee_line(KEPT, 0.7, Rate(count=1, n=90)) == "yes, 1 of 90 checked answers is wrong"
    assert guarantee_line(KEPT, 0.5, WRONG) == "no, but proven with “Support” at 0.62"
    assert guarantee_line(missing(65), 0.5, WRONG) == "no, about 65 more labelled questions are needed"


@pytest.mark.parametrize(("wrong", "bound", "said"), [
    (WRONG, 0.05, "is proven"), (WRONG, 0.0501, "is not proven"), (Rate(count=0, n=0), 1.0, "cannot be checked"),
])  # fmt: skip
def test_a_recheck_says_whether_a_set_proves_the_promise(wrong, bound, said):
    assert said in recheck_sentence(Promise(), wrong, bound)
