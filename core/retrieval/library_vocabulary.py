"""What a library contains, to compare an answer with: words, phrases, terms and numbered things."""

import re
from collections.abc import Iterable
from functools import cached_property

from core.case import Passage
from core.text.verifiable_facts import defined, named_terms, proper_names
from core.text.words import content, words

_EDGE = " | "
"""Separates two sentences, so that no phrase matches across their border."""


class LibraryVocabulary:
    """Lookups in the passages of a library. Each table is computed once, when it is first needed."""

    def __init__(self, passages: Iterable[Passage], stems: frozenset[str] | None = None) -> None:
        """stems: of all words of the passages, if an index already has them."""
        self.passages, self._stems = tuple(passages), stems

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all content words."""
        return frozenset(w for p in self.passages for w in content(p.text)) if self._stems is None else self._stems

    def holds(self, stems: list[str]) -> bool:
        """True if these stems are side by side in a sentence or a heading."""
        return f" {' '.join(stems)} " in self._folded

    def holds_text(self, text: str) -> bool:
        """True if a passage holds `text`; case, signs and spaces are ignored."""
        return f" {' '.join(words(text))} " in self._plain

    def explains(self, text: str) -> bool:
        """True if `text` holds a term that the library defines, or a name that it mentions."""
        stems = f" {' '.join(content(text))} "
        return any(f" {term} " in stems for term in self.terms)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems, joined by spaces, of every defined or named term and of every heading."""
        texts = {term for p in self.passages for s in p.sentences for _, term in defined(s)}
        for passage in self.passages:
            texts |= named_terms(passage.text) | proper_names(passage.text) | {passage.section}
        return frozenset(" ".join(stems) for term in texts if (stems := content(term)))

    def holds_number(self, kinds: str, number: str) -> bool:
        """True if the library has such a numbered thing. kinds: its names, as in "figure|fig"."""
        if re.search(rf"\b(?:{kinds})s?\.? {re.escape(number)}(?![\w.]*\d)", self._lower):
            return True
        known = self._known_numbers.get(kinds.split("|")[0], frozenset())
        return number in known or None in known

    @cached_property
    def _known_numbers(self) -> dict[str, frozenset[str | None]]:
        """Numbers in the metadata of the documents; None among them if one lacks it, so that nothing can
        be ruled out.
        """
        classes = {str(p.class_number) if p.class_number else None for p in self.passages}
        sections = {p.section.split(" ")[0].rstrip(".") for p in self.passages}
        return {
            "class": frozenset(classes), "section": frozenset(sections),
            "chapter": frozenset(p.chapter or None for p in self.passages),
        }  # fmt: skip

    @cached_property
    def _folded(self) -> str:
        texts = dict.fromkeys(t for p in self.passages for t in (*p.sentences, p.section))
        return f" {_EDGE.join(' '.join(content(t)) for t in texts)} "

    @cached_property
    def _plain(self) -> str:
        return f" {_EDGE.join(' '.join(words(p.text)) for p in self.passages)} "

    @cached_property
    def _lower(self) -> str:
        return "\n".join(f"{p.section}\n{' '.join(p.text.split())}" for p in self.passages).lower()
