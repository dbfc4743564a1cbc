"""Better questions: of what the books define, what is near a question without an answer, as a person would ask it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.case import Passage, Scope
from core.text.verifiable_facts import defined, proper_names
from core.text.words import STOPWORDS, content

SHOWN = 3
_NEAR = 0.27
"""Least mean of two cosines of a question that is offered: with what was asked, of itself and of what answers it."""
_ON_TOPIC = 0.4
"""Least cosine of the question with a passage of its topic; with less there is no topic to offer anything of."""
_SEARCHED = 30
"""Passages whose questions are looked at."""
_WHOLE = re.compile(r"^[\"“‘(]?[A-Z0-9].*[.!]\W*$", re.DOTALL)
"""A sentence from its beginning to its end; what a line broke off defines nothing."""
_POINTS_BACK = re.compile(
    r"^(?:\W*(?:\w+,|similarly|thus|hence|so|here|also|therefore)\s+)*"
    r"(?:this|that|these|those|it|they|such|he|she|both|the (?:above|same|process|reaction|former|latter))\b",
    re.IGNORECASE,
)
"""Opens a sentence that says its meaning only together with the one before it."""
_TITLE = re.compile(r"[A-Za-z]{3,}(?:[ -][A-Za-z]{2,}){0,3}")
_SECTION_NUMBER = re.compile(r"^[\d.]+\s+")
_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_INSIDE = frozenset(("of", "to"))
"""Small words that may stand inside a term: "marginal propensity to consume"."""
_NO_TERM = frozenset(
    """above activity aim answer appendix case cases chapter conclusion contents example examples exercise
    exercises fact figure first following given glossary hence history idea important index introduction last
    latter main many matter need next none nothing number object one optional other others overview part people
    place point present problem purpose question reason result same second since so-called something summary
    table task thing things third time total type types way ways whatever whether""".split()
)
"""Words that no term is made of: they point at something, count it or ask it."""
_QUALITY = re.compile(r"(?:able|ible|ous|ful|less|ed|ive)$")
"""Ends a word that says how something is, not what."""
_PLURAL = re.compile(r"(?:[^su]s|us|ae|[rt]ia|[gn]i|ena|ta|children|people)$")


def questions_of(passage: Passage) -> list[str]:
    """Questions that a passage defines the answer to: "What is photosynthesis?"."""
    return list(dict.fromkeys(question for question, _, _ in definitions_of(passage)))


def definitions_of(passage: Passage) -> Iterator[tuple[str, str, int]]:
    """The question that each definition answers, its term, and the place of its sentence in the passage."""
    for place, sentence in enumerate(passage.sentences if passage.tells else ()):
        if not _WHOLE.match(sentence) or _POINTS_BACK.match(sentence):
            continue
        for verb, said in defined(sentence):
            if term := _term(said, sentence, passage.text):
                yield f"What {_verb(verb, term)} {term}?", term, place


def _term(said: str, sentence: str, text: str) -> str:
    """What a definition gives, with the article and the capital letters that `text` has it with; "" for no noun phrase.

    said: the term as `defined` reads it, without "the", its first letter small.
    """
    term = re.sub(r"^as ", "", said)
    bare = _ARTICLE.sub("", term)
    if not _is_noun_phrase(bare):
        return ""
    named = next((name for name in proper_names(text) if name.lower() == bare.lower()), "")
    if named:
        return f"the {named}" if re.search(rf"\b[Tt]he {re.escape(named)}\b", sentence) else named
    return term if term != bare else _with_article(bare, sentence)


def _with_article(term: str, text: str) -> str:
    """`term` with the article that `text` has before it, "a" before "the", or without one."""
    article = next((a for a in ("a", "an", "the") if re.search(rf"\b{a} {re.escape(term)}\b", text)), "")
    return f"{article} {term}".strip()


def _is_noun_phrase(term: str) -> bool:
    """Is `term`, without an article, a noun phrase that can be asked about, as far as its words tell?"""
    parts = term.lower().split()
    inner, ends = parts[1:-1], {parts[0], parts[-1]} if parts else {""}
    small = STOPWORDS | _NO_TERM
    if not parts or ends & (small | _INSIDE) or any(w in small - _INSIDE for w in inner):
        return False
    if set(parts) & _NO_TERM or min(map(len, parts)) < 2 or len(parts[-1]) < 3:
        return False
    return not _QUALITY.search(parts[-1])


def _verb(verb: str, term: str) -> str:
    """ "are" only before a plural: of "such sounds are called noise" the question is "What is noise?"."""
    head = term.split(" of ")[0]
    return verb if verb == "is" or _PLURAL.search(head) else "is"


IsAnswerable = Callable[[str, np.ndarray, Scope], bool]
"""Would a question be answered within a scope? Asked with the vector of the question."""


def suggestions(
    query: str, retriever: Any, scope: Scope, topic: str, is_answerable: IsAnswerable, count: int = SHOWN
) -> tuple[str, ...]:
    """Up to `count` questions near `query` that can be answered within `scope`, the nearest first; () for none near.

    topic: the document whose passage answers `query` best; what another one defines is of another topic.
    """
    embed = retriever.models.embedder.encode
    vector, where = embed([query])[0], replace(scope, documents=(topic,))
    found = retriever.library.nearest(vector, _SEARCHED, where)
    if not found or found[0][1] < _ON_TOPIC:
        return ()
    near = _near(query, found)
    if not near:
        return ()
    vectors = embed(list(near))
    closeness = (vectors @ vector + np.array(list(near.values()))) / 2
    offered: list[str] = []
    for n in np.argsort(-closeness, kind="stable"):
        if closeness[n] < _NEAR or len(offered) == count:
            break
        question = list(near)[n]
        if not any(_same_thing(question, other) for other in offered) and is_answerable(question, vectors[n], scope):
            offered.append(question)
    return tuple(offered)


def _near(query: str, found: Sequence[tuple[Passage, float]]) -> dict[str, float]:
    """The questions of these passages that are not `query`, each with the cosine of the nearest passage behind it."""
    return {
        question: cosine
        for passage, cosine in reversed(found)
        for question in (*questions_of(passage), *_question_of_heading(passage))
        if content(question) != content(query)
    }


def _question_of_heading(passage: Passage) -> list[str]:
    """The question after what the heading of a passage names, where the passage names it too; [] for any other."""
    title = _SECTION_NUMBER.sub("", passage.section).strip()
    bare = title.lower()
    if not _TITLE.fullmatch(title) or not _is_noun_phrase(bare) or bare.split()[0].endswith("ing"):
        return []
    if not re.search(rf"\b{re.escape(bare)}\b", passage.text):
        return []
    return [f"What {_verb('are', bare)} {_with_article(bare, passage.text)}?"]


def _same_thing(one: str, other: str) -> bool:
    """Does one of two questions only add words to the head of the other: "corrosion", "corrosion of iron"?"""
    return _head(one) == _head(other) and (
        set(content(one)) <= set(content(other)) or set(content(other)) <= set(content(one))
    )


def _head(question: str) -> str:
    """The stem of the noun that a question "What is ...?" is about."""
    return content(question.partition(" of ")[0])[-1]
