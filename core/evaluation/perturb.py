"""Breaks an answer in one place, so that it can be seen whether anything catches it. Pure, and the same every time."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from core.case import Passage
from core.text.citation_marks import marks_in, without_marks
from core.text.negate import negated
from core.text.quantities import quantities
from core.text.sentences import sentences
from core.text.verifiable_facts import named_terms, proper_names
from core.text.words import holds

Way = Literal["number", "negation", "name", "citation"]

_FIGURE = re.compile(r"(?<![\w.,\[^~])\d+(?:,\d{2,3})*(?:\.\d+)?(?![\w\]]|\.\d|,\d)")
_SPELLED = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split()
_SPELLED_OUT = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b(?!-)", re.IGNORECASE)
_FACTORS = (0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 10)
_NEAR = 3
"""Places in the row of number words that another one may be away."""
_YEARS = (3, 5, 10, 12, 20, 25, 50)


@dataclass(frozen=True, kw_only=True)
class Broken:
    """An answer after one change: `before` stood at `place` (characters from its start), where `after` stands now.

    Where there was nothing to change, `answer` is as it was, `before` and `after` are empty and `why` says so.
    """

    way: Way
    answer: str
    before: str = ""
    after: str = ""
    place: int = -1
    why: str = ""

    @property
    def changed(self) -> bool:
        return self.place >= 0


def change_number(answer: str, seed: int = 0) -> Broken:
    """`answer` with one number changed; numbers in citation marks, names and formulas stay."""
    random = _random("number", answer, seed)
    marks, stated = marks_in(answer), {quantity.numeral[0] for quantity in quantities(answer)}
    found = [*_FIGURE.finditer(answer), *_SPELLED_OUT.finditer(answer)]
    places = [m for m in found if m.start() in stated and not any(mark.start <= m.start() < mark.end for mark in marks)]
    if not places:
        return Broken(way="number", answer=answer, why="The answer holds no number that could be changed.")
    place = random.choice(sorted(places, key=lambda m: m.start()))
    return _with("number", answer, place.span(), _other_number(place.group(), random))


def negate(answer: str, seed: int = 0) -> Broken:
    """`answer` with one sentence saying the opposite."""
    random = _random("negation", answer, seed)
    for sentence in random.sample(stated := _stated(answer), len(stated)):
        if found := negated(sentence.group()):
            (first, last), new = found
            return _with("negation", answer, (sentence.start() + first, sentence.start() + last), new)
    return Broken(way="negation", answer=answer, why="The answer holds no sentence that could be negated.")


def swap_name(answer: str, passages: Sequence[Passage], seed: int = 0) -> Broken:
    """`answer` with one name, or one term, in the place of which stands another of `passages`.

    Another that stands in the same passage, and behind the same word, is taken before any other.
    """
    random = _random("name", answer, seed)
    texts = [p.text for p in passages]
    for find in (proper_names, named_terms):
        known = sorted(find(" ".join(texts)))
        places = [(place, rivals) for place in _standing(known, answer) if (rivals := _rivals(place, known, answer))]
        if places:
            (first, last, name), rivals = random.choice(places)
            before = answer[:first].split()[-1:]
            new = _cased(_closest(name, rivals, before, texts, random), answer[first:last])
            return _with("name", answer, (first, last), new)
    return Broken(way="name", answer=answer, why="The answer holds no name that the passages could swap for another.")


def drop_citation(answer: str, seed: int = 0) -> Broken:
    """`answer` without one of its citation marks such as [2]."""
    marks = marks_in(answer)
    if not marks:
        return Broken(way="citation", answer=answer, why="The answer holds no citation mark such as [1].")
    mark = _random("citation", answer, seed).choice(marks)
    return _with("citation", answer, (mark.start, mark.end), "")


WAYS: Mapping[Way, Callable[[str, Sequence[Passage], int], Broken]] = {
    "number": lambda answer, _, seed: change_number(answer, seed),
    "negation": lambda answer, _, seed: negate(answer, seed),
    "name": swap_name,
    "citation": lambda answer, _, seed: drop_citation(answer, seed),
}
"""Every way of breaking an answer: (answer, passages, seed) to what came of it."""


def altered(rows: Iterable[Mapping[str, Any]], passages: Sequence[Passage], seed: int = 0) -> list[dict[str, Any]]:
    """The supported answers of a bank, each broken in every way that changes what it says: rows that expect "altered".

    Names come from the passages of the row's document when they are among `passages`, else from all. A dropped
    citation makes no answer false, and is left out. "facts" holds the changed words with those beside them.
    """
    found = []
    for row in rows:
        if row.get("expected") == "supported" and row.get("answer"):
            near = [p for p in passages if p.document == row.get("document")] or passages
            broken = [WAYS[way](row["answer"], near, seed) for way in WAYS if way != "citation"]
            found += [_altered_row(row, b) for b in broken if b.changed]
    return found


def _altered_row(row: Mapping[str, Any], broken: Broken) -> dict[str, Any]:
    id_ = f"{row.get('id') or row['query']}-{broken.way}"
    return {
        **row, "id": id_, "pair": row.get("pair") or row.get("id") or row["query"], "kind": "pair",
        "alteration": broken.way, "expected": "altered", "facts": [_about(broken)], "answer": broken.answer,
    }  # fmt: skip


def _about(broken: Broken) -> str:
    """The changed words of an answer with the word before and two behind, so that they tell the false from the true."""
    words = [m.span() for m in re.finditer(r"\S+", broken.answer)]
    end = broken.place + len(broken.after)
    first = sum(last <= broken.place for _, last in words)
    behind = sum(start < max(end, broken.place + 1) for start, _ in words)
    return broken.answer[words[max(0, first - 1)][0] : words[min(len(words), behind + 2) - 1][1]]


def _random(way: Way, answer: str, seed: int) -> Random:
    return Random(f"{way} {seed} {answer}")


def _with(way: Way, answer: str, span: tuple[int, int], new: str) -> Broken:
    first, last = span
    return Broken(
        way=way, answer=answer[:first] + new + answer[last:], before=answer[first:last], after=new, place=first
    )


def _other_number(found: str, random: Random) -> str:
    """Another number, written as `found` is; a year stays near."""
    if not found[0].isdigit():
        place = _SPELLED.index(found.lower())
        near = _SPELLED[max(0, place - _NEAR) : place] + _SPELLED[place + 1 : place + 1 + _NEAR]
        return _cased(random.choice(near), found)
    value, decimals = float(found.replace(",", "")), len(found.partition(".")[2])
    if found.isdigit() and 1000 <= value <= 2100:
        return str(int(value) + random.choice((-1, 1)) * random.choice(_YEARS))
    others = {round(value * f, decimals) for f in _FACTORS} - {0.0, value} or {value + random.randint(1, 9)}
    new = random.choice(sorted(others))
    return f"{new:,.{decimals}f}" if "," in found else f"{new:.{decimals}f}"


def _stated(answer: str) -> list[re.Match[str]]:
    """The sentences of `answer` that state something, where they stand."""
    found = (re.search(r"\s+".join(map(re.escape, s.split())), answer) for s in sentences(answer))
    return [m for m in found if m and len(m.group().split()) > 2 and not without_marks(m.group()).endswith("?")]


def _standing(names: Iterable[str], answer: str) -> list[tuple[int, int, str]]:
    """Where names stand in `answer`, from the left; of names within names only the longest."""
    found: list[tuple[int, int, str]] = []
    for name in sorted(names, key=len, reverse=True):
        for m in re.finditer(rf"(?<![\w-])(?i:{re.escape(name[0])}){re.escape(name[1:])}(?![\w-])", answer):
            if not any(a < m.end() and m.start() < b for a, b, _ in found):
                found.append((m.start(), m.end(), name))
    return sorted(found)


def _rivals(place: tuple[int, int, str], known: Iterable[str], answer: str) -> list[str]:
    """Names that may stand for the one at `place`: of as many words, and nowhere in the answer yet."""
    parts = place[2].lower().split()
    alike = [k for k in known if len(k.split()) == len(parts) and not set(parts) & set(k.lower().split())]
    return [k for k in alike if not holds(answer, k)]


def _closest(name: str, rivals: Sequence[str], before: Sequence[str], texts: Sequence[str], random: Random) -> str:
    """One of `rivals`: of those in a passage with `name`, else of all; of these, behind the same word if there are."""
    near = " ".join(t for t in texts if holds(t, name))
    nearby = [r for r in rivals if holds(near, r)] or list(rivals)
    whole = " ".join(texts).lower()
    alike = [r for r in nearby if before and f" {before[0].lower()} {r.lower()}" in whole]
    return random.choice(alike or nearby)


def _cased(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
