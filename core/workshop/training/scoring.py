"""How well a cross-encoder does: accuracy of NLI labels by set and by kind of change, ranks of passages."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.models.cross_encoders import CrossEncoder
from core.nli import LABELS
from core.workshop.training.batches import Example, collated, encoded
from core.workshop.training.pairs import TWO_CLASS, Pair
from core.workshop.training.precision import autocast

TEXTBOOK = Path(__file__).parents[3] / "data" / "nli" / "textbook.jsonl"
_BATCH = 64


class Trained:
    """A model in training, read as the app reads one (core.models.cross_encoders.CrossEncoder)."""

    most_tokens = 512

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.id2label = {int(n): label for n, label in model.config.id2label.items()}

    def tokens(self, text: str) -> int:
        return len(self.tokenizer.tokenize(text))

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """The model's outputs of each pair, shape (pairs, labels); batches sorted by length."""
        items = encoded([Example(pairs=(p,), target=0) for p in pairs], self.tokenizer, self.most_tokens)
        order = sorted(range(len(items)), key=lambda n: items[n].tokens)
        found = np.zeros((len(items), self.model.config.num_labels))
        self.model.eval()
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            inputs, _ = collated([items[n] for n in places], self.tokenizer)
            with torch.inference_mode(), autocast():
                found[places] = self.model(**inputs).logits.float().numpy()
        return found


def labels(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The label of each (premise, hypothesis), by the names that the model gives its outputs."""
    names = [model.id2label[n].casefold() for n in range(len(LABELS))]
    return [names[n] for n in model.logits(list(pairs)).argmax(-1)]


def right(pairs: Sequence[Pair], found: Sequence[str]) -> list[bool]:
    """Which labels are right; a two-class pair only asks whether it is entailment."""
    return [
        (label != LABELS[0]) if pair.label == TWO_CLASS else label == pair.label
        for pair, label in zip(pairs, found, strict=True)
    ]


def accuracy(model: CrossEncoder, pairs: Sequence[Pair]) -> float:
    found = labels(model, [(p.premise, p.hypothesis) for p in pairs])
    return float(np.mean(right(pairs, found)))


def textbook_rows(path: Path = TEXTBOOK) -> list[dict[str, Any]]:
    """The textbook test: premise, hypothesis, label, change, subject, class_number."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def textbook_figures(model: CrossEncoder) -> dict[str, Any]:
    """Accuracy on the textbook test with n: in all, by label and by kind of change."""
    rows = textbook_rows()
    found = labels(model, [(r["premise"], r["hypothesis"]) for r in rows])
    hits = [label == r["label"] for r, label in zip(rows, found, strict=True)]
    return {"all": _share(hits), **{k: _by(rows, hits, k) for k in ("label", "change")}}


def _by(rows: Sequence[dict[str, Any]], hits: Sequence[bool], key: str) -> dict[str, Any]:
    kinds = sorted({r[key] for r in rows})
    return {kind: _share(h for r, h in zip(rows, hits, strict=True) if r[key] == kind) for kind in kinds}


def _share(hits: Iterable[bool]) -> dict[str, float]:
    hits = list(hits)
    return {"accuracy": round(sum(hits) / len(hits), 4), "n": len(hits)}


def rank_figures(ranks: Sequence[int]) -> dict[str, float]:
    """MRR@10 and recall@1 of the ranks (from 1) of the first right passage of each question."""
    found = np.array(ranks)
    return {
        "mrr_at_10": round(float(np.where(found <= 10, 1 / found, 0).mean()), 4),
        "recall_at_1": round(float((found == 1).mean()), 4),
        "n": len(ranks),
    }
