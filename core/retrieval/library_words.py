"""The vocabulary of one library, and the correction of a question's spelling by it."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
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
        return frozenset(stem for text in self._of_each(_stems) for stem in text.split())

    def contains(self, stems: list[str]) -> bool:
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
        return frozenset(term for text in self._of_each(_terms) for term in text.split(_EDGE) if term)

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
        return f" {_EDGE.join(self._of_each(_folded))} "

    @cached_property
    def _plain(self) -> str:
        return f" {_EDGE.join(self._of_each(_plain))} "

    @cached_property
    def _lower(self) -> str:
        return "\n".join(f"{p.section}\n{' '.join(p.text.split())}" for p in self.passages).lower()

    @cached_property
    def _distinct(self) -> dict[Hashable, Passage]:
        return {(p.sentences, p.section): p for p in self.passages}

    def _of_each(self, read: Callable[[Passage], str]) -> Iterable[str]:
        """The result of `read` for each distinct passage. It is a text, because sets of words need more memory."""
        known = self._tables.get(read, {})
        found = {key: known[key] if key in known else read(p) for key, p in self._distinct.items()}
        self._tables[read] = found
        return found.values()


def _stems(passage: Passage) -> str:
    return " ".join(dict.fromkeys(content(passage.text)))


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
_ASKING = frozenset(
    """calculate compare define describe difference different example examples explain following formula meaning
    mention""".split()
)
"""Words in which people ask, besides English stopwords; no book needs to hold them."""
_IGNORED_WORDS = STOPWORDS | _ASKING
_QUESTION_WORDS = frozenset("how what when where which who why".split())
_SHORT, _LONG, _LONGER = 6, 8, 9
"""Word lengths in letters.

Up to _SHORT a word is similar to many others; from _LONG on its first letter may be wrong; from _LONGER on it may have
two slips.
"""
_NEAR, _NEAR_ANYWHERE = 0.8, 0.88
"""Least share of common letters (difflib) of a word with two slips: with the same first letter, and with any."""
_INFLECTION = re.compile(r"(?:s|ed|ing|ly)$")
_OTHER_VOWEL, _OTHER_LETTER = 3, 4
"""Values of _slip for one wrong letter, a vowel for a vowel or any other, which often gives another real word."""
_RARE = 1000
"""A word of three letters below this frequency may be a question word without one letter: "wat"."""
_VOWELS = frozenset("aeiouy")
_CHEMICAL_ENDING = re.compile(r"(?P<root>.{2,}?)(?:ane|ene|yne|anol|anal|anone|ol|al|one|ate|ite|ide|ine|ase|ose)s?")
"""Endings that distinguish substances, so that "methanol" never becomes "methanal"."""


class LibrarySpelling:
    """The spellings in the texts of a library. A slip is a typing error: a letter wrong, missing, added or swapped.

    Each table is computed once, when it is first needed.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @cached_property
    def _all_words(self) -> tuple[str, ...]:
        """Every word of three letters or more, as written, once for each time it occurs."""
        return tuple(word for text in self._texts for word in _LETTERS.findall(text))

    def correct(self, query: str) -> str:
        """Return `query` with misspelt words corrected.

        A word that the library or English knows stays, and so does one with several similar library words.
        """
        opens = re.match(r"\W*", query).end()
        return _LETTERS.sub(lambda m: self._correct(m.group(), m.start() == opens), query)

    def _correct(self, query_word: str, opens: bool) -> str:
        """The word meant by `query_word`, with its capital letter; `query_word` itself if there is none."""
        word = query_word.lower()
        if query_word[1:] != word[1:]:  # an acronym or a symbol
            return query_word
        if len(word) == 3:
            correction = _question_word(word) if opens and word not in self._words else ""
        else:
            correction = "" if self._knows(word) else self._own_variant(word) or self._nearest(word, query_word != word)
        if not correction:
            return query_word
        return f"{correction[0].upper()}{correction[1:]}" if query_word[0].isupper() else correction

    def _knows(self, word: str) -> bool:
        """True if `word` is in the library, or is an ordinary English word that the library does not spell
        differently."""
        if word in self._words or word in _IGNORED_WORDS:
            return True
        if self._own_variant(word):
            return False
        root = stem(word) if _INFLECTION.search(word) else ""
        if len(root) > 3 and (root in self._stems or frequency(root)):
            return True
        return any(frequency(w) for w in (word, one_spelling(word)))

    def _own_variant(self, word: str) -> str:
        """The library's spelling of the same word, as "sulphur" for "sulfur"; "" if it has none."""
        if word in self._counts:
            return ""
        candidates = [w for w in self._by_initial[word[0]] if w[:3] == word[:3] and abs(len(w) - len(word)) <= 1]
        same = [w for w in candidates if one_spelling(w) == one_spelling(word)]
        return max(same, key=lambda w: (self._counts[w], w), default="")

    def _nearest(self, word: str, is_name: bool) -> str:
        """The library word one slip from `word`, or two slips if it is long; "" if there is none.

        Of several such words only those with the likeliest slip count; if a short word has more than one of these, the
        result is "". is_name: True if `word` is capitalised.
        """
        near = [w for w in self._speller.edit_distance_1(word) if self._may_mean(word, w, is_name)]
        if not near and len(word) >= _LONGER:
            return next((w for w in self._two_slips(word) if self._may_mean(word, w, is_name)), "")
        least = min((_slip(word, w) for w in near), default=0)
        likely = [w for w in near if _slip(word, w) == least]
        likely = [w for w in likely if w in _IGNORED_WORDS] or likely
        if len(word) <= _SHORT and len({stem(w) for w in likely}) > 1:
            return ""
        return max(likely, key=lambda w: (self._counts[w], w), default="")

    def _two_slips(self, word: str) -> list[str]:
        """Library words two slips from `word`, closest first; they share its first and last letter, or its end."""
        around = self._speller.edit_distance_1(word)
        candidates = get_close_matches(word, self._by_initial[word[0]], n=3, cutoff=_NEAR)
        near = [w for w in candidates if w[-1] == word[-1] and around & self._speller.edit_distance_1(w)]
        end = word[-4:]
        return near or [w for w in get_close_matches(word, self._counts, cutoff=_NEAR_ANYWHERE) if w.endswith(end)]

    def _may_mean(self, query_word: str, candidate: str, is_name: bool) -> bool:
        """True if the user may have meant the library word `candidate` by `query_word`, rather than a word that is not
        in the library. is_name: True if `query_word` is capitalised."""
        slip = _slip(query_word, candidate)
        one, other = _CHEMICAL_ENDING.fullmatch(query_word), _CHEMICAL_ENDING.fullmatch(candidate)
        name_different_substances = bool(one and other) and one["root"] == other["root"]
        if len(candidate) < 4 or name_different_substances:
            return False
        if query_word[0] != candidate[0] and slip and len(query_word) < _LONG:
            return False
        if candidate in _IGNORED_WORDS:
            return True
        if candidate not in self._counts or (is_name and candidate not in self._names):
            return False  # an unknown name is not a common word of the library
        if candidate in self._names and not is_name and len(query_word) < _SHORT:
            return False
        if len(query_word) > _SHORT:
            return True
        return slip < _OTHER_VOWEL or (slip == _OTHER_VOWEL and len(query_word) > 4 and candidate not in self._names)

    @cached_property
    def _counts(self) -> Counter[str]:
        """Frequency in the library of each word of four letters or more, in lower case."""
        return Counter(word.lower() for word in self._all_words if len(word) > 3)

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words that the library always capitalises, in lower case."""
        return frozenset(word.lower() for word in self._all_words) - frozenset(self._all_words)

    @cached_property
    def _words(self) -> frozenset[str]:
        """Words of three letters or more, in lower case."""
        return frozenset(word.lower() for word in self._all_words)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(stem(word) for word in self._words)

    @cached_property
    def _speller(self) -> SpellChecker:
        """Generates the words one slip away, with the letters that the library uses."""
        speller = SpellChecker(language=None)
        speller.word_frequency.load_json(dict(self._counts))
        return speller

    @cached_property
    def _by_initial(self) -> dict[str, list[str]]:
        """The words of `_counts` by their first letter."""
        words_by_initial: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(self._counts):
            words_by_initial[word[0]].append(word)
        return words_by_initial


def _question_word(word: str) -> str:
    """The question word from which `word` lacks one letter; "" if there is none, and for a common word."""
    if frequency(word) >= _RARE:
        return ""
    return next((w for w in sorted(_QUESTION_WORDS) if any(w[:n] + w[n + 1 :] == word for n in range(len(w)))), "")


def _slip(query_word: str, candidate: str) -> int:
    """How unlikely it is to type `query_word` for `candidate` in one slip: 0 is likeliest, 5 is more than one slip."""
    if len(query_word) == len(candidate):
        differences = [(a, b) for a, b in zip(query_word, candidate, strict=True) if a != b]
        if len(differences) == 2 and differences[0] == differences[1][::-1]:
            return 0
        if len(differences) != 1:
            return 5
        return _OTHER_VOWEL if set(differences[0]) <= _VOWELS else _OTHER_LETTER
    if abs(len(query_word) - len(candidate)) > 1:
        return 5
    longer, shorter = sorted((query_word, candidate), key=len, reverse=True)
    index = next((n for n, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    if longer[:index] + longer[index + 1 :] != shorter:
        return 5
    is_double = longer[index] in longer[max(0, index - 1) : index] + longer[index + 1 : index + 2]
    return 0 if is_double else 1 if longer == candidate else 2
