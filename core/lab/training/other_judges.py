"""Judges with which the check `support` is compared: plain entailment, LongTracer and a language model.

Every judge gets the same passages. The first two use the embedder and the entailer that ship with the app.
"""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.case import Case
from core.judgements import LABELS
from core.models.profile import Models
from core.question import Context, Scope
from core.retrieval.retriever import search_contexts
from core.writers.llm_judge import FactJudge
from core.writers.qwen import is_installed, qwen

HALF = 0.5
"""The limit for P(entailment) and P(yes)."""
_SHOWN = 2_400
"""Maximum characters of passages that a language model on this computer reads at once, as for the judge in the app."""


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """A judge's opinion on one answer. score: higher if the passages are more likely to support the answer. passes:
    True if the judge calls the answer supported."""

    score: float
    passes: bool


Judge = Callable[[Case], Opinion]


def other_judges(models: Models, home: Path) -> Mapping[str, Judge]:
    """The judges that are installed, by their name in the figures. home: the run-time folder with the language model's
    file."""
    judges: dict[str, Judge] = {"plain": lambda case: _plain(case, models)}
    if importlib.util.find_spec("longtracer"):
        judges["longtracer"] = _longtracer(models)
    if is_installed(home):
        judges["language_model"] = _language_model(models, home)
    return judges


def _answer(case: Case) -> str:
    return " ".join(sentence.text for sentence in case.sentences)


def _plain(case: Case, models: Models) -> Opinion:
    """An opinion by entailment alone. Its score is the highest P(entailment) of the whole answer, given one whole
    passage; a passage too long for the model is read in windows."""
    pairs = [(passage.text, _answer(case)) for passage in case.passages]
    sure = float(models.entailer.probabilities(pairs)[:, LABELS.index("entailment")].max())
    return Opinion(score=sure, passes=sure >= HALF)


def _language_model(models: Models, home: Path) -> Judge:
    """A judge by the language model on this computer. It reads the sentences of the passages that are nearest to the
    answer, and its score is the lowest P(yes) of the answer's sentences."""
    judge = FactJudge(qwen(home), _SHOWN)

    def opinion(case: Case) -> Opinion:
        sure = min(judge(_shortened(case, models)).yes)
        return Opinion(score=sure, passes=sure >= HALF)

    return opinion


def _shortened(case: Case, models: Models) -> Case:
    """The case with a single passage, which the language model reads: the sentences nearest to the answer, in their
    order, up to _SHOWN characters."""
    texts = list(dict.fromkeys(text for passage in case.passages for text in passage.sentences))
    vectors = models.embedder.encode([*texts, _answer(case)])
    room, places = _SHOWN, []
    for index in np.argsort(-(vectors[:-1] @ vectors[-1]), kind="stable"):
        if len(texts[index]) < room:
            places.append(index)
            room -= len(texts[index]) + 1
    contexts = (Context(text=" ".join(texts[index] for index in sorted(places))),)
    return replace(case, evidence=search_contexts(case.query, Scope(), contexts, models).evidence)


def _longtracer(models: Models) -> Judge:
    """A judge by LongTracer (pip install --no-deps longtracer==0.3.1), with our embedder and entailer instead of its
    own networks.

    LongTracer's small language model is off. The score is the mean similarity of the claims to the passages.
    """
    from longtracer.guard import nli_model
    from longtracer.guard.verifier import CitationVerifier

    nli_model.SentenceTransformer = lambda _: _Sentences(models.embedder)
    nli_model.CrossEncoder = lambda _: _Pairs(models.entailer)
    nli_model.get_shared_model(verbose=False, use_slm=False)
    verifier = CitationVerifier()

    def opinion(case: Case) -> Opinion:
        result = verifier.verify(_answer(case), [passage.text for passage in case.passages])
        return Opinion(score=float(result.trust_score), passes=result.verdict == "PASS")

    return opinion


class _Sentences:
    """Our embedder with the interface of sentence-transformers."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        return self._embedder.encode(texts)


class _Pairs:
    """Our entailer with the interface of sentence-transformers' cross-encoder.

    Its outputs are in the order that LongTracer expects: contradiction, neutral, entailment.
    """

    _ORDER = [LABELS.index(label) for label in ("contradiction", "neutral", "entailment")]

    def __init__(self, entailer: Any) -> None:
        self._entailer = entailer

    def predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        return np.log(self._entailer.probabilities(pairs)[:, self._ORDER])
