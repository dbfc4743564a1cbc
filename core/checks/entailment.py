"""Do the passages say what the answer says?"""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Round, Signals
from core.check import Bound, Check, Features, NotApplicable, Signal, require_claim
from core.decision import Decision, highest, lowest, position_list
from core.judgements import decisiveness
from core.thresholds import Threshold

_PAIRS = ("sentence", "passage")


class Entailment(Check):
    """The passages contradict no sentence and leave none clearly open. A passage leaves a sentence open if it neither
    supports nor contradicts it; a sentence left open with a low probability passes, but does not count as supported.

    Each sentence is compared with the passages that it cites, else with the one closest in meaning. The clearest
    comparison gives the label; a sentence that is in a passage word for word counts as supported. Catches changed facts
    and additions. Blind to what the language model itself misreads, such as one changed word in a long sentence.
    """

    short = "Meaning"
    faults = {"": "contradicted", "nli_threshold": "uncertain"}
    plain = "The answer means the same as the passages"
    source_document = "C"
    stage = "answer"

    entailment = Signal(items=_PAIRS, gaps=True, unit="probability", help="The passage supports the sentence.")
    neutral = Signal(items=_PAIRS, gaps=True, unit="probability", help="The passage leaves the sentence open.")
    contradiction = Signal(items=_PAIRS, gaps=True, unit="probability", help="The passage contradicts the sentence.")
    considered = Signal(
        items=_PAIRS, whole=True, unit="yes or no", help="1 where the sentence is judged by the passage."
    )

    nli_threshold = Threshold(
        label="Max. uncertainty", default=0.7, unit="probability", stricter="lower", source_document="C",
        help="A sentence that the passages leave open fails when its neutral probability is above this.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return read_by_passage(case, features)

    def reduced(self, s: Bound) -> Bound:
        probabilities = sentence_probabilities(s)  # (..., sentence, label)
        label = label_indices(probabilities)
        contradicted = (label == 2).any(-1)
        most = np.max(np.where(label[..., None] == np.arange(3), probabilities, 0.0), axis=-2, initial=0.0)
        value = np.where(contradicted, most[..., 2], most[..., 1])
        return Bound(contradicted=contradicted, value=value, compared=(label >= 0).any(-1))

    def decide_reduced(self, r: Bound, t: Bound) -> Decision:
        limit = np.where(r.contradicted > 0, 0.0, t.nli_threshold)
        margin = np.where(r.compared > 0, limit - r.value, np.nan)
        by = np.where(r.contradicted > 0, "", "nli_threshold")
        return Decision(*np.broadcast_arrays(r.value, limit, margin), by)

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        probabilities = sentence_probabilities(s)
        return {"nli_threshold": probabilities[label_indices(probabilities) == 1, 1]}

    def reason(self, s: Bound, t: Bound) -> str:
        return "hallucination_detected" if (label_indices(sentence_probabilities(s)) == 2).any() else "low_grounding"

    def deciding(self, s: Bound, t: Bound) -> int | None:
        probabilities = sentence_probabilities(s)
        label = label_indices(probabilities)
        for index in (2, 1):
            if (label == index).any():
                return highest(np.where(label == index, probabilities[:, index], np.nan))
        return lowest(probabilities[:, 0])

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        probabilities = sentence_probabilities(s)
        label = label_indices(probabilities)
        if contradictions := position_list(label == 2):
            return f"The book contradicts sentence {contradictions}."
        is_open = label == 1
        if open_sentences := position_list(is_open & (probabilities[:, 1] > t.nli_threshold)):
            return f"The book does not support sentence {open_sentences}."
        weak = position_list(is_open)
        note = f" It leaves sentence {weak} open, but not clearly enough to fail." if weak else ""
        return f"The book supports {(label == 0).sum()} of {len(label)} sentences.{note}"


def read_by_passage(case: Case, features: Features) -> Signals:
    """The NLI probabilities of each sentence by each passage. Raises NotApplicable without a claim or a passage."""
    require_claim(case, features)
    if not case.evidence:
        raise NotApplicable("there is no passage to compare the answer with")
    return features.entailment_signals()


def sentence_probabilities(s: Bound) -> np.ndarray:
    """The NLI probabilities of each sentence by its most decided passage (`core.judgements.decisiveness`) among those
    in the signal `considered`: (..., sentence, 3) in the order of LABELS; NaN for padding.
    """
    grid = np.stack([s.entailment, s.neutral, s.contradiction], -1)  # (..., sentence, passage, label)
    if not grid.shape[-2]:
        return np.full((*grid.shape[:-2], 3), np.nan)
    rank = np.where((s.considered > 0) & ~np.isnan(s.neutral), decisiveness(grid), -np.inf)
    best_index = np.argmax(rank, -1)[..., None, None]
    probabilities = np.take_along_axis(grid, best_index, -2)[..., 0, :]
    return np.where(np.isinf(rank).all(-1)[..., None], np.nan, probabilities)


def read_of(measured_round: Round) -> np.ndarray | None:
    """The three NLI probabilities of each sentence of one round, (sentence, 3); None if the check did not run."""
    signals = measured_round.signals.get("entailment")
    return None if signals is None else sentence_probabilities(Bound(**signals))


def said_by_passages(measured_round: Round) -> np.ndarray:
    """True for each sentence whose NLI label is entailment; all False if the check did not run: bool (sentence,)."""
    probabilities = read_of(measured_round)
    if probabilities is None:
        return np.zeros(len(measured_round.case.sentences), dtype=bool)
    return label_indices(probabilities) == 0


def label_indices(probabilities: np.ndarray) -> np.ndarray:
    """Index in LABELS of the most probable label along the last axis; -1 for padding."""
    is_padding = np.isnan(probabilities).any(-1)
    return np.where(is_padding, -1, np.argmax(np.nan_to_num(probabilities), -1))
