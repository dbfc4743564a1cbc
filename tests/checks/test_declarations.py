"""What a new check must declare: without it the class cannot be made, and the error says what is missing."""

import pytest

from core.check import Check

WHOLE = {
    "__doc__": "Is it short?\n\nCatches rambling. Blind to nonsense.", "__module__": "core.checks.short_answer",
    "short": "Short", "plain": "The answer is short", "source_document": "ours", "stage": "answer",
    "fails_as": "hedging", "measure": None, "decide": None, "explain": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("lacking", "message"),
    [
        ({"plain"}, 'short_answer lacks plain; core/README.md, "Add a check", says what they are.'),
        ({"short", "stage"}, "short_answer lacks short, stage;"),
        ({"fails_as"}, "short_answer must say in fails_as, or in reason, for which reason it refuses."),
        ({"__doc__"}, "The docstring of short_answer must have a sentence that begins with 'Catches'."),
    ],
)
def test_what_is_missing_is_named(lacking, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        type("ShortAnswer", (Check,), {name: value for name, value in WHOLE.items() if name not in lacking})
    assert "short_answer" not in Check.registry


def test_a_name_that_does_not_fit_its_tile_is_refused():
    with pytest.raises(
        TypeError, match=r"^short of short_answer has 15 characters, 'Sentence length'; at most 14 fit\.$"
    ):
        type("ShortAnswer", (Check,), WHOLE | {"short": "Sentence length"})
    assert "short_answer" not in Check.registry


@pytest.mark.parametrize("method", ["reduced", "decide_reduced"])
def test_a_check_that_reduces_its_signals_decides_from_them(method):
    with pytest.raises(TypeError, match="must override either decide, or both reduced and decide_reduced"):
        type("ShortAnswer", (Check,), {**WHOLE, method: lambda self, *signals: None})
    assert "short_answer" not in Check.registry
