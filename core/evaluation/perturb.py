"""Changes one number, one negation or one name in an answer, to test whether a check catches it.

Pure rules, without a model, and reproducible by random seed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from core.case import Passage
from core.text.negate import match_case, negation_of
from core.text.sentences import sentences
from core.text.verifiable_facts import named_terms, proper_names

PerturbationKind = Literal["number", "negation", "name"]
Candidate = tuple[tuple[int, int], list[str]]
"""A place in an answer, as (start, end), and the texts that could stand there instead."""

_NUMERAL = re.compile(r"(?<![\w.,\[^~(])\d+(?:,\d{2,3})*(?:\.\d+)?(?![\w\]]|\.\d|,\d)")
_FACTORS = (0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 10)
_YEAR_SHIFTS = (-50, -20, -10, -5, -3, 3, 5, 10, 20, 50)


@dataclass(frozen=True, kw_only=True)
class PerturbedAnswer:
    """An answer after one change.

    way: the kind of the change. answer: the changed answer. before: the text that was replaced; after: the text that is
    there now. place: index of the character at which both begin. If nothing could be changed, `answer` is the original,
    `before` and `after` are empty, `place` is -1, and `why` gives the reason.
    """

    way: PerturbationKind
    answer: str
    before: str = ""
    after: str = ""
    place: int = -1
    why: str = ""

    @property
    def has_changed(self) -> bool:
        return self.place >= 0


def perturb(
    kind: PerturbationKind, answer: str, passages: Sequence[Passage] = (), random_seed: int = 0
) -> PerturbedAnswer:
    """`answer` with one change of this kind. Another name comes from `passages`, from one that holds both if it can."""
    random, candidates = Random(f"{kind} {random_seed} {answer}"), [*_CANDIDATES[kind](answer, passages)]
    if not candidates:
        return PerturbedAnswer(way=kind, answer=answer, why=NOTHING_TO_CHANGE[kind])
    (start, end), options = random.choice(candidates)
    new = random.choice(options)
    return PerturbedAnswer(
        way=kind, answer=answer[:start] + new + answer[end:], before=answer[start:end], after=new, place=start
    )


def _numbers(answer: str, _: Sequence[Passage]) -> Iterator[Candidate]:
    """Numbers outside of citation marks, names and formulas, each with others in the same format."""
    for match in _NUMERAL.finditer(answer):
        numeral = match.group()
        value, decimals = float(numeral.replace(",", "")), len(numeral.partition(".")[2])
        if numeral.isdigit() and 1000 <= value <= 2100:
            values = {value + shift for shift in _YEAR_SHIFTS}
        else:
            values = {round(value * factor, decimals) for factor in _FACTORS} - {0.0, value} or {value + 1}
        comma = "," if "," in numeral else ""
        yield match.span(), [f"{new:{comma}.{decimals}f}" for new in sorted(values)]


def _negations(answer: str, _: Sequence[Passage]) -> Iterator[Candidate]:
    """Sentences that state something, each at the place that negates it."""
    for sentence in sentences(answer):
        match = re.search(r"\s+".join(map(re.escape, sentence.split())), answer)
        if not match or len(sentence.split()) < 3 or "?" in sentence[-6:]:
            continue
        if negation := negation_of(match.group()):
            (first, last), new = negation
            yield (match.start() + first, match.start() + last), [new]


def _names(answer: str, passages: Sequence[Passage]) -> Iterator[Candidate]:
    """Names or, without any, terms of the passages in `answer`, each with others of as many words."""
    texts = [passage.text for passage in passages]
    for find in (proper_names, named_terms):
        names = sorted(find(" ".join(texts)), key=lambda name: (-len(name), name))
        pattern = "|".join(rf"(?i:{re.escape(name[0])}){re.escape(name[1:])}" for name in names)
        matches = [*re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", answer)] if names else []
        found = [(match, _rivals(match.group(), names, answer, texts)) for match in matches]
        if any(rivals for _, rivals in found):
            yield from ((match.span(), rivals) for match, rivals in found if rivals)
            return


def _rivals(name: str, names: Sequence[str], answer: str, texts: Sequence[str]) -> list[str]:
    """Other names of as many words, none shared or in the answer; if possible from a passage that has `name` too."""
    words = set(name.lower().split())
    others = [
        other for other in names
        if len(other.split()) == len(name.split())
        and not words & set(other.lower().split()) and other.lower() not in answer.lower()
    ]  # fmt: skip
    beside = " ".join(text for text in texts if name.lower() in text.lower())
    return [match_case(name, other) for other in [o for o in others if o in beside] or others]


_CANDIDATES: Mapping[PerturbationKind, Callable[[str, Sequence[Passage]], Iterator[Candidate]]] = {
    "number": _numbers, "negation": _negations, "name": _names,
}  # fmt: skip
NOTHING_TO_CHANGE: Mapping[PerturbationKind, str] = {
    "number": "There is no number in this answer to change.",
    "negation": "There is no sentence in this answer to negate.",
    "name": "There is no name in this answer to swap for one from the passages.",
}
