"""The vocabulary of one library, and the correction of a question's spelling by it."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property

from spellchecker import SpellChecker

from core.case import Passage
from core.text.verifiable_facts import definitions, named_terms, proper_names
from core.text.words import STOPWORDS, content, frequency, one_spelling, stem, words

_EDGE = " | "
"""Separates two sentences, so that no phrase matches across their border."""


class LibraryVocabulary:
    """Lookups in the passages of a library. Each table is computed once, when it is first needed."""

    def __init__(self, passages: Iterable[Passage], earlier: "LibraryVocabulary | None" = None) -> None:
        """earlier: the vocabulary before a change of the library; what it read of a passage is not read again."""
        self.passages = tuple(passages)
        self._tables: dict[Callable[[Passage], str], dict[Hashable, str]] = dict(earlier._tables) if earlier else {}

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all content words."""
        return frozenset(stem for text in self._of_each(_stems).values() for stem in text.split())

    def stem_lists(self, passages: Sequence[Passage]) -> list[list[str]]:
        """The stems of the content words of each of these passages of the library, in their order."""
        text_by_key = self._of_each(_stems)
        return [text_by_key[_key(p)].split() for p in passages]

    def contains(self, stems: Sequence[str]) -> bool:
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
        return frozenset(term for text in self._of_each(_terms).values() for term in text.split(_EDGE) if term)

    def holds_number(self, kinds: str, number: str) -> bool:
        """True if the library has a numbered thing with this number, such as figure 2.1. kinds: the words for the
        thing, separated by a bar, such as "figure|fig"."""
        if re.search(rf"\b(?:{kinds})s?\.? {re.escape(number)}(?![\w.]*\d)", self._lower):
            return True
        numbers = self._known_numbers.get(kinds.split("|")[0], frozenset())
        return number in numbers or None in numbers

    @cached_property
    def _known_numbers(self) -> dict[str, frozenset[str | None]]:
        """For "class", "section" and "chapter", the numbers that the passages name. None is among the classes or the
        chapters if a passage has none; then no number can be ruled out."""
        classes = {str(p.class_number) if p.class_number else None for p in self.passages}
        sections = {p.section.split(" ")[0].rstrip(".") for p in self.passages}
        return {
            "class": frozenset(classes), "section": frozenset(sections),
            "chapter": frozenset(p.chapter or None for p in self.passages),
        }  # fmt: skip

    @cached_property
    def _folded(self) -> str:
        return f" {_EDGE.join(self._of_each(_folded).values())} "

    @cached_property
    def _plain(self) -> str:
        return f" {_EDGE.join(self._of_each(_plain).values())} "

    @cached_property
    def _lower(self) -> str:
        return "\n".join(f"{p.section}\n{' '.join(p.text.split())}" for p in self.passages).lower()

    def _of_each(self, read: Callable[[Passage], str]) -> dict[Hashable, str]:
        """The result of `read` for each distinct passage. It is a text, because lists of words need more memory."""
        known = self._tables.get(read, {})
        distinct = {_key(p): p for p in self.passages}
        found = {key: known[key] if key in known else read(p) for key, p in distinct.items()}
        self._tables[read] = found
        return found


def _key(passage: Passage) -> Hashable:
    return passage.sentences, passage.section


def _stems(passage: Passage) -> str:
    return " ".join(content(passage.text))


def _terms(passage: Passage) -> str:
    texts = {term for s in passage.sentences for _, term in definitions(s)}
    texts |= named_terms(passage.text) | proper_names(passage.text) | {passage.section}
    return _EDGE.join({" ".join(stems) for term in texts if (stems := content(term))})


def _folded(passage: Passage) -> str:
    return _EDGE.join(" ".join(content(t)) for t in (*passage.sentences, passage.section))


def _plain(passage: Passage) -> str:
    return " ".join(words(passage.text))


_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_]{3,40}(?![^\W_]|['’]t\b)")
"""A word of letters only: no part of a formula, and no half of "doesn't"."""
_QUESTION_WORDS = frozenset("how what when where which who why".split())
_IGNORED_WORDS = (
    STOPWORDS | _QUESTION_WORDS
    | frozenset(
        """calculate compare define describe difference different example examples explain following formula meaning
        mention""".split()
    )
)  # fmt: skip
"""Words in which people ask; no book needs to hold them."""
_SHORT, _LONG = 6, 9
"""Word lengths in letters. Up to _SHORT a word is similar to many others; from _LONG on it may have two slips."""
_ALIKE = 0.84
"""Least share of common letters (difflib) of a long word with two slips."""
_RARE = 1000
"""A word of three letters below this frequency may be a question word without one letter: "wat"."""
_INFLECTIONS = ("s", "ed", "ing", "ly")
_CHEMICAL_ENDING = re.compile(r"(?:ane|ene|yne|anol|anal|anone|ol|al|one|ate|ite|ide|ine|ase|ose)s?$")
"""Endings that distinguish substances, so that "methanol" never becomes "methanal"."""


class LibrarySpelling:
    """The spellings in the texts of a library. A slip is a typing error: a letter wrong, missing, added or swapped.

    Each table is computed once, when it is first needed.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    def correct(self, query: str) -> str:
        """Return `query` with misspelt words corrected.

        A word that the library or English knows stays, and so does one with several similar library words.
        """
        opens = re.match(r"\W*", query).end()
        return _LETTERS.sub(lambda m: self._correct(m.group(), m.start() == opens), query)

    def _correct(self, query_word: str, opens: bool) -> str:
        """The word meant by `query_word`, with its capital letter; `query_word` itself if there is none."""
        word, is_name = query_word.lower(), query_word[0].isupper()
        if query_word[1:] != word[1:] or word in self._counts or word in _IGNORED_WORDS:  # or an acronym or a symbol
            return query_word
        if len(word) == 3:  # it may be a question word without one letter
            without_one = (w for w in sorted(_QUESTION_WORDS) if any(w[:n] + w[n + 1 :] == word for n in range(len(w))))
            meant = next(without_one, "") if opens and frequency(word) < _RARE else ""
        else:
            meant = self._variants.get(one_spelling(word), "")
            root = stem(word) if word.endswith(_INFLECTIONS) else ""
            is_english = any(map(frequency, (word, one_spelling(word)))) or (len(root) > 3 and frequency(root) > 0)
            meant = meant or ("" if is_english else self._nearest(word, is_name and not opens))
        return (meant.capitalize() if is_name else meant) or query_word

    def _nearest(self, word: str, is_name: bool) -> str:
        """The library word that is one slip from `word`, or two if it is long: the likeliest slip, then the most
        frequent word. "" if there is none, and for a short word if several are as likely. is_name: True if `word` is
        written as a name.
        """
        near_words = self._speller.known(self._speller.edit_distance_1(word))
        near = [w for w in near_words if self._may_mean(word, w, is_name)]
        if not near and len(word) >= _LONG:
            alike = (w for w in get_close_matches(word, self._counts, cutoff=_ALIKE) if w[-1] == word[-1])
            near = [w for w in alike if self._may_mean(word, w, is_name)][:1]
        best = max((_likelihood(word, w) for w in near), default=None)
        near = [w for w in near if _likelihood(word, w) == best]
        if len(word) <= _SHORT and len({stem(w) for w in near}) > 1:
            return ""
        return max(near, key=lambda w: (w[0] == word[0], self._counts[w], w), default="")

    def _may_mean(self, word: str, candidate: str, is_name: bool) -> bool:
        """True if the user may have meant `candidate`, rather than a word that is not in the library."""
        is_swapped = sorted(word) == sorted(candidate)
        if len(candidate) < 4 or (word[0] != candidate[0] and not is_swapped and len(word) < _LONG - 1):
            return False
        if _CHEMICAL_ENDING.sub("", word) == _CHEMICAL_ENDING.sub("", candidate):
            return False
        if is_name and candidate not in self._names | _IGNORED_WORDS:
            return False  # an unknown name is no common word
        if candidate in self._names and not is_name and len(word) <= _SHORT:
            return False
        if len(word) > _SHORT or len(word) != len(candidate) or is_swapped:
            return True  # in a short word another letter often gives another word, another vowel less often
        return len(word) > 4 and candidate not in self._names and _skeleton(word) == _skeleton(candidate)

    @cached_property
    def _counts(self) -> Counter[str]:
        """Frequency in the library of each word of three letters or more, in lower case."""
        return Counter(word.lower() for text in self._texts for word in _LETTERS.findall(text))

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words that the library always capitalises, in lower case."""
        written = {word for text in self._texts for word in _LETTERS.findall(text)}
        return frozenset(word.lower() for word in written) - written

    @cached_property
    def _variants(self) -> dict[str, str]:
        """The library's word for each spelling in American English: "sulphur" for "sulfur"."""
        return {one_spelling(word): word for word, _ in reversed(self._counts.most_common()) if len(word) > 3}

    @cached_property
    def _speller(self) -> SpellChecker:
        speller = SpellChecker(language=None)
        speller.word_frequency.load_json(self._counts | Counter(_IGNORED_WORDS))
        return speller


def _likelihood(word: str, candidate: str) -> tuple[bool, bool]:
    """How likely it is to type `word` for `candidate`: first swapped letters and one for two of a kind, then a letter
    that is missing.
    """
    is_likely = sorted(word) == sorted(candidate) or _single(word) == _single(candidate)
    return is_likely, len(candidate) > len(word)


def _single(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", word)


def _skeleton(word: str) -> str:
    return re.sub("[aeiouy]", "", word)
