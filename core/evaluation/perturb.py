"""Changes one thing in an answer (a number, a negation, a name or a citation), to test whether a check catches it.
Pure, and reproducible by random seed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from core.case import Passage
from core.text.citation_marks import marks_in, without_marks
from core.text.negate import match_case, negation_of
from core.text.quantities import quantities
from core.text.sentences import sentences
from core.text.verifiable_facts import named_terms, proper_names
from core.text.words import contains_fact

PerturbationKind = Literal["number", "negation", "name", "citation"]

_NUMERAL = re.compile(r"(?<![\w.,\[^~])\d+(?:,\d{2,3})*(?:\.\d+)?(?![\w\]]|\.\d|,\d)")
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split()
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b(?!-)", re.IGNORECASE)
_FACTORS = (0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 10)
_NEAR = 3
"""Maximum distance between a number word and its replacement in _NUMBER_WORDS."""
_YEAR_SHIFTS = (3, 5, 10, 12, 20, 25, 50)


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


def change_number(answer: str, random_seed: int = 0) -> PerturbedAnswer:
    """`answer` with one number changed; numbers in citation marks, names and formulas are left alone."""
    random = _random("number", answer, random_seed)
    marks, numeral_starts = marks_in(answer), {quantity.numeral[0] for quantity in quantities(answer)}
    matches = [*_NUMERAL.finditer(answer), *_NUMBER_WORD.finditer(answer)]
    candidates = [
        m
        for m in matches
        if m.start() in numeral_starts and not any(mark.start <= m.start() < mark.end for mark in marks)
    ]
    if not candidates:
        return PerturbedAnswer(way="number", answer=answer, why="There is no number in this answer to change.")
    match = random.choice(sorted(candidates, key=lambda m: m.start()))
    return _replace_span("number", answer, match.span(), _other_number(match.group(), random))


def negate(answer: str, random_seed: int = 0) -> PerturbedAnswer:
    """`answer` with one sentence negated."""
    random = _random("negation", answer, random_seed)
    matches = (re.search(r"\s+".join(map(re.escape, s.split())), answer) for s in sentences(answer))
    statements = [m for m in matches if m and len(m.group().split()) > 2 and not without_marks(m.group()).endswith("?")]
    for sentence in random.sample(statements, len(statements)):
        if negation := negation_of(sentence.group()):
            (first, last), new = negation
            return _replace_span("negation", answer, (sentence.start() + first, sentence.start() + last), new)
    return PerturbedAnswer(way="negation", answer=answer, why="There is no sentence in this answer to negate.")


def swap_name(answer: str, passages: Sequence[Passage], random_seed: int = 0) -> PerturbedAnswer:
    """`answer` with one name or term replaced by another one from `passages`.

    If possible, the replacement occurs in a passage that also has the original, and somewhere follows the same word.
    """
    random = _random("name", answer, random_seed)
    texts = [p.text for p in passages]
    for find in (proper_names, named_terms):
        names = sorted(find(" ".join(texts)))
        pairs = [(occurrence, _rivals(occurrence, names, answer)) for occurrence in _occurrences(names, answer)]
        candidates = [(occurrence, rivals) for occurrence, rivals in pairs if rivals]
        if candidates:
            (first, last, name), rivals = random.choice(candidates)
            before = answer[:first].split()[-1:]
            new = match_case(answer[first:last], _closest(name, rivals, before, texts, random))
            return _replace_span("name", answer, (first, last), new)
    return PerturbedAnswer(
        way="name", answer=answer, why="There is no name in this answer to swap for one from the passages."
    )


def drop_citation(answer: str, random_seed: int = 0) -> PerturbedAnswer:
    """`answer` without one of its citation marks, such as [2]."""
    marks = marks_in(answer)
    if not marks:
        return PerturbedAnswer(way="citation", answer=answer, why="There is no citation mark such as [1] to drop.")
    mark = _random("citation", answer, random_seed).choice(marks)
    return _replace_span("citation", answer, (mark.start, mark.end), "")


PERTURBATIONS: Mapping[PerturbationKind, Callable[[str, Sequence[Passage], int], PerturbedAnswer]] = {
    "number": lambda answer, _, seed: change_number(answer, seed),
    "negation": lambda answer, _, seed: negate(answer, seed),
    "name": swap_name,
    "citation": lambda answer, _, seed: drop_citation(answer, seed),
}
"""The function for each kind of change: (answer, passages, random seed) -> changed answer."""


def perturb_rows(
    rows: Iterable[Mapping[str, Any]], passages: Sequence[Passage], random_seed: int = 0
) -> list[dict[str, Any]]:
    """For each row whose label is "supported", one new row for each kind of change that makes its answer false. The new
    rows have the label "altered".

    New names come from the passages of the row's document, or, if it has none, from all. Dropping a citation makes no
    answer false, so that this kind is left out. "facts" of a new row holds the changed words with their neighbours.
    """
    altered_rows = []
    for row in rows:
        if row.get("expected") == "supported" and row.get("answer"):
            own_passages = [p for p in passages if p.document == row.get("document")] or passages
            variants = [
                PERTURBATIONS[kind](row["answer"], own_passages, random_seed)
                for kind in PERTURBATIONS
                if kind != "citation"
            ]
            altered_rows += [_altered_row(row, b) for b in variants if b.has_changed]
    return altered_rows


def _altered_row(row: Mapping[str, Any], perturbed: PerturbedAnswer) -> dict[str, Any]:
    id_ = f"{row.get('id') or row['query']}-{perturbed.way}"
    # One word before the change and two after it are enough to tell false from true.
    words = [m.span() for m in re.finditer(r"\S+", perturbed.answer)]
    end = perturbed.place + len(perturbed.after)
    first = sum(last <= perturbed.place for _, last in words)
    stop = sum(start < max(end, perturbed.place + 1) for start, _ in words)
    changed_words = perturbed.answer[words[max(0, first - 1)][0] : words[min(len(words), stop + 2) - 1][1]]
    return {
        **row, "id": id_, "pair": row.get("pair") or row.get("id") or row["query"], "kind": "pair",
        "alteration": perturbed.way, "expected": "altered", "facts": [changed_words],
        "answer": perturbed.answer,
    }  # fmt: skip


def _random(kind: PerturbationKind, answer: str, random_seed: int) -> Random:
    return Random(f"{kind} {random_seed} {answer}")


def _replace_span(kind: PerturbationKind, answer: str, span: tuple[int, int], new: str) -> PerturbedAnswer:
    first, last = span
    return PerturbedAnswer(
        way=kind, answer=answer[:first] + new + answer[last:], before=answer[first:last], after=new, place=first
    )


def _other_number(numeral: str, random: Random) -> str:
    """Another number in the format of `numeral`: times a factor, or for a year, some years earlier or later."""
    if not numeral[0].isdigit():
        index = _NUMBER_WORDS.index(numeral.lower())
        nearby = _NUMBER_WORDS[max(0, index - _NEAR) : index] + _NUMBER_WORDS[index + 1 : index + 1 + _NEAR]
        return match_case(numeral, random.choice(nearby))
    value, decimals = float(numeral.replace(",", "")), len(numeral.partition(".")[2])
    if numeral.isdigit() and 1000 <= value <= 2100:
        return str(int(value) + random.choice((-1, 1)) * random.choice(_YEAR_SHIFTS))
    candidates = {round(value * f, decimals) for f in _FACTORS} - {0.0, value} or {value + random.randint(1, 9)}
    new = random.choice(sorted(candidates))
    return f"{new:,.{decimals}f}" if "," in numeral else f"{new:.{decimals}f}"


def _occurrences(names: Iterable[str], answer: str) -> list[tuple[int, int, str]]:
    """(start, end, name) of names in `answer`, from left to right; of nested names only the longest."""
    spans: list[tuple[int, int, str]] = []
    for name in sorted(names, key=len, reverse=True):
        for m in re.finditer(rf"(?<![\w-])(?i:{re.escape(name[0])}){re.escape(name[1:])}(?![\w-])", answer):
            if not any(a < m.end() and m.start() < b for a, b, _ in spans):
                spans.append((m.start(), m.end(), name))
    return sorted(spans)


def _rivals(occurrence: tuple[int, int, str], names: Iterable[str], answer: str) -> list[str]:
    """The names that can replace the name at `occurrence`: they have as many words, share no word with it, and are not
    yet in the answer.
    """
    words = occurrence[2].lower().split()
    same_length = [k for k in names if len(k.split()) == len(words) and not set(words) & set(k.lower().split())]
    return [k for k in same_length if not contains_fact(answer, k)]


def _closest(name: str, rivals: Sequence[str], before: Sequence[str], texts: Sequence[str], random: Random) -> str:
    """A random one of `rivals`, the possible replacements of `name`. Preferred are those in a passage that also has
    `name`, and among these those that somewhere follow the word `before`.
    """
    passages_with_name = " ".join(t for t in texts if contains_fact(t, name))
    candidates = [r for r in rivals if contains_fact(passages_with_name, r)] or list(rivals)
    all_text = " ".join(texts).lower()
    after_same_word = [r for r in candidates if before and f" {before[0].lower()} {r.lower()}" in all_text]
    return random.choice(after_same_word or candidates)
