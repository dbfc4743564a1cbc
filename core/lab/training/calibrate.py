"""Fits the calibration of the embedder: python -m core.lab.training.calibrate --data DIR. With --model, that of a
cross-encoder instead.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from core.judgements import LABELS
from core.lab.figure_files import dated, store_figures
from core.lab.training.calibration_samples import Retrieved, other_population, textbook_populations
from core.lab.training.fitting import Platt, corrected_platt, curve, platt, reliability, temperature
from core.lab.training.nli_datasets import DEV_SETS, GROUPS, TWO_CLASS, Pair, dev_pairs, groups_of
from core.models.calibration import FILE
from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.models.embedder import bundled_embedder
from core.models.entailer import columns_of
from core.models.reranker import best_logits
from core.models.weights import SHIPPED
from core.retrieval.scoring import fuse

GRID = np.round(np.arange(0.0, 1.01, 0.1), 1)
"""Candidate weights of the cosine in the hybrid score; the share of words has the rest."""
KNOTS = np.round(np.linspace(0.0, 1.0, 41), 3)
"""Scores at which the fitted curve is stored."""
WEIGHTS = {"held": 1.0, "not held": 0.5, "off topic": 0.5}
"""The total weight of each population of questions in a fit.

"held" are the questions that the library answers, here assumed to be half of all.
"""
_OTHERS = ("dev_fairytaleqa", "dev_entbank")


LABELS_OF = {"related": "about", "hybrid": "answers"}
"""The label of a retrieved passage for which each probability is fitted."""
Labelled = tuple[np.ndarray, np.ndarray, np.ndarray]
"""(raw scores, labels, weights) of some passages, each of shape (passages,)."""


def table_of(
    populations: Mapping[str, Sequence[Retrieved]], weights: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """The retrieved passages of all populations, one row each, with their population and their weight. The rows of a
    population together have its weight in `weights`, or 1."""
    table = pd.DataFrame([{"population": name, **vars(r)} for name, some in populations.items() for r in some])
    sizes = table["population"].map({name: len(some) for name, some in populations.items()})
    return table.assign(weight=table["population"].map(weights or {}).fillna(1.0) / sizes)


def labelled(table: pd.DataFrame, score: str, dense_weight: float, fitting: bool, population: str = "") -> Labelled:
    """The labelled passages of one half, of one population or ("") of all.

    The raw score of "related" is the cosine; that of "hybrid" is the weighted mean of the cosine and the BM25 share.
    dense_weight: the weight of the cosine.
    """
    rows = table[(table["fitting"] == fitting) & table[LABELS_OF[score]].notna()]
    rows = rows[rows["population"] == population] if population else rows
    cosine, share, label, weight = (
        rows[name].to_numpy(float) for name in ("cosine", "share", LABELS_OF[score], "weight")
    )
    return cosine if score == "related" else fuse(cosine, share, dense_weight), label, weight


def reliability_of(curve: Platt, passages: Labelled) -> dict[str, float] | None:
    """The reliability of the probabilities of `curve`; None without passages."""
    scores, labels, weights = passages
    return reliability(curve(scores), labels, weights) if len(scores) else None


def embedder_calibration(populations: dict[str, list[Retrieved]], others: dict[str, list[Retrieved]]) -> dict[str, Any]:
    """The content of the embedder's calibration file: the fitted curves, and their reliability on both halves, on each
    population of the held-out half, and on `others`.

    The curves are fitted on one half of `populations`; `others` are data sets that no fit has seen.
    """
    table, losses = table_of(populations, WEIGHTS), {}
    for weight in GRID.tolist():
        passages = labelled(table, "hybrid", weight, True)
        losses[weight] = reliability_of(platt(*passages), passages)["log_loss"]
    dense_weight, maps, reliabilities = min(losses, key=losses.get), {}, {}
    for score in LABELS_OF:
        curve = platt(*labelled(table, score, dense_weight, True))
        maps[score] = {"scores": KNOTS.tolist(), "probabilities": np.round(curve(KNOTS), 5).tolist()}
        of_half = {half: labelled(table, score, dense_weight, half == "fitting") for half in ("fitting", "held_out")}
        of_population = {name: labelled(table, score, dense_weight, False, name) for name in WEIGHTS}
        of_others = {n: labelled(table_of({n: some}), score, dense_weight, False) for n, some in sorted(others.items())}
        reliabilities[score] = {half: reliability_of(curve, some) for half, some in of_half.items()} | {
            "held_out_by_population": {name: reliability_of(curve, some) for name, some in of_population.items()},
            "other_data": {name: reliability_of(curve, some) for name, some in of_others.items()},
        }
    about = {"populations": WEIGHTS, "dense_weight_log_loss": losses, "reliability": reliabilities}
    return {"dense_weight": dense_weight, "maps": maps, "fitted_on": about}


_PRECISION, _RECALL = 0.64, 0.69
"""Precision and recall of the weak label "answers", measured on 126 passages that a person labelled."""
_KNOTS = np.linspace(-12.0, 12.0, 49)
"""Logits at which the fitted curve is stored."""
_MOST = 600
"""Maximum pairs of each set."""
_MOST_READ = 1_500
"""Maximum pairs of each population for a reranker, which takes a hundred times as long per pair as the search."""


def nli_calibration(model: CrossEncoder, data: Path) -> dict[str, Any]:
    """The softmax temperature of the NLI model, and its reliability on unseen pairs.

    The temperature is fitted on one half of every set with three labels, each with equal weight, and the figures are
    those of the other half. Our own groups of sentences are left out: a passage may have been reworded since the model
    was trained, so that it is not known which ones the model has not seen.
    """
    fitting, reporting = (_Labelled(model, _pairs(data, half)) for half in (True, False))
    fitted_temperature = temperature(fitting.logits, fitting.targets, fitting.weights)
    return {
        "temperature": round(fitted_temperature, 4),
        "reliability": {"before": reporting.reliability_at(1.0), "after": reporting.reliability_at(fitted_temperature)},
    }


class _Labelled:
    """The logits of labelled pairs of all sets, their columns in the order of LABELS, and weights that sum to the same
    total for every set."""

    def __init__(self, model: CrossEncoder, sets: dict[str, list[Pair]]) -> None:
        pairs = [p for pairs_of_set in sets.values() for p in pairs_of_set]
        self.logits = model.logits([(p.premise, p.hypothesis) for p in pairs])[
            :, columns_of(model.id2label, "the model")
        ]
        self.targets = np.array([LABELS.index(p.label) for p in pairs])
        self.weights = np.concatenate(
            [np.full(len(pairs_of_set), 1 / len(pairs_of_set)) for pairs_of_set in sets.values()]
        )

    def reliability_at(self, temperature_: float) -> dict[str, Any]:
        """The reliability of the probability of the predicted label, at this softmax temperature, and its reliability
        diagram."""
        powers = np.exp((self.logits - self.logits.max(1, keepdims=True)) / temperature_)
        sure, right = (powers / powers.sum(1, keepdims=True)).max(1), self.logits.argmax(1) == self.targets
        return _reliability_and_curve(sure, right.astype(float), self.weights)


def _pairs(data: Path, fitting: bool) -> dict[str, list[Pair]]:
    pairs_by_set = {name: dev_pairs(data, name, fitting, _MOST) for name in DEV_SETS}
    three = {name: [p for p in pairs if p.label != TWO_CLASS] for name, pairs in pairs_by_set.items()}
    return {name: pairs for name, pairs in three.items() if pairs}


def answers_calibration(model: CrossEncoder, data: Path) -> dict[str, Any]:
    """The map from the reranker's logit to P(answers), and its reliability.

    The map is fitted on one half of the textbook questions, whose labels are noisy, with a correction for that noise.
    The figures are those of data labelled by people: other data sets, and the groups held out from training.
    """
    embedder, random = bundled_embedder(), Random(0)
    all_populations = textbook_populations(data, embedder)
    populations = {name: random.sample(some, min(_MOST_READ, len(some))) for name, some in all_populations.items()}
    table = table_of(populations, WEIGHTS)
    table["logit"] = _logits(model, [r for some in populations.values() for r in some])
    known = table[table["answers"].notna()]
    rows, held_out = known[known["fitting"]], known[~known["fitting"]]
    is_clean, (labels, weights) = rows["population"] == "off topic", (rows[n].to_numpy() for n in ("answers", "weight"))
    positive_rate = float(np.average(labels[~is_clean], weights=weights[~is_clean]))
    false_positive_rate = (1 - _PRECISION) * positive_rate / (1 - _PRECISION * positive_rate / _RECALL)
    answers_map = corrected_platt(
        rows["logit"].to_numpy(), labels, weights, np.where(is_clean, 1.0, _RECALL),
        np.where(is_clean, 0.0, false_positive_rate),
    )  # fmt: skip
    others = {name: [r for r in other_population(data, name, embedder) if not r.fitting] for name in _OTHERS}
    reliability_by_population = {
        n: _reliability_of(answers_map, model, random.sample(some, min(_MOST, len(some)))) for n, some in others.items()
    }
    reliability_by_population["groups"] = _reliability_of(answers_map, model, list(_held_out_groups()))
    reliability_by_population["weak_labels"] = _reliability_and_curve(
        answers_map(held_out["logit"].to_numpy()), held_out["answers"].to_numpy(), held_out["weight"].to_numpy()
    )
    return {
        "answers": {"scores": _KNOTS.tolist(), "probabilities": np.round(answers_map(_KNOTS), 6).tolist()},
        "slope": answers_map.slope, "offset": answers_map.offset, "reliability": reliability_by_population,
    }  # fmt: skip


def _held_out_groups() -> Iterable[Retrieved]:
    """Yield two rows for each held-out group: its passage with the question that it answers (label 1), and with the
    question that it leaves open (label 0)."""
    for group in groups_of(GROUPS):
        for question, answers in ((group.answered, 1.0), (group.open, 0.0)) if group.held_out else ():
            yield Retrieved(
                fitting=False, cosine=np.nan, share=np.nan, about=1.0, answers=answers, pair=(question, group.passage)
            )


def _reliability_of(answers_map: Platt, model: CrossEncoder, retrieved: Sequence[Retrieved]) -> dict[str, Any]:
    labels = np.array([r.answers for r in retrieved])
    return _reliability_and_curve(answers_map(_logits(model, retrieved)), labels, np.ones(len(labels)))


def _logits(model: CrossEncoder, retrieved: Sequence[Retrieved]) -> np.ndarray:
    return best_logits(model, [r.pair for r in retrieved]).astype(float)


def _reliability_and_curve(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> dict[str, Any]:
    return reliability(probabilities, labels, weights) | {"curve": curve(probabilities, labels, weights)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--model", type=Path, help="the folder of a cross-encoder (default: the bundled embedder)")
    parser.add_argument("--out", type=Path, default=SHIPPED / "calibration", help="where the embedder's is written")
    options = parser.parse_args(arguments)
    if options.model:
        path, model = options.model / FILE, cross_encoder(options.model.resolve())
        if len(model.id2label) > 1:
            calibration = nli_calibration(model, options.data)
        else:
            calibration = answers_calibration(model, options.data)
    else:
        embedder = bundled_embedder()
        others = {name: other_population(options.data, name, embedder) for name in _OTHERS}
        calibration = dated(embedder_calibration(textbook_populations(options.data, embedder), others))
        path = options.out / f"{embedder.digest[:16]}.json"
    store_figures(path, calibration)
    print(json.dumps(calibration, indent=1))


if __name__ == "__main__":
    main()
