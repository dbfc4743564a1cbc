"""Suggests better questions for one without an answer: those that a definition in the books answers, closest first."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.case import Passage, Scope
from core.retrieval.refinement import heading
from core.text.answer_sentences import leans
from core.text.questions import bare
from core.text.verifiable_facts import definitions, proper_names
from core.text.words import STOPWORDS, content

MAX_SUGGESTIONS = 3
_NEAR = 0.27
"""Smallest closeness of a suggestion: mean of its cosine with the question and of the question's with the passage."""
_ON_TOPIC = 0.4
"""Smallest cosine of the question with a passage of its topic; below it nothing is suggested."""
_CANDIDATE_COUNT = 30
"""Number of passages whose questions are considered."""
_TRIED = 6
"""Maximum number of suggestions that are tested for an off-topic question; each test runs a model."""
_WHOLE = re.compile(r"^[\"“‘(]?[A-Z0-9].*[.!]\W*$", re.DOTALL)
"""A complete sentence; definitions are read from no other."""
_TITLE = re.compile(r"[A-Za-z]{3,}(?:[ -][A-Za-z]{2,}){0,3}")
_INSIDE = frozenset(("of", "to"))
"""Stopwords that may be inside a term: "marginal propensity to consume"."""
_NO_TERM = frozenset(
    """above activity aim answer appendix case cases chapter conclusion contents example examples exercise
    exercises fact figure first following given glossary hence history idea important index introduction last
    latter main many matter need next none nothing number object one optional other others overview part people
    place point present problem purpose question reason result same second since so-called something summary
    table task thing things third time total type types way ways whatever whether""".split()
)
"""Words that occur in no term: they point at something, count it or ask for it."""
_QUALITY = re.compile(r"(?:able|ible|ous|ful|less|ed|ive)$")
"""End of a word that describes a quality, not a thing."""
_PLURAL = re.compile(r"(?:[^su]s|us|ae|[rt]ia|[gn]i|ena|ta|children|people)$")


def questions_of(passage: Passage) -> list[str]:
    """The questions that a definition in a passage answers, such as "What is photosynthesis?" or "What are salts?"."""
    return list(dict.fromkeys(question for question, _, _ in definitions_of(passage)))


def definitions_of(passage: Passage) -> Iterator[tuple[str, str, int]]:
    """Yield for each definition its question, its term, and the index of its sentence in the passage."""
    for index, sentence in enumerate(passage.sentences if passage.tells else ()):
        if not _WHOLE.match(sentence) or leans(sentence):
            continue
        for verb, defined_term in definitions(sentence):
            if term := _term(defined_term, sentence, passage.text):
                yield f"What {_verb(verb, term)} {term}?", term, index


def _term(mention: str, sentence: str, text: str) -> str:
    """The term of a definition with the article and the capitals that `text` uses; "" if it is no noun phrase.

    mention: the term from `definitions`, without "the", with a small first letter.
    """
    term = re.sub(r"^as ", "", mention)
    term_alone = bare(term)
    if not _is_noun_phrase(term_alone):
        return ""
    name_ = next((name for name in proper_names(text) if name.lower() == term_alone.lower()), "")
    if name_:
        return f"the {name_}" if re.search(rf"\b[Tt]he {re.escape(name_)}\b", sentence) else name_
    return term if term != term_alone else _with_article(term_alone, sentence)


def _with_article(term: str, text: str) -> str:
    """`term` with the article that `text` uses with it, "a" before "the", or without one."""
    article = next((a for a in ("a", "an", "the") if re.search(rf"\b{a} {re.escape(term)}\b", text)), "")
    return f"{article} {term}".strip()


def _is_noun_phrase(term: str) -> bool:
    """True if the words of `term`, without an article, can form a noun phrase that a question can be about."""
    parts = term.lower().split()
    inner, ends = parts[1:-1], {parts[0], parts[-1]} if parts else {""}
    small = STOPWORDS | _NO_TERM
    if not parts or ends & (small | _INSIDE) or any(w in small - _INSIDE for w in inner):
        return False
    if set(parts) & _NO_TERM or min(map(len, parts)) < 2 or len(parts[-1]) < 3:
        return False
    return not _QUALITY.search(parts[-1])


def _verb(verb: str, term: str) -> str:
    """The verb of a question: "are" only before a plural. So "such sounds are called noise" gives "What is noise?"
    too.
    """
    head = term.split(" of ")[0]
    return verb if verb == "is" or _PLURAL.search(head) else "is"


IsAnswerable = Callable[[str, np.ndarray, Scope], bool]
"""A function that returns True if a question would be answered within a scope. The array is its embedding, (d,)."""


def suggestions(query: str, retriever: Any, scope: Scope, topic: str, is_answerable: IsAnswerable) -> tuple[str, ...]:
    """At most MAX_SUGGESTIONS questions close to `query` that can be answered within `scope`, closest first; () if none
    is close.

    topic: the document of the passage that answers `query` best; suggestions come from this document only. If it is "",
    the question is off topic: suggestions come from any document, and need not be close.
    """
    embed = retriever.models.embedder.encode
    is_off_topic = not topic
    vector, topic_scope = embed([query])[0], scope if is_off_topic else replace(scope, documents=(topic,))
    topic_passages = retriever.library.nearest(vector, _CANDIDATE_COUNT, topic_scope)
    if not topic_passages or (topic_passages[0][1] < _ON_TOPIC and not is_off_topic):
        return ()
    near = _near(query, topic_passages)
    if not near:
        return ()
    vectors = embed(list(near))
    closeness = (vectors @ vector + np.array(list(near.values()))) / 2
    questions: list[str] = []
    for n in np.argsort(-closeness, kind="stable")[: _TRIED if is_off_topic else None]:
        if len(questions) == MAX_SUGGESTIONS or (closeness[n] < _NEAR and not is_off_topic):
            break
        question = list(near)[n]
        if not any(_same_thing(question, other) for other in questions) and is_answerable(question, vectors[n], scope):
            questions.append(question)
    return tuple(questions)


def _near(query: str, passages_: Sequence[tuple[Passage, float]]) -> dict[str, float]:
    """Questions from these passages other than `query`, each with the cosine of the closest passage that has it."""
    return {
        question: cosine
        for passage, cosine in reversed(passages_)
        for question in (*questions_of(passage), *_question_of_heading(passage))
        if content(question) != content(query)
    }


def _question_of_heading(passage: Passage) -> list[str]:
    """The question about what a passage's heading names, if the passage names it too; else an empty list."""
    title = heading(passage)
    bare = title.lower()
    if not _TITLE.fullmatch(title) or not _is_noun_phrase(bare) or bare.split()[0].endswith("ing"):
        return []
    if not re.search(rf"\b{re.escape(bare)}\b", passage.text):
        return []
    return [f"What {_verb('are', bare)} {_with_article(bare, passage.text)}?"]


def _same_thing(one: str, other: str) -> bool:
    """True if one of two questions only adds words to the noun of the other: "corrosion", "corrosion of iron"."""
    heads = [content(question.partition(" of ")[0])[-1] for question in (one, other)]
    some, others = set(content(one)), set(content(other))
    return heads[0] == heads[1] and (some <= others or others <= some)
