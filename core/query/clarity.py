"""How clearly a question says what it asks about, and what the library could take it to mean."""

import re
from collections.abc import Collection

from core.case import Case, Passage, Question
from core.domains import Domain
from core.query.turn import last_answer
from core.text.quantities import numbers
from core.text.small_talk import in_lexicon
from core.text.words import content, stem

_POINTS = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|he|she|one|ones|others?|same|such)\b"
    r"|^\W*(?:and |so )?which (?:ones? )?(?:is|are|was|of)\b|\bthe (?:first|second|third|last|next|previous)\b"
)
"""Words that stand for something said elsewhere; "which is" leaves open between what."""
_ASKS = re.compile(
    r"\b(?:what|who|whom|whose|where|when|why|how|which|is|are|was|were|do|does|did|can|could|will|would|should|has|have"
    r"|explain|define|describe|name|list|give|state|find|calculate|compare|solve|write|show|draw|prove)\b"
)
MEANINGS = 3
"""Most things that a question back names."""


def clarity(case: Case, domain: Domain) -> float:
    """How much of what a question needs it says, in [0, 1].

    One word of a subject is enough where a question is asked about it. Two are needed where it only names a word
    ("salts") or points at something ("how is it made?"); a lone word is clear all the same when the passages that
    hold it stand in one section. What an earlier turn named counts too.
    """
    text = " ".join(case.question.query.lower().replace("’", "'").split())
    points, asks = bool(_POINTS.search(text)), bool(_ASKS.search(text))
    named = set(_named(text, domain)) | (_earlier(case.question, domain) if points else set())
    said = min(1.0, len(named) / (1 if asks and not points else 2))
    return max(said, 1 / max(1, len(_sections(case, named)))) if named and not points else said


def meanings(case: Case, domain: Domain) -> tuple[str, ...]:
    """What the library could take the question to mean: the sections of the passages found, those that name it first.

    At most MEANINGS; () when nothing was found.
    """
    named = _named(case.question.query.lower(), domain)
    close = _holding(case, named) or case.passages
    return tuple(dict.fromkeys(title for p in close if (title := _title(p, domain))))[:MEANINGS]


def _named(text: str, domain: Domain) -> list[str]:
    """The stems that name something: no pointing words, no requests, no counts ("two"); "2.1" may be a table's name."""
    empty = in_lexicon("pointing") | in_lexicon("request") | in_lexicon("courtesy") | {stem(w) for w in domain.pointing}
    counts = {stem(n) for n in numbers(text) if n.isalpha()}
    return [w for w in content(text) if w not in empty | counts and (len(w) > 1 or w.isdigit())]


def _earlier(question: Question, domain: Domain) -> set[str]:
    """What the person's and the assistant's last turns name."""
    asked = next((t.text for t in reversed(question.history) if t.role == "user"), "")
    return set(_named(f"{asked} {last_answer(question)}".lower(), domain))


def _sections(case: Case, named: Collection[str]) -> list[str]:
    """The sections, else documents, of the passages found that hold one of `named`, in their order."""
    return list(dict.fromkeys(p.section or p.document for p in _holding(case, named) if p.section or p.document))


def _holding(case: Case, named: Collection[str]) -> tuple[Passage, ...]:
    return tuple(p for p in case.passages if set(named) & set(content(f"{p.section} {p.text}")))


def _title(passage: Passage, domain: Domain) -> str:
    """What a passage is about: its section, or its chapter where "Example 1" or "Summary" says nothing of it."""
    numbered = {stem(word) for words in domain.numbered for word in words.split("|")}
    titles = (passage.section, passage.chapter, passage.document)
    return next((t for t in titles if any(w.isalpha() and w not in numbered for w in _named(t.lower(), domain))), "")
