"""Forms stretches of the evidence that make sense by themselves, and measures hints on whether each answers a
question.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, takewhile
from typing import Any

import numpy as np

from core.case import Evidence, Passage
from core.text.answer_sentences import has_back_reference
from core.text.claims import accompanying, stating, without_questions
from core.text.held_quantities import is_another_case
from core.text.lists import begins_enumeration, list_openers
from core.text.non_answers import echoes, gives_other_value
from core.text.questions import plan_of
from core.text.verifiable_facts import definitions
from core.text.words import content

MOST_SENTENCES = 3
"""Maximum number of sentences of a stretch that is not a list."""
MOST_WORDS = 85
"""Maximum number of words of a stretch of several sentences; a longer answer would be tiring to read."""
_MAX_BACK_REFERENCES = 2
"""Maximum number of sentences before a sentence that a stretch includes because the sentence refers back to them."""

SentenceIndex = tuple[int, int]
"""The position of a sentence: the index of its passage in the evidence, and its index in the passage."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Sentences that may answer a question together.

    indices: (passage, sentence) of each sentence, in order. core: (passage, sentence) of the sentence around which the
    stretch was formed. text: the sentences as one text. is_list: True if they are items of a list with the sentence
    that opens the list.
    """

    indices: tuple[SentenceIndex, ...]
    core: SentenceIndex
    text: str
    is_list: bool = False


class Stretches:
    """The sentences of some evidence, and the stretches around each of them."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self.evidence = evidence
        passages = [e.passage for e in evidence]
        self._texts = {(p, n): text for p, one in enumerate(passages) for n, text in enumerate(one.sentences)}
        self._usable = {(p, n) for p, one in enumerate(passages) for n in stating(one)}
        self._accompanying = {(p, n) for p, one in enumerate(passages) for n in accompanying(one)}
        self._broken = {(p, n) for p, one in enumerate(passages) for n in one.broken}
        self._next = {
            p: q for p, one in enumerate(passages) for q, other in enumerate(passages) if _follows(other, one)
        }
        self._previous = {q: p for p, q in self._next.items()}
        self._openers: dict[SentenceIndex, SentenceIndex] = {}
        for passage in (p for p in range(len(passages)) if p not in self._previous):
            chain = []  # the sentences of passages that follow each other in their book
            while passage is not None:
                chain += [(passage, n) for n in range(len(passages[passage].sentences))]
                passage = self._next.get(passage)
            openers = list_openers([self._texts[index] for index in chain])
            self._openers |= {item: chain[n] for item, n in zip(chain, openers, strict=True) if n is not None}

    def cores(self) -> list[Stretch]:
        """Each sentence that states something and is relevant to the question (`kept`), as a stretch of its own."""
        kept = {(p, n) for p, e in enumerate(self.evidence) for n in e.kept}
        return [self.of((index,), index) for index in sorted(self._usable & kept)]

    def of(self, indices: Sequence[SentenceIndex], core: SentenceIndex) -> Stretch:
        """The sentences at `indices` as a stretch. core: position of the sentence around which it is formed."""
        is_list = len(indices) > 2 and tuple(indices) == self._list_of(core)
        text = " ".join(self._texts[index] for index in indices)
        return Stretch(indices=tuple(indices), core=core, text=text, is_list=is_list)

    def around(self, core: SentenceIndex) -> Iterator[Stretch]:
        """Yield every stretch around the sentence at `core` that can be an answer, without duplicates."""
        seen: set[tuple[SentenceIndex, ...]] = set()
        for indices in self._runs(core):
            if indices not in seen and self._reads_well(indices, core):
                seen.add(indices)
                yield self.of(indices, core)

    def with_antecedent(self, core: SentenceIndex) -> tuple[SentenceIndex, ...]:
        """The indices of the sentences to which the sentence at `core` refers back, or of the sentence that opens its
        list, followed by `core`.

        Only `core` if one of the sentences to which it refers back states nothing.
        """
        opener = self._openers.get(core)
        if opener is not None and opener not in self._broken:
            return opener, core
        run = [core]
        while run[0] in self._usable and has_back_reference(self._texts[run[0]]) and len(run) <= _MAX_BACK_REFERENCES:
            before = self._neighbour(run[0], -1)
            if before is None:
                break
            run.insert(0, before)
        return tuple(run) if run[0] in self._usable and not has_back_reference(self._texts[run[0]]) else (core,)

    def _runs(self, core: SentenceIndex) -> Iterator[tuple[SentenceIndex, ...]]:
        """Yield the candidates for `around`: the sentence with those that it refers back to; its whole list; and both
        of these together with sentences before and after.
        """
        own, whole = self.with_antecedent(core), self._list_of(core)
        if len(whole) > 2 and begins_enumeration(self._texts[core]):
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
        if opener in self._broken:
            return ()
        items, words = [opener], len(self._texts[opener].split())
        for item in (index for index, of in self._openers.items() if of == opener and index in self._usable):
            words += len(self._texts[item].split())
            if words > MOST_WORDS:
                break
            items.append(item)
        return tuple(items) if len(items) > 1 and core in items else ()

    def _reads_well(self, indices: tuple[SentenceIndex, ...], core: SentenceIndex) -> bool:
        """True if all sentences may be part of an answer, and together are few and short enough."""
        is_list = any(index in self._openers for index in indices)
        if not {index for index in indices if index != core} <= self._accompanying | self._openers.keys():
            return False
        if len(indices) > MOST_SENTENCES and not is_list:
            return False
        return len(indices) == 1 or sum(len(self._texts[index].split()) for index in indices) <= MOST_WORDS

    def _neighbour(self, index: SentenceIndex, step: int) -> SentenceIndex | None:
        """The position of the sentence before (step -1) or after (1) `index`, across passages; None at the end."""
        passage, n = index[0], index[1] + step
        if (passage, n) in self._texts:
            return passage, n
        other = (self._next if step > 0 else self._previous).get(passage)
        if other is None:
            return None
        return other, 0 if step > 0 else len(self.evidence[other].passage.sentences) - 1


def _follows(later: Passage, earlier: Passage) -> bool:
    """True if `later` is the next passage after `earlier` in a library's document: their numbers are consecutive."""
    document, _, number = earlier.id.rpartition(":")
    other, _, next_number = later.id.rpartition(":")
    return bool(document) and document == other and number.isdigit() and next_number == f"{int(number) + 1:04d}"


SHORTLIST = 16
"""Number of sentences around which stretches are formed."""
MAX_READINGS = 16
"""Maximum number of stretches that the slow models read: the likeliest ones by the quick hints. On questions of a
teacher, with weights fitted without the chapter in question, 16 do as well as all, which are 26 for a question on
average.
"""
_TYPICAL = 0.65
"""Usual cosine, by the question encoder, of a question and a sentence of its evidence. It is subtracted from the hint
`encoded`, which is 0 if the encoder is not installed.
"""
_PROBABILITY_FLOOR = 1e-4
"""Probabilities are clipped to [_PROBABILITY_FLOOR, 1 - _PROBABILITY_FLOOR] before their logit is computed."""


@dataclass(frozen=True, kw_only=True)
class AnswerWeights:
    """The weight of each hint in the logit of P(the stretch answers); fitted by core.lab.training.calibrate_reader. The
    hints are:

    - cosine: cosine of the question with the closest sentence of the stretch.
    - encoded: the question encoder's cosine of the question with the stretch under its heading, minus a typical cosine.
    - passage: P(the passage of the stretch answers), from the reranker.
    - defines: 1 if a sentence defines the term in question, or opens the section that has the term as heading.
    - located: P(the passage answers, and the answer starts in the stretch), from the reader.
    - alone: logit of P(the stretch answers by itself), from the reader.
    - offset: no hint; added to the logit.

    Two more hints made answers on unseen chapters worse and were left out: P(the best sentence alone answers), from the
    reader; and the number of sentences.
    """

    cosine: float = 1.0
    encoded: float = 1.0
    passage: float = 1.0
    defines: float = 1.0
    located: float = 1.0
    alone: float = 0.4
    offset: float = -2.0

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(each stretch answers), shape (stretches,), from hints of shape (stretches, HINTS)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(AnswerWeights) if f.name != "offset")
_SLOW = ("encoded", "alone")
"""Hints that need a model to read each stretch."""


def stretches_for(query: str, evidence: Sequence[Evidence], models: Any) -> list[Stretch]:
    """The MAX_READINGS likeliest stretches around the likeliest sentences that state something, in their order; [] if
    no sentence does."""
    all_stretches = Stretches(evidence)
    cores = [core for core in all_stretches.cores() if not echoes(query, core.text)]
    if not cores:
        return []
    starts = _answer_start_probabilities(query, cores, evidence, models.reader)
    likely = _cosine(query, cores, evidence, models) + starts
    by_indices: dict[tuple[SentenceIndex, ...], Stretch] = {}
    for n in np.argsort(-likely, kind="stable")[:SHORTLIST]:
        for stretch in all_stretches.around(cores[n].core):
            by_indices.setdefault(stretch.indices, stretch)  # its core is the likeliest of its sentences
    # A stretch that begins in the middle of a thought is no answer where a longer one has what it refers back to.
    whole = {index for s in by_indices.values() if not has_back_reference(s.text) for index in s.indices}
    around = [" ".join((e.passage.section, *e.passage.sentences)) for e in evidence]
    book = " ".join(around)
    stretches = [
        s for s in by_indices.values()
        if (not has_back_reference(s.text) or s.core not in whole) and not is_another_case(query, s.text)
        and not gives_other_value(query, s.text, around[s.core[0]], book)
    ]  # fmt: skip
    if len(stretches) <= MAX_READINGS:
        return stretches
    quick = _quick_hints(query, stretches, evidence, models)
    hints = np.stack([np.zeros(len(stretches)) if name in _SLOW else quick[name] for name in HINTS], -1)
    indices = np.argsort(-models.reader.weights(hints), kind="stable")[:MAX_READINGS]
    return [stretches[n] for n in sorted(indices.tolist())]


def hints_of(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any) -> np.ndarray:
    """All hints on each stretch as an answer to `query`, shape (stretches, HINTS)."""
    columns = _quick_hints(query, stretches, evidence, models)
    columns["encoded"] = np.zeros(len(stretches))
    if models.question_encoder is not None:  # it reads each stretch under its heading
        texts = [f"{evidence[s.indices[0][0]].passage.section}. {s.text}" for s in stretches]
        columns["encoded"] = models.question_encoder.cosines(query, texts) - _TYPICAL
    probabilities = np.clip(
        [answer.probability for answer in models.reader.read(query, [s.text for s in stretches])],
        _PROBABILITY_FLOOR,
        1 - _PROBABILITY_FLOOR,
    )
    columns["alone"] = np.log(probabilities / (1 - probabilities))
    return np.stack([columns[name] for name in HINTS], -1)


def definition_probability(query: str, evidence: Sequence[Evidence], models: Any) -> float:
    """The highest P(it answers `query`) among the sentences that define the term that `query` asks for; 0 without one.

    The draft of the extractive writer has at least this probability, which is cheaper to compute.
    """
    defining = [core for core in Stretches(evidence).cores() if _defines(core, evidence, query)]
    if not defining:
        return 0.0
    return float(models.reader.weights(hints_of(query, defining, evidence, models)).max())


def _quick_hints(
    query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any
) -> dict[str, np.ndarray]:
    """The hints that need no model to read each stretch, by name; each has shape (stretches,)."""
    columns = {
        "cosine": _cosine(query, stretches, evidence, models),
        "passage": [max(evidence[p].answers for p, _ in s.indices) for s in stretches],
        "defines": [_defines(s, evidence, query) for s in stretches],
        "located": _answer_start_probabilities(query, stretches, evidence, models.reader),
    }
    return {name: np.asarray(column, dtype=float) for name, column in columns.items()}


def _cosine(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any) -> np.ndarray:
    """The cosine of the query with the closest sentence of each stretch; shape (stretches,)."""
    indices = list(dict.fromkeys(index for s in stretches for index in s.indices))
    vectors = models.embedder.encode([query, *(evidence[p].passage.sentences[n] for p, n in indices)])
    cosines = dict(zip(indices, vectors[1:] @ vectors[0], strict=True))
    return np.array([max(cosines[index] for index in s.indices) for s in stretches])


def _answer_start_probabilities(
    query: str, stretches: list[Stretch], evidence: Sequence[Evidence], reader: Any
) -> np.ndarray:
    """P(the passage of the stretch answers, and the answer starts in the stretch) for each stretch; shape
    (stretches,)."""
    texts = {
        p: without_questions(evidence[p].passage.sentences)
        for p in sorted({p for s in stretches for p, _ in s.indices})
    }
    texts = {p: lines for p, lines in texts.items() if any(lines)}  # a passage of questions only answers nothing
    answers = dict(zip(texts, reader.read(query, [" ".join(lines) for lines in texts.values()]), strict=True))
    starts = {p: [0, *accumulate(len(s) + 1 for s in lines)] for p, lines in texts.items()}
    shares: dict[SentenceIndex, float] = {
        (p, n): answers[p].probability * answers[p].share(*starts[p][n : n + 2]) if p in texts else 0.0
        for p, n in {index for s in stretches for index in s.indices}
    }
    return np.array([sum(shares[index] for index in s.indices) for s in stretches])


def _defines(stretch: Stretch, evidence: Sequence[Evidence], query: str) -> bool:
    """True if a sentence defines exactly the term in question, or opens the section that has this term as heading.

    The heading may supply a part of the term: under "Power of accommodation", a sentence may define "accommodation".
    """
    plan, (passage_index, sentence_index) = plan_of(query), stretch.indices[0]
    topic = content(plan.things[0] if plan.kind == "definition" and plan.things else query)
    passage = evidence[passage_index].passage
    if not topic:
        return False  # "What is it?" has no content word, and a heading that is a bare number or letter has none either
    terms = [set(content(term)) for _, term in definitions(stretch.text)]
    if any(term and term <= set(topic) <= term | set(content(passage.section)) for term in terms):
        return True
    lines = takewhile(lambda line: line[-1] not in ".!", reversed(passage.sentences[:sentence_index]))
    headings: Iterable[str] = [*lines] if sentence_index else [passage.section]
    return any(tuple(w for w in content(h) if len(w) > 1 and not w[0].isdigit()) == topic for h in headings)
