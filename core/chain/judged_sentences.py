"""Each sentence of an answer as it was judged: where it comes from, what the passages say of it, what is against it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.case import Round, Sentence
from core.check import Bound, Check
from core.checks.entailment import labelled, sentence_probabilities
from core.nli import LABELS
from core.thresholds import Preset

WORDS = {"entailment": "says it", "neutral": "leaves it open", "contradiction": "says otherwise"}
"""What a passage does with a sentence, in plain words, by NLI label."""


@dataclass(frozen=True, kw_only=True)
class JudgedSentence:
    """One sentence with its citations and its NLI label. label is None when NLI did not run.

    citations: places of passages from 1, those marked, or the one found by us (`attributed`).
    supported: the passages say it, by the label.
    """

    text: str
    citations: tuple[int, ...]
    attributed: bool
    label: str | None
    entailment: float | None
    neutral: float | None
    contradiction: float | None

    @property
    def supported(self) -> bool:
        return self.label == "entailment"


def judged_sentences(measured: Round, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The sentences of the draft of one round, in order."""
    labels = _labels(measured)
    return tuple(
        JudgedSentence(
            text=sentence.text, **_citations(measured, n, sentence, preset),
            label=label, entailment=probabilities[0], neutral=probabilities[1], contradiction=probabilities[2],
        )
        for n, (sentence, (label, probabilities)) in enumerate(zip(measured.case.sentences, labels, strict=True))
    )  # fmt: skip


def deciding(measured: Round, place: int) -> dict[int, int]:
    """Sentence of the passage at `place` -> sentence of the answer that it decided, by what language inference read."""
    found: dict[int, int] = {}
    signals = measured.signals.get("entailment")
    for s, windows in enumerate(measured.windows):
        if signals is not None and signals["considered"][s][place]:
            found |= {i: s for i in windows[place] if i not in found}
    return found


def cited_page(measured: Round, place: int, sentences: Sequence[Sentence | JudgedSentence]) -> int:
    """The page on which begins what `sentences` cite of the passage at `place`: the sentence that they quote, else the
    one that decided, else the first that was read."""
    evidence = measured.case.evidence[place]
    said = {s.text for s in sentences if place + 1 in s.citations}
    quoted = [i for i, text in enumerate(evidence.passage.sentences) if text in said]
    matter = quoted or sorted(deciding(measured, place)) or evidence.kept
    return evidence.passage.pages[matter[0]] if matter else evidence.passage.page


def _citations(measured: Round, n: int, sentence: Sentence, preset: Preset) -> dict:
    """The marks of a sentence, or the passage that we found for it in an answer without marks."""
    signals = measured.signals.get("citations")
    limit = Check.registry["citations"].bind(preset).min_attribution
    found = signals is not None and bool(signals["unmarked"]) and signals["attribution"][n] >= limit
    if not found or not measured.case.evidence:
        return {"citations": sentence.citations, "attributed": False}
    return {"citations": (int(signals["nearest"][n]) + 1,), "attributed": True}


def _labels(measured: Round) -> list[tuple[str | None, tuple]]:
    """(label, its three probabilities) of each sentence; None throughout when NLI did not run."""
    signals = measured.signals.get("entailment")
    if signals is None:
        return [(None, (None, None, None))] * len(measured.case.sentences)
    probabilities = sentence_probabilities(Bound(**signals))
    places = labelled(probabilities)
    return [(LABELS[i], tuple(float(x) for x in row)) for i, row in zip(places, np.asarray(probabilities), strict=True)]
