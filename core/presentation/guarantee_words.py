"""The guarantee in words, for a page and a terminal."""

from core.checks import threshold_of
from core.evaluation.outcomes import Rate
from core.presentation.outcome_words import count_of
from core.tuning.guarantee import Guarantee, Promise

ASSUMES = "It holds for questions like those of this set, with the same library, models and writer."


def promise_text(promise: Promise) -> str:
    """The promise: "at most 5 % of the answers given out are wrong, with 95 % confidence"."""
    return (
        f"at most {100 * promise.share:g} % of the answers given out are wrong, "
        f"with {100 * promise.confidence:g} % confidence"
    )


def guarantee_sentences(result: Guarantee) -> list[str]:
    """What is promised and what it is counted on, or that no value keeps the promise and what is missing."""
    limit, promise = f"“{threshold_of(result.key).label}”", promise_text(result.promise)
    if result.kept:
        first = f"{promise[:1].upper()}{promise[1:]}, with {limit} at {result.value:g}."
        return [first, f"Counted here: {_counted(result.wrong, result.bound)}.", ASSUMES]
    nearest = f"The value {result.value:g} comes nearest: {_counted(result.wrong, result.bound)}."
    return [f"No value of {limit} keeps the promise: {promise}.", nearest, f"{_missing(result).capitalize()}."]


def guarantee_line(result: Guarantee, current: float, now: Rate) -> str:
    """Whether the limit keeps the promise at its `current` value, in a line that starts with yes or no.

    now: the wrong answers of those given out at the current value.
    """
    if result.holds_at(current):
        return f"yes, counted on {count_of(now.n, 'answer')}, {now.count} of them wrong"
    if result.kept:
        return f"no, but with “{threshold_of(result.key).label}” at {result.value:g} it is kept"
    return f"no, {_missing(result)}"


def recheck_sentence(promise: Promise, wrong: Rate, bound: float) -> str:
    """Whether a set proves the promise under the limits of a preset, with what was counted."""
    if not wrong.n:
        return "The guarantee cannot be checked: no answer of this set can be checked, so add facts of right answers."
    verb = "is proven" if bound <= promise.share else "is not proven"
    return f"The guarantee {verb} ({promise_text(promise)}): {_counted(wrong, bound)}."


def _counted(wrong: Rate, bound: float) -> str:
    if not wrong.n:
        return "no answer is given out"
    return f"{wrong.count} of {wrong.n} answers are wrong, so at most {_percent(bound)} of all such answers"


def _missing(result: Guarantee) -> str:
    if result.rows_needed is None:
        return "more questions would not help, because too many answers are wrong at every value"
    return f"about {result.rows_needed:,} more labelled questions would do"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
