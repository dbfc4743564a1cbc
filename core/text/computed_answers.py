"""Numbers of an answer that are computed from the numbers of its question, and their result if the question alone
determines it: a term or a sum of a progression, a percentage, a mean."""

import math
import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from core.text.held_quantities import unstated_facts
from core.text.quantities import quantities
from core.text.questions import plan_of
from core.text.verifiable_facts import Unheld

_NUMBER = r"[-–−]?\d{1,9}(?:\.\d{1,6})?"
_LIST = re.compile(rf"(?<![\w.])(?P<list>{_NUMBER}(?:\s*,\s*{_NUMBER}){{2,20}})(?![\w])")
_NTH = re.compile(r"\b(?P<n>\d{1,4})(?:st|nd|rd|th)\s+term\b", re.IGNORECASE)
_SUM = re.compile(
    r"\bsum of (?:the )?(?:first )?(?P<n>\d{1,4}|\w{3,10})(?: \w+)? terms\b|\bfirst (?P<m>\d{1,4}) terms\b", re.I
)
_FIRST = re.compile(rf"\bfirst term\b[^\d–−-]{{0,20}}(?P<a>{_NUMBER})", re.IGNORECASE)
_STEP = re.compile(rf"\bcommon (?P<kind>difference|ratio)\b[^\d–−-]{{0,20}}(?P<d>{_NUMBER})", re.IGNORECASE)
_SHARE = re.compile(rf"(?P<part>{_NUMBER})\s*(?:%|per ?cent) of (?:[^\d\s]\s?)?(?P<whole>{_NUMBER})", re.IGNORECASE)
_MEAN = re.compile(
    rf"\b(?:mean|average) of\b[^\d–−-]{{0,40}}(?P<list>{_NUMBER}(?:\s*(?:,|and|,\s*and)\s*{_NUMBER}){{1,20}})", re.I
)


_ROUNDED = 1e-3
"""The largest rounding error of a result, relative to it."""


def with_computed_numbers(unheld: Unheld, sentence: str, question: str, passages: str) -> Unheld:
    """Return `unheld`, in which the numbers that `sentence` computes from those of `question` are classified again.

    unheld: the facts of `sentence` that `passages` do not hold. A number becomes `computed` if it is the result that
    the question determines, `missing` if the question determines another result, and `unchecked` if it determines none.
    passages: one sentence a line; if they state the numbers of the question, nothing needs to be computed, and `unheld`
    is returned unchanged.
    """
    numbers = computed_in(sentence, question) if brings_numbers(question, passages) else {}
    if not numbers:
        return unheld
    rest = tuple(one for one in unheld.missing if one.split(" ")[0] not in numbers)
    result = result_of(question)
    if result is None:
        return replace(unheld, missing=rest, unchecked=tuple(numbers))
    if any(math.isclose(value, result, rel_tol=_ROUNDED) for value in numbers.values()):
        return replace(unheld, missing=rest, computed=tuple(dict.fromkeys((*unheld.computed, *numbers))))
    return replace(unheld, missing=(*rest, *numbers))


@lru_cache(maxsize=1024)
def brings_numbers(question: str, passages: str) -> bool:
    """True if `question` has numbers to compute with that `passages` do not state, so that its answer must be computed.

    A number without a unit counts only in a question that asks for a number and gives several.
    """
    own = set(unstated_facts(question, passages))
    gives_several = len(quantities(question)) > 1
    computes = result_of(question) is not None or (gives_several and plan_of(question).kind == "number")
    return any(q.text in own and (q.unit or computes) for q in quantities(question))


def computed_in(sentence: str, question: str) -> dict[str, float]:
    """{text: value} of the numbers of `sentence` that `question` does not give."""
    question_values = [q.value for q in quantities(question)]
    return {
        q.text: q.value
        for q in quantities(sentence)
        if not q.may_be and not any(math.isclose(q.value, one, rel_tol=1e-6) for one in question_values)
    }


@lru_cache(maxsize=1024)
def result_of(question: str) -> float | None:
    """The result that the numbers of `question` determine; None if they determine none."""
    if match := _SHARE.search(question):
        return _value(match["part"]) * _value(match["whole"]) / 100
    if match := _MEAN.search(question):
        values = [_value(n) for n in re.findall(_NUMBER, match["list"])]
        return sum(values) / len(values)
    return _of_progression(question)


def _of_progression(question: str) -> float | None:
    """The term or the sum of a progression that `question` asks for; None if it asks for neither."""
    progression = _progression(question)
    if progression is None:
        return None
    first, step, is_ratio = progression
    if match := _SUM.search(question):
        number = match["n"] or match["m"]
        count = int(number) if number.isdigit() else 0
        if not count:
            return None
        if not is_ratio:
            return count / 2 * (2 * first + (count - 1) * step)
        return first * count if step == 1 else first * (step**count - 1) / (step - 1)
    if match := _NTH.search(question):
        steps = int(match["n"]) - 1
        return (first * step**steps if is_ratio else first + steps * step) if steps >= 0 else None
    return None


def _progression(question: str) -> tuple[float, float, bool] | None:
    """(first term, step, whether the step is a ratio) of the progression that `question` lists or describes; None if
    there is none."""
    if match := _LIST.search(question):
        terms = [_value(n) for n in re.findall(_NUMBER, match["list"])]
        steps = {round(b - a, 9) for a, b in pairwise(terms)}
        if len(steps) == 1:
            return terms[0], steps.pop(), False
        ratios = {round(b / a, 9) for a, b in pairwise(terms)} if all(terms) else set()
        return (terms[0], ratios.pop(), True) if len(ratios) == 1 else None
    first, step = _FIRST.search(question), _STEP.search(question)
    if not first or not step:
        return None
    return _value(first["a"]), _value(step["d"]), step["kind"].lower() == "ratio"


def _value(number: str) -> float:
    return float(number.replace("–", "-").replace("−", "-"))
