"""A guarantee in sentences: what is promised and counted, or what is missing."""

import pytest

from core.evaluation.outcomes import Rate
from core.presentation.guarantee_words import ASSUMES, guarantee_line, guarantee_sentences, recheck_sentence
from core.tuning.guarantee import Guarantee, Promise

WRONG = Rate(count=3, n=180)
KEPT = Guarantee(
    key="support.min_support", promise=Promise(), kept=(0.7, 0.62), value=0.62, wrong=WRONG, bound=0.046
)  # fmt: skip


def missing(rows):
    return Guarantee(key=KEPT.key, promise=Promise(), kept=(), value=0.9, wrong=WRONG, bound=0.08, rows_needed=rows)


def test_a_guarantee_says_what_is_promised_counted_and_assumed():
    promised, counted, assumed = guarantee_sentences(KEPT)
    assert promised == "At most 5 % of the answers given out are wrong, with 95 % confidence, with “Support” at 0.62."
    assert counted == "Counted here: 3 of 180 answers are wrong, so at most 4.6 % of all such answers."
    assert assumed == ASSUMES


@pytest.mark.parametrize(
    ("rows", "said"), [(1234, "About 1,234 more labelled questions would do."), (None, "More questions would not help")]
)
def test_a_guarantee_that_is_missing_says_what_would_do(rows, said):
    promised, nearest, last = guarantee_sentences(missing(rows))
    assert promised.startswith("No value of “Support” keeps the promise: at most 5 %")
    assert "0.9 comes nearest: 3 of 180" in nearest and last.startswith(said)


def test_the_line_says_yes_or_no_first():
    assert guarantee_line(KEPT, 0.7, Rate(count=1, n=90)) == "yes, counted on 90 answers, 1 of them wrong"
    assert guarantee_line(KEPT, 0.5, WRONG) == "no, but with “Support” at 0.62 it is kept"
    assert guarantee_line(missing(65), 0.5, WRONG) == "no, about 65 more labelled questions would do"


@pytest.mark.parametrize(("wrong", "bound", "said"), [
    (WRONG, 0.05, "is proven"), (WRONG, 0.0501, "is not proven"), (Rate(count=0, n=0), 1.0, "cannot be checked"),
])  # fmt: skip
def test_a_recheck_says_whether_a_set_proves_the_promise(wrong, bound, said):
    assert said in recheck_sentence(Promise(), wrong, bound)
