"""What the models say about one case, each asked once, whichever check asks first."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from core.case import Case, Signals
from core.features.answer_probabilities import answer_probabilities
from core.features.claim_evidence import Premise
from core.features.claim_readings import SentenceReading, read_claims
from core.features.premises import RESEMBLING, Windows, by_passage, considered, whole_text
from core.features.role_swaps import swaps_of, with_swaps
from core.features.stage_one_rules import drift, explains_itself, need_check
from core.features.support import SentenceSupport, sentence_support, support_signals, supporting_premises
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.settings.domains import domain as named_domain
from core.text.abstentions import abstaining
from core.text.computed_answers import with_computed_numbers
from core.text.hedges import find_hedges
from core.text.held_quantities import unstated
from core.text.swapped_roles import Location
from core.text.verifiable_facts import Unheld, invented, unheld
from core.text.words import overlap
from core.writers.extractive_writer import ExtractiveWriter

_OF_THE_PASSAGES = 0.5
"""A sentence that shares this many of its words with its passages belongs here, whatever it sounds like."""


class CaseFeatures:
    """Answers to the questions that checks ask of one case. Nothing here knows a threshold."""

    def __init__(
        self,
        case: Case,
        models: Any,
        patterns: tuple[str, ...] = (),
        *,
        domain: str = "school",
        vocabulary: LibraryVocabulary | None = None,
        round_name: str = "first",
    ) -> None:
        """vocabulary: of the whole library; without it the passages of the case are all there is."""
        self.case, self.models, self.patterns, self.round_name = case, models, patterns, round_name
        self.domain = named_domain(domain)
        self.vocabulary = LibraryVocabulary(case.passages) if vocabulary is None else vocabulary

    @cached_property
    def abstaining(self) -> np.ndarray:
        """For each sentence whether it belongs to an abstention, which states nothing of the subject: (sentence,)."""
        return np.array(abstaining([s.text for s in self.case.sentences]), dtype=bool)

    @cached_property
    def overlap(self) -> np.ndarray:
        """Share of each sentence's content words that each passage holds: (sentence, passage)."""
        rows = [[overlap(s.text, whole_text(p)) for p in self.case.passages] for s in self.case.sentences]
        return np.array(rows, dtype=float).reshape(len(self.case.sentences), len(self.case.passages))

    @property
    def nearest(self) -> np.ndarray:
        """For each sentence the place of the passage that shares most of its words: (sentence,)."""
        if not self.case.passages:
            return np.zeros(len(self.case.sentences))
        return np.argmax(self.overlap, axis=1)

    @cached_property
    def considered(self) -> np.ndarray:
        """1 where a sentence is judged by a passage: those it cites, else the one nearest in meaning."""
        return considered(self.case, self._claim_readings)

    def _cited_or_nearest(self, most: int) -> np.ndarray:
        """1 for the passages that a sentence cites, else for at most so many that resemble it most."""
        grid = np.zeros(self.overlap.shape)
        for s, sentence in enumerate(self.case.sentences):
            cited = list(self.case.cited(sentence))
            grid[s, cited or np.argsort(-self.overlap[s], kind="stable")[:most]] = 1
        return grid

    @cached_property
    def sources(self) -> list[str]:
        """For each sentence the text it is held against, a line a sentence; the question is the last line."""
        passages = self.case.passages
        return [
            "\n".join([*(whole_text(passages[p], "\n") for p in np.flatnonzero(row)), self.case.question.standalone])
            for row in self._cited_or_nearest(RESEMBLING)
        ]

    @cached_property
    def own_overlap(self) -> list[float]:
        """Share of each sentence's content words held by the passages that it cites, else by its best passage."""
        scores = []
        for s, sentence in enumerate(self.case.sentences):
            cited = self.case.cited(sentence)
            text = " ".join(whole_text(self.case.passages[p]) for p in cited)
            scores.append(overlap(sentence.text, text) if cited else self.overlap[s].max(initial=0.0))
        return scores

    @cached_property
    def invented(self) -> list[list[str]]:
        """For each sentence what no passage and no word of the question holds."""
        everything = "\n".join([*(whole_text(p) for p in self.case.passages), self.case.question.standalone])
        new = [invented(text, everything) for text in self.stated]
        return [[one for one in own if one not in found.unchecked] for own, found in zip(new, self.unheld, strict=True)]

    @cached_property
    def unheld(self) -> list[Unheld]:
        """For each sentence the numbers, units, names and terms that its own sources do not hold, nor, where these lack
        some, the passages that bear it out; and what is computed."""
        is_term, asked = self.models.embedder.is_term, self.case.question.standalone
        found = []
        for n, (text, source) in enumerate(zip(self.stated, self.sources, strict=True)):
            lacking = unheld(text, source, is_term)
            lacking = self._unheld_elsewhere(n) if lacking.missing else lacking
            found.append(with_computed_numbers(lacking, text, asked, self._book))
        return found

    @cached_property
    def _book(self) -> str:
        """Every sentence of the passages, a line each."""
        return "\n".join(whole_text(p, "\n") for p in self.case.passages)

    def _unheld_elsewhere(self, place: int) -> Unheld:
        """The same of one sentence by its own sources and the passages that bear it out most together."""
        bearing = dict.fromkeys(p for premise in self.supporting[place] for p, _ in premise.core)
        texts = [*(whole_text(self.case.passages[p], "\n") for p in bearing), self.sources[place]]
        return unheld(self.stated[place], "\n".join(texts), self.models.embedder.is_term)

    @cached_property
    def hedges(self) -> list[list[str]]:
        """For each sentence the hedging and filler phrases that its own sources do not hold."""
        return [
            find_hedges(s.text, source.rpartition("\n")[0], self.patterns)  # without the question
            for s, source in zip(self.case.sentences, self.sources, strict=True)
        ]

    @cached_property
    def claims(self) -> list[bool]:
        """For each sentence whether it states something that needs a fact check."""
        needed = need_check(self.case, self.vocabulary)
        return [need and not nothing for need, nothing in zip(needed, self.abstaining, strict=True)]

    @property
    def stated(self) -> list[str]:
        """The text of each sentence, "" for one that belongs to an abstention."""
        return ["" if nothing else s.text for s, nothing in zip(self.case.sentences, self.abstaining, strict=True)]

    @cached_property
    def explains(self) -> list[bool]:
        """For each sentence whether it says what the assistant itself meant just before."""
        return [explains_itself(s.text, self.case, self.vocabulary) for s in self.case.sentences]

    @cached_property
    def answered(self) -> list[float]:
        """For each sentence P(the answer with it answers the question)."""
        return answer_probabilities(self.case, self.models)

    @cached_property
    def answerable(self) -> float:
        """P(what the extractive writer quotes from the passages answers the question); 0 where it finds nothing."""
        quoted = ExtractiveWriter(self.models).write(self.case.query, self.case.evidence)
        return max(CaseFeatures(replace(self.case, draft=quoted), self.models).answered, default=0.0)

    @cached_property
    def agreement(self) -> list[float]:
        """For each sentence the lowest P(another draft says it); 0 where one of them lacks a number of it."""
        told = [" ".join(s.text for s in draft.sentences) for draft in self.case.drafts]
        said = [s.text for s in self.case.sentences]
        sure = self.models.entailer.probabilities([(other, s) for s in said for other in told])[:, 0]
        asked = self.case.question.standalone
        held = [not unstated(s, f"{other}\n{asked}") for s in said for other in told]
        return (sure * held).reshape(len(said), len(told)).min(-1).tolist()

    @cached_property
    def drift(self) -> list[float]:
        """For each sentence how much closer it is to what does not belong here than to what does."""
        known = [score >= _OF_THE_PASSAGES for score in self.own_overlap]
        texts = ["" if k else text for text, k in zip(self.stated, known, strict=True)]
        return drift(texts, self.domain, self.models.embedder)

    @cached_property
    def swaps(self) -> Mapping[int, Location]:
        """The sentences that pair things and attributes the other way round than the passages."""
        return swaps_of(self.case)

    @cached_property
    def _entailed(self) -> tuple[np.ndarray, np.ndarray, Windows]:
        """Which passages judge each sentence, (sentence, passage); the NLI probabilities, (sentence, passage, 3); and
        the sentences of the passages that the model read."""
        grid, windows = by_passage(self.case, self._claim_readings)
        considered = np.where(self.abstaining[:, None], 0.0, self.considered)
        return with_swaps(self.swaps, considered, grid, windows)

    @property
    def windows(self) -> Windows:
        """For each sentence and passage the sentences that were read as its premise; () when nothing was read."""
        return self._entailed[2] if self.case.sentences and self.case.evidence else ()

    @cached_property
    def _claim_readings(self) -> list[SentenceReading]:
        return read_claims(self.case, self.models)

    @cached_property
    def supporting(self) -> list[tuple[Premise, ...]]:
        """For each sentence the evidence that bears out each of its claims most."""
        return supporting_premises(self.case, self._claim_readings)

    @cached_property
    def support(self) -> list[SentenceSupport]:
        """For each sentence what bears on whether the passages bear it out."""
        unheld = [len(found.missing) for found in self.unheld]
        readings, reader = self._claim_readings, self.models.reader
        return sentence_support(self.case, readings, self.supporting, unheld, self.swaps, reader)

    @cached_property
    def support_signals(self) -> Signals:
        """The signals of the check `support`; NaN for a sentence that only says that there is no answer."""
        signals = support_signals(self.support, len(self.case.passages), self.models.support)
        return signals | {"probability": np.where(self.abstaining, np.nan, signals["probability"])}

    def entailment_signals(self) -> Signals:
        """The three probabilities of each sentence by each passage, and which of them are considered."""
        considered, grid, _ = self._entailed
        return {
            "entailment": grid[..., 0], "neutral": grid[..., 1], "contradiction": grid[..., 2],
            "considered": considered,
        }  # fmt: skip
