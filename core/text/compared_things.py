"""Comparisons and superlatives of a question, and whether an answer speaks of the same things and of the same whole."""

import re
from collections.abc import Iterator
from itertools import pairwise

from core.text.unmet import Unmet
from core.text.words import STOPWORDS, content, words

_COMPARES = re.compile(
    r"\b(?:which|who|whose|what|where|between)\b|\b(?:more|less|fewer|better|worse|larger|\w{2,}er)\b", re.IGNORECASE
)
_COMPARATIVE = (
    r"(?:more|less|fewer|better|worse|(?!other|never|either|whether|matter|water|number|under|over|after|river|power|paper)"
    r"\w{2,}er)"
)
_SIDE = r"(?:[\w’'-]+\s+){0,3}[\w’'-]+"
_CHOICE = re.compile(
    rf"(?:[,:–-]|\b(?:is|are|was|were|of|the)\b)\s*(?P<one>{_SIDE})\s*,?\s+or\s+(?P<other>{_SIDE})\s*[?.]?\s*$", re.I
)
_BETWEEN = re.compile(rf"\bbetween\s+(?P<one>{_SIDE})\s+and\s+(?P<other>{_SIDE})\s*[,?]", re.IGNORECASE)
_WEIGHS = re.compile(rf"\b(?:than|both|whereas|while|but|unlike|equal|equally|same|{_COMPARATIVE})\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\b(?:(?:most|least)(?=\s+(?!of\b|people\b)[a-z])|first|(?!interest|honest|modest|request|protest|contest|harvest|suggest|digest|manifest"
    r"|forest|arrest|southwest|northwest|conquest|west|rest|test|guest|invest|nearest)[a-z]{3,}est|best|worst)\b",
    re.IGNORECASE,
)
_ALIKE = (
    "largest biggest greatest maximum", "highest tallest maximum topmost top", "first earliest", "lowest minimum",
    "smallest minimum least", "oldest earliest first eldest", "longest maximum", "shortest minimum",
    "latest newest recent last",
)  # fmt: skip
_LATER = re.compile(r"\b(?:another|second|later)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:of (?:all|the)|in (?:the )?|among (?:all |the )?|on (?:the )?)(?P<whole>[^,.;:?!]{1,60})")


def unmet_comparison(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The side of a comparison that the answer does not name, unless it compares; with what else it speaks of where
    it is an extreme of other things."""
    sides = compared(question)
    held = set(content(said))
    lost = [side for side in sides if not held & _own_words(side, sides)]
    if not sides or not lost:
        return
    extreme = _SUPERLATIVE.search(answer)
    if len(lost) < len(sides) and (extreme is None and _WEIGHS.search(answer)):
        return
    other = f"the {answer[extreme.start() :].split('.')[0]}" if extreme and len(lost) == 1 else ""
    for side in lost:
        yield Unmet(kind="comparison", condition=side, rival=other)


def compared(question: str) -> tuple[str, ...]:
    """The two things between which a question wants a choice; none where it wants none."""
    found = _BETWEEN.search(question)
    if not found and (found := _CHOICE.search(question)) and not _COMPARES.search(question[: found.start("one")]):
        found = None
    sides = tuple(_bare(found[n]) for n in ("one", "other")) if found else ()
    return sides if all(content(s) for s in sides) else ()


def _bare(side: str) -> str:
    return re.sub(r"^(?:the|an?|is|are|was|were|in|at|of)\s+", "", side.strip(), flags=re.IGNORECASE)


def _own_words(side: str, sides: tuple[str, ...]) -> set[str]:
    """The stems by which a side is known from the other one."""
    shared = set.intersection(*(set(content(s)) for s in sides))
    return set(content(side)) - shared or set(content(side))


def unmet_superlatives(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The extremes that the question asks for and the answer does not state, or states of a smaller whole."""
    asked, held = set(content(question)), set(words(said))
    extremes = {found.group().lower(): found for found in reversed([*_SUPERLATIVE.finditer(question)])}
    for word, found in extremes.items():
        alike = {word}.union(*(row.split() for row in _ALIKE if word in row.split()))
        if not alike & held:
            later = _LATER.search(answer) if word == "first" else None
            yield Unmet(kind="superlative", condition=word, rival=later.group() if later else "")
        elif narrower := _narrower(question, found.end(), answer, alike, asked):
            yield Unmet(kind="superlative", condition=f"{word}{question[found.end() :]}".rstrip(" ?."), rival=narrower)


def _narrower(question: str, place: int, answer: str, alike: set[str], asked: set[str]) -> str:
    """The whole over which the answer states its extreme, where it is not the one asked about; "" otherwise.

    Narrower is "of the peninsular rivers" for "the longest river", or "in Asia" for "in the world": a noun of the
    question with another word before it, or a whole of which the question names another.
    """
    extreme = re.search(rf"\b(?:{'|'.join(alike)})\b", answer, re.IGNORECASE)
    if not extreme:
        return ""
    clause = re.split(r"[,.;:?!]|\b(?:which|that|and|is|was|are)\b", answer[extreme.end() :], maxsplit=1)[0]
    its = [w for w in words(clause) if w not in STOPWORDS]
    for before, noun in pairwise(its):
        stems = set(content(before)), set(content(noun))
        if stems[1] & asked and not stems[0] & asked and _is_head(question, place, stems[1]):
            return f"{extreme.group()}{clause}".strip()
    wanted, given = _WHOLE.search(question, place), _WHOLE.search(clause)
    if wanted and given and not set(content(wanted["whole"])) & set(content(clause)):
        return f"{extreme.group()}{clause}".strip()
    return ""


def _is_head(question: str, place: int, noun: set[str]) -> bool:
    """True where `noun` is what the extreme of the question is said of."""
    return bool(noun & set(content(" ".join(question[place:].split()[:2]))))
