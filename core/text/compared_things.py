"""The comparisons and superlatives of a question, and whether an answer meets them: the same things, the same whole."""

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


def unmet_comparison(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The sides of a comparison that `text` (answer and context) does not name.

    Nothing is unmet if the answer itself compares. If only one side is missing, its rival is the superlative that the
    answer states instead.
    """
    sides = _choices_of(question)
    stems = set(content(text))
    missing = [side for side in sides if not stems & _own_words(side, sides)]
    if not sides or not missing:
        return
    extreme = _SUPERLATIVE.search(answer)
    if len(missing) < len(sides) and (extreme is None and _WEIGHS.search(answer)):
        return
    other = f"the {answer[extreme.start() :].split('.')[0]}" if extreme and len(missing) == 1 else ""
    for side in missing:
        yield Unmet(kind="comparison", condition=side, rival=other)


def _choices_of(question: str) -> tuple[str, ...]:
    """The two things between which a question asks for a choice; () if it asks for none."""
    match = _BETWEEN.search(question)
    if not match and (match := _CHOICE.search(question)) and not _COMPARES.search(question[: match.start("one")]):
        return ()
    sides = tuple(_bare(match[n]) for n in ("one", "other")) if match else ()
    return sides if all(content(s) for s in sides) else ()


def _bare(side: str) -> str:
    return re.sub(r"^(?:the|an?|is|are|was|were|in|at|of)\s+", "", side.strip(), flags=re.IGNORECASE)


def _own_words(side: str, sides: tuple[str, ...]) -> set[str]:
    """The stems that only this side has; all its stems if it has none of its own."""
    shared = set.intersection(*(set(content(s)) for s in sides))
    return set(content(side)) - shared or set(content(side))


def unmet_superlatives(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The superlatives of the question that the answer does not state, or states of a smaller whole. text: answer and
    context."""
    question_stems, text_words = set(content(question)), set(words(text))
    extremes = {match.group().lower(): match for match in reversed([*_SUPERLATIVE.finditer(question)])}
    for word, match in extremes.items():
        synonyms = {word}.union(*(row.split() for row in _ALIKE if word in row.split()))
        if not synonyms & text_words:
            later = _LATER.search(answer) if word == "first" else None
            yield Unmet(kind="superlative", condition=word, rival=later.group() if later else "")
        elif narrower := _narrower(question, match.end(), answer, synonyms, question_stems):
            yield Unmet(kind="superlative", condition=f"{word}{question[match.end() :]}".rstrip(" ?."), rival=narrower)


def _narrower(question: str, position: int, answer: str, synonyms: set[str], question_stems: set[str]) -> str:
    """The superlative of the answer with its whole, if that is not the whole of the question; "" otherwise.

    Examples: "of the peninsular rivers" for "the longest river", "in Asia" for "in the world". The answer then adds a
    word before a noun of the question, or names another whole. position: the end of the superlative in `question`.
    """
    extreme = re.search(rf"\b(?:{'|'.join(synonyms)})\b", answer, re.IGNORECASE)
    if not extreme:
        return ""
    clause = re.split(r"[,.;:?!]|\b(?:which|that|and|is|was|are)\b", answer[extreme.end() :], maxsplit=1)[0]
    its = [w for w in words(clause) if w not in STOPWORDS]
    heads = set(content(" ".join(question[position:].split()[:2])))  # one of the two words behind the superlative
    for before, noun in pairwise(its):
        stems = set(content(before)), set(content(noun))
        if stems[1] & question_stems and not stems[0] & question_stems and heads & stems[1]:
            return f"{extreme.group()}{clause}".strip()
    question_whole, answer_whole = _WHOLE.search(question, position), _WHOLE.search(clause)
    if question_whole and answer_whole and not set(content(question_whole["whole"])) & set(content(clause)):
        return f"{extreme.group()}{clause}".strip()
    return ""
