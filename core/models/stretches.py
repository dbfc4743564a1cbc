"""Stretches of the evidence that may answer a question: up to three neighbouring sentences that can be read alone, or a
list with the sentence that opens it. A stretch may continue from one passage into the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.case import Evidence, Passage
from core.text.answer_sentences import points_back
from core.text.lists import begins_enumeration, list_openers
from core.text.statements import accompanying, stating

MOST_SENTENCES = 3
"""Maximum sentences of a stretch that is not a list."""
MOST_WORDS = 85
"""Maximum words of a stretch of several sentences; a longer answer would be tiring to read."""
_MOST_BACK = 2
"""Maximum sentences before a sentence that are included because it points back to them."""

SentenceIndex = tuple[int, int]
"""The position of a sentence: the index of its passage in the evidence, and its index in the passage."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Sentences that may answer together.

    indices: positions of the sentences, in order. core: position of the sentence around which the stretch was formed.
    text: the sentences as one text. is_list: True if they are a whole list with the sentence that opens it.
    """

    indices: tuple[SentenceIndex, ...]
    core: SentenceIndex
    text: str
    is_list: bool = False


class Stretches:
    """The sentences of some evidence, and the stretches around each of them."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self.evidence = evidence
        self._passages = [e.passage for e in evidence]
        self._usable = [stating(passage) for passage in self._passages]
        self._accompanying = [accompanying(passage) for passage in self._passages]
        self._next = {p: q for p, one in enumerate(self._passages) for q, other in enumerate(self._passages)
                      if _follows(other, one)}  # fmt: skip
        self._previous = {q: p for p, q in self._next.items()}
        self._openers = {item: opener for chain in self._chains() for item, opener in self._items(chain)}

    def cores(self) -> list[Stretch]:
        """Each sentence that states something and that the evidence keeps for the question, as a stretch of its own."""
        return [
            self.of(((p, n),), (p, n))
            for p, e in enumerate(self.evidence) for n in sorted(self._usable[p] & set(e.kept))
        ]  # fmt: skip

    def of(self, indices: Sequence[SentenceIndex], core: SentenceIndex) -> Stretch:
        """The sentences at `indices` as a stretch."""
        is_list = len(indices) > 2 and tuple(indices) == self._list_of(core)
        text = " ".join(self._text(index) for index in indices)
        return Stretch(indices=tuple(indices), core=core, text=text, is_list=is_list)

    def _chains(self) -> Iterator[list[SentenceIndex]]:
        """Yield the positions of all sentences, grouped by runs of passages that follow each other in their book."""
        for first in (p for p in range(len(self._passages)) if p not in self._previous):
            passages, passage = [first], self._next.get(first)
            while passage is not None:
                passages.append(passage)
                passage = self._next.get(passage)
            yield [(p, n) for p in passages for n in range(len(self._passages[p].sentences))]

    def _items(self, chain: Sequence[SentenceIndex]) -> Iterator[tuple[SentenceIndex, SentenceIndex]]:
        """Yield each list item in a run of sentences, with the sentence that opens its list."""
        openers = list_openers([self._text(index) for index in chain])
        yield from ((index, chain[opener]) for index, opener in zip(chain, openers, strict=True) if opener is not None)

    def around(self, core: SentenceIndex) -> Iterator[Stretch]:
        """Yield every stretch that contains the sentence at `core`, the shortest first, without duplicates."""
        seen: set[tuple[SentenceIndex, ...]] = set()
        for indices in self._runs(core):
            if indices not in seen and self._reads_well(indices, core):
                seen.add(indices)
                yield self.of(indices, core)

    def with_antecedent(self, core: SentenceIndex) -> tuple[SentenceIndex, ...]:
        """The sentence at `core`, preceded by those that it points back to, or by the sentence that opens its list.

        The sentence alone if one that it points back to states nothing.
        """
        opener = self._openers.get(core)
        if opener is not None and not self._is_broken(opener):
            return opener, core
        run = [core]
        while self._states(run[0]) and points_back(self._text(run[0])) and len(run) <= _MOST_BACK:
            before = self._neighbour(run[0], -1)
            if before is None:
                break
            run.insert(0, before)
        return tuple(run) if self._states(run[0]) and not points_back(self._text(run[0])) else (core,)

    def _runs(self, core: SentenceIndex) -> Iterator[tuple[SentenceIndex, ...]]:
        """Yield the candidates for `around`: the sentence, its list, and its neighbours before and after."""
        own, whole = self.with_antecedent(core), self._list_of(core)
        if len(whole) > 2 and begins_enumeration(self._text(core)):
            yield whole
            return
        yield own
        if whole:
            yield whole
        if core in self._openers:
            return
        before, after = self._neighbour(own[0], -1), self._neighbour(own[-1], 1)
        later = self._neighbour(after, 1) if after else None
        if after:
            yield (*own, after)
        if before:
            yield (before, *own)
        if before and after:
            yield (before, *own, after)
        if after and later:
            yield (*own, after, later)

    def _list_of(self, core: SentenceIndex) -> tuple[SentenceIndex, ...]:
        """The sentence that opens a list, and as many of its items as MOST_WORDS allow; () if `core` is in no list."""
        opener = self._openers.get(core, core)
        if self._is_broken(opener):
            return ()
        chosen, words = [opener], len(self._text(opener).split())
        for item in (index for index, of in self._openers.items() if of == opener and self._states(index)):
            words += len(self._text(item).split())
            if words > MOST_WORDS:
                break
            chosen.append(item)
        return tuple(chosen) if len(chosen) > 1 and core in chosen else ()

    def _reads_well(self, indices: tuple[SentenceIndex, ...], core: SentenceIndex) -> bool:
        """True if all sentences may be in an answer, and together are few and short enough."""
        is_list = any(index in self._openers for index in indices)
        neighbours = [index for index in indices if index != core and index not in self._openers]
        if any(n not in self._accompanying[p] for p, n in neighbours):
            return False
        if len(indices) > MOST_SENTENCES and not is_list:
            return False
        return len(indices) == 1 or sum(len(self._text(index).split()) for index in indices) <= MOST_WORDS

    def _neighbour(self, index: SentenceIndex, step: int) -> SentenceIndex | None:
        """The position of the sentence before (step -1) or after (1) `index`, across passages; None without one."""
        passage, n = index[0], index[1] + step
        if 0 <= n < len(self._passages[passage].sentences):
            return passage, n
        other = (self._next if step > 0 else self._previous).get(passage)
        if other is None:
            return None
        return other, 0 if step > 0 else len(self._passages[other].sentences) - 1

    def _states(self, index: SentenceIndex) -> bool:
        return index[1] in self._usable[index[0]]

    def _is_broken(self, index: SentenceIndex) -> bool:
        return index[1] in self._passages[index[0]].broken

    def _text(self, index: SentenceIndex) -> str:
        return self._passages[index[0]].sentences[index[1]]


def _follows(later: Passage, earlier: Passage) -> bool:
    """True if `later` is the next passage after `earlier` in a library's document: their numbers are consecutive."""
    document, _, number = earlier.id.rpartition(":")
    other, _, next_number = later.id.rpartition(":")
    return bool(document) and document == other and number.isdigit() and next_number == f"{int(number) + 1:04d}"
