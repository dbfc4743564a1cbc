"""The model outputs for one case; each is computed once, for whichever check needs it first."""

from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from core.case import Case, Signals
from core.features.answer_runs import answer_held, answer_probabilities
from core.features.claim_evidence import (
    RESEMBLING,
    Premise,
    SentenceReading,
    Windows,
    by_passage,
    judging_passages,
    read_claims,
    whole_text,
)
from core.features.stage_one_rules import competitors_in, drift, explains_itself, need_check, rules_in, unheld_things
from core.features.support import SentenceSupport, sentence_support, support_signals
from core.retrieval.intent import clarity, tool_texts
from core.retrieval.library_words import LibraryVocabulary
from core.settings import Settings
from core.settings.domains import domain as named_domain
from core.text.abstentions import abstention_flags
from core.text.answer_sentences import has_back_reference
from core.text.crossed_facts import is_crossed
from core.text.hedges import find_hedges
from core.text.held_quantities import unstated_facts
from core.text.verifiable_facts import invented_facts, unheld
from core.text.words import overlap
from core.writers.extractive_writer import ExtractiveWriter

_OF_THE_PASSAGES = 0.5
"""Share of its content words in its passages from which a sentence counts as on topic; its drift is then not
measured.
"""


class CaseFeatures:
    """The features of one case (outputs of models and rules), from which checks make their signals. This class knows no
    threshold.
    """

    def __init__(
        self,
        case: Case,
        models: Any,
        settings: Settings = Settings(),  # noqa: B008 - frozen
        *,
        vocabulary: LibraryVocabulary | None = None,
        round_name: str = "first",
    ) -> None:
        """vocabulary: that of the whole library; None to build one from the passages of the case."""
        self.case, self.models, self.settings = case, models, settings
        self.reach = settings.reach(round_name)
        self.domain = named_domain(settings.domain)
        self.vocabulary = LibraryVocabulary(case.passages) if vocabulary is None else vocabulary

    @cached_property
    def abstaining(self) -> np.ndarray:
        """True for each sentence that belongs to an abstention: (sentence,)."""
        return np.array(abstention_flags([s.text for s in self.case.sentences]), dtype=bool)

    @cached_property
    def overlap(self) -> np.ndarray:
        """Share of each sentence's content words that each passage holds: (sentence, passage)."""
        rows = [[overlap(s.text, whole_text(p)) for p in self.case.passages] for s in self.case.sentences]
        return np.array(rows, dtype=float).reshape(len(self.case.sentences), len(self.case.passages))

    @property
    def nearest(self) -> np.ndarray:
        """For each sentence, the index of the passage that contains most of its words: (sentence,); 0
        without passages."""
        if not self.case.passages:
            return np.zeros(len(self.case.sentences))
        return np.argmax(self.overlap, axis=1)

    @cached_property
    def considered(self) -> np.ndarray:
        """1 for each passage that judges a sentence (those it cites, else the one nearest in meaning), else 0:
        (sentence, passage)."""
        return judging_passages(self.case, self._claim_readings)

    def _cited_or_nearest(self, max_passages: int) -> np.ndarray:
        """1 for the passages that a sentence cites, else for at most `max_passages` that share most of its words;
        0 for others. (sentence, passage)."""
        grid = np.zeros(self.overlap.shape)
        for s, sentence in enumerate(self.case.sentences):
            citations = list(self.case.cited(sentence))
            grid[s, citations or np.argsort(-self.overlap[s], kind="stable")[:max_passages]] = 1
        return grid

    @cached_property
    def sources(self) -> list[str]:
        """For each sentence, the text against which rules compare it: its passages, one sentence a line, and the
        question as the last line.
        """
        passages = self.case.passages
        return [
            "\n".join([*(whole_text(passages[p], "\n") for p in np.flatnonzero(row)), self.case.question.standalone])
            for row in self._cited_or_nearest(RESEMBLING)
        ]

    @cached_property
    def own_overlap(self) -> list[float]:
        """For each sentence, the share of its content words that the passages that it cites contain; without citations,
        the passage that contains most of them.
        """
        scores = []
        for s, sentence in enumerate(self.case.sentences):
            citations = self.case.cited(sentence)
            text = " ".join(whole_text(self.case.passages[p]) for p in citations)
            scores.append(overlap(sentence.text, text) if citations else self.overlap[s].max(initial=0.0))
        return scores

    @cached_property
    def invented(self) -> list[list[str]]:
        """For each sentence, its facts (numbers, names, quotations, superlatives, dates) that are neither in a passage
        nor in the question.
        """
        everything = "\n".join([*(whole_text(p) for p in self.case.passages), self.case.question.standalone])
        return [invented_facts(text, everything) for text in self.statement_texts]

    @cached_property
    def unheld(self) -> list[list[str]]:
        """For each sentence, the numbers, units, names and terms that are missing in its sources (see
        `sources`). If some are missing, the passages that support the sentence are searched too.
        """
        is_term, result = self.models.embedder.is_term, []
        for n, (text, source) in enumerate(zip(self.statement_texts, self.sources, strict=True)):
            missing = unheld(text, source, is_term)
            if missing:
                passages = dict.fromkeys(p for premise in self.supporting[n] for p, _ in premise.core)
                texts = [*(whole_text(self.case.passages[p], "\n") for p in passages), source]
                missing = unheld(text, "\n".join(texts), is_term)
            result.append(missing)
        return result

    @cached_property
    def crossed(self) -> list[bool]:
        """True for each sentence that gives one of two things what its sources say of the other, alone or together with
        the sentence beside it.
        """
        texts, passages = self.statement_texts, self.case.passages
        lines = [  # an empty line between passages: the last sentence of one and the first of the next are no pair
            "\n\n".join(whole_text(passages[p], "\n") for p in np.flatnonzero(row)).splitlines()
            for row in self._cited_or_nearest(RESEMBLING)
        ]
        flags = [is_crossed(text, own) for text, own in zip(texts, lines, strict=True)]
        for n, (one, other) in enumerate(pairwise(texts)):
            if one and other and not has_back_reference(other):
                both = is_crossed(f"{one.rstrip('.')}; {other}", [*lines[n], "", *lines[n + 1]])
                flags[n : n + 2] = [flag or both for flag in flags[n : n + 2]]
        return flags

    @cached_property
    def hedges(self) -> list[list[str]]:
        """For each sentence, its hedging and filler phrases that do not occur in its sources."""
        return [  # the last line of a source is the question
            find_hedges(s.text, source.rpartition("\n")[0], self.settings.patterns, self.settings.patterns_out)
            for s, source in zip(self.case.sentences, self.sources, strict=True)
        ]

    @cached_property
    def claims(self) -> list[bool]:
        """True for each sentence that states something that needs a fact check."""
        needs = need_check(self.case, self.vocabulary)
        return [need and not nothing for need, nothing in zip(needs, self.abstaining, strict=True)]

    @property
    def statement_texts(self) -> list[str]:
        """The text of each sentence; "" for one that belongs to an abstention."""
        return ["" if nothing else s.text for s, nothing in zip(self.case.sentences, self.abstaining, strict=True)]

    @property
    def clarity(self) -> float:
        """The share of what a question needs that this one says, 0 to 1."""
        return clarity(self.case, self.domain)

    @property
    def competitors(self) -> list[list[str]]:
        """For each sentence, the competitors that it names and no passage does."""
        passage_text = "\n".join(p.text for p in self.case.passages)
        return [competitors_in(text, self.domain, passage_text) for text in self.statement_texts]

    @property
    def unheld_things(self) -> list[list[str]]:
        """For each sentence, the things that it names as the domain's own and that nobody here has."""
        tool_text = "\n".join(tool_texts(self.case.question))
        return [unheld_things(text, self.domain, self.vocabulary, tool_text) for text in self.statement_texts]

    @property
    def rules(self) -> list[bool]:
        """True for each sentence that states a rule of the domain and needs a fact check."""
        return [
            claims and rules_in(s.text, self.domain) for s, claims in zip(self.case.sentences, self.claims, strict=True)
        ]

    @cached_property
    def explains(self) -> list[bool]:
        """True for each sentence that explains words of the assistant's last turn."""
        return [explains_itself(s.text, self.case, self.vocabulary) for s in self.case.sentences]

    @cached_property
    def answered(self) -> list[float]:
        """For each sentence, P(it answers the question), from the runs of sentences that contain it (see
        `answer_probabilities`).
        """

        def by_evidence(sentence: int) -> float:
            return answer_held(self.case, sentence, self._claim_readings[sentence].whole.around, self.models)

        return answer_probabilities(self.case, self.models, by_evidence)

    @cached_property
    def answerable(self) -> float:
        """P(the passages answer the question): the highest such probability of the draft that the extractive writer
        quotes from them; 0 if it quotes nothing.
        """
        draft = ExtractiveWriter(self.models).write(self.case.query, self.case.evidence)
        return max(answer_probabilities(replace(self.case, draft=draft), self.models), default=0.0)

    @cached_property
    def agreement(self) -> list[float]:
        """For each sentence, the lowest P(another draft entails it) over the other drafts. A draft without one of the
        sentence's numbers counts as 0.
        """
        drafts = [" ".join(s.text for s in draft.sentences) for draft in self.case.drafts]
        texts, question = [s.text for s in self.case.sentences], self.case.question.standalone
        pairs = [(draft, text) for text in texts for draft in drafts]
        probabilities = self.models.entailer.probabilities(pairs)[:, 0]
        has_numbers = [not unstated_facts(text, f"{draft}\n{question}") for draft, text in pairs]
        return (probabilities * has_numbers).reshape(len(texts), len(drafts)).min(-1).tolist()

    @cached_property
    def drift(self) -> list[float]:
        """For each sentence, its topic drift: its highest cosine with a foreign topic minus its highest cosine with a
        topic of the domain, in [-1, 1]. It is -1 for a sentence without a topic, and for one whose words are mostly in
        its passages.
        """
        on_topic = [score >= _OF_THE_PASSAGES for score in self.own_overlap]
        texts = ["" if is_known else text for text, is_known in zip(self.statement_texts, on_topic, strict=True)]
        return drift(texts, self.domain, self.models.embedder)

    @cached_property
    def _entailed(self) -> tuple[np.ndarray, np.ndarray, Windows]:
        """(which passages judge each sentence: (sentence, passage), NLI probabilities: (sentence, passage, 3), indices
        of the passage sentences that the model read).
        """
        grid, windows = by_passage(self.case, self._claim_readings)
        return np.where(self.abstaining[:, None], 0.0, self.considered), grid, windows

    @property
    def windows(self) -> Windows:
        """For each sentence and passage, the indices of the passage sentences that were its premise; () if none was."""
        return self._entailed[2] if self.case.sentences and self.case.evidence else ()

    @cached_property
    def _claim_readings(self) -> list[SentenceReading]:
        return read_claims(self.case, self.models)

    @cached_property
    def supporting(self) -> list[tuple[Premise, ...]]:
        """For each sentence, the premises that support its claims best, one for each claim; () without evidence."""
        each = zip(self.case.sentences, self._claim_readings, strict=True)
        best = [[claim.supporting(self.case.cited(s)) for claim in reading.claims] for s, reading in each]
        return [tuple(premise for premise in some if premise is not None) for some in best]

    @cached_property
    def support(self) -> list[SentenceSupport]:
        """For each sentence, the hints on whether the passages support it."""
        unheld = [len(facts) for facts in self.unheld]
        readings, reader = self._claim_readings, self.models.reader
        return sentence_support(self.case, readings, self.supporting, unheld, self.crossed, reader)

    @cached_property
    def support_signals(self) -> Signals:
        """The signals of the check `support`; the probability of an abstaining sentence is NaN."""
        signals = support_signals(self.support, len(self.case.passages), self.models.support)
        return signals | {"probability": np.where(self.abstaining, np.nan, signals["probability"])}

    def entailment_signals(self) -> Signals:
        """The three NLI probabilities of each sentence by each passage, and which of them count."""
        considered, grid, _ = self._entailed
        return {
            "entailment": grid[..., 0], "neutral": grid[..., 1], "contradiction": grid[..., 2],
            "considered": considered,
        }  # fmt: skip
