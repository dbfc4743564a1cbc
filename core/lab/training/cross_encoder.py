"""What all training of cross-encoders shares: the initial weights, the inputs as tokens, the precision, and scoring
between steps."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch

_SCORED = 64
"""Pairs per batch of scoring."""
Row = dict[str, Any]
"""A pair as tokens, keyed by the names of the model's inputs, with its target under "labels"."""


def precision() -> str:
    """The precision of training as text: "bf16 autocast", which is twice as fast, if the CPU has bf16 instructions;
    else "fp32"."""
    import torch

    return "bf16 autocast" if torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported() else "fp32"


def autocast() -> AbstractContextManager[object]:
    """The context manager of a forward pass that only scores, in the precision of `precision`."""
    import torch

    return nullcontext() if precision() == "fp32" else torch.autocast("cpu", dtype=torch.bfloat16)


def new_cross_encoder(base: str, labels: tuple[str, ...], seed: int, frozen: int = 0) -> tuple[Any, Any]:
    """(model, tokenizer) with a head of one output per label, randomly initialised by `seed` if the base has none.

    Word vectors are frozen: they are a fifth of the weights, the slowest to update, and good enough. frozen: number of
    lowest layers that are frozen as well, which saves a third of the time. There is no dropout, since a run sees its
    data once or twice, and random numbers are slow on a CPU. Eager attention trains a quarter faster in bf16 on a CPU
    than the fused one.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(seed)
    logging.getLogger("transformers").setLevel(logging.ERROR)  # no warning of the new head, which is intended
    model = AutoModelForSequenceClassification.from_pretrained(
        base, num_labels=len(labels), id2label=dict(enumerate(labels)), dtype=torch.float32,
        attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, attn_implementation="eager",
    )  # fmt: skip
    model.get_input_embeddings().weight.requires_grad_(False)
    if frozen:
        body = model.base_model
        shared = getattr(body.encoder, "relative_attention_bias", None)
        for part in (body.embeddings, shared, *body.encoder.layer[:frozen]):
            if part is not None:
                part.requires_grad_(False)
    return model, AutoTokenizer.from_pretrained(base)


def fingerprint(rows: Sequence[Any]) -> str:
    """A short digest of the rows and their order, so that no run continues with other rows."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def encoded(pairs: Sequence[tuple[str, str]], targets: Sequence[int], tokenizer: Any, tokens: int) -> list[Row]:
    """The pairs as tokens, at most `tokens` each; the longer text of a pair is truncated."""
    table = tokenizer([a for a, _ in pairs], [b for _, b in pairs], truncation="longest_first", max_length=tokens)
    return [{k: column[n] for k, column in table.items()} | {"labels": target} for n, target in enumerate(targets)]


def length(row: Row) -> int:
    return len(row["input_ids"])


def collated(rows: Sequence[Row], tokenizer: Any) -> dict[str, "torch.Tensor"]:
    """Padded inputs of the rows, shape (rows, tokens), and their targets, shape (rows, ...)."""
    return dict(tokenizer.pad(rows, return_tensors="pt"))


def forward_passes(model: Any, tokenizer: Any, rows: Sequence[Row]) -> Iterator[tuple[list[int], dict, "torch.Tensor"]]:
    """Yield (indices of the rows, their inputs, the model's outputs) for each batch of rows of similar length."""
    import torch

    order = sorted(range(len(rows)), key=lambda n: length(rows[n]))
    model.eval()
    for start in range(0, len(order), _SCORED):
        places = order[start : start + _SCORED]
        inputs = collated([rows[n] for n in places], tokenizer)
        targets = inputs.pop("labels")
        with torch.inference_mode(), autocast():
            logits = model(**inputs).logits.float()
        yield places, inputs | {"labels": targets}, logits


class Trained:
    """A model in training with the interface of core.models.cross_encoders.CrossEncoder."""

    most_tokens = 512

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.id2label = {int(n): label for n, label in model.config.id2label.items()}

    def tokens(self, text: str) -> int:
        return len(self.tokenizer.tokenize(text))

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """The model's outputs for each pair, shape (pairs, labels)."""
        rows = encoded(pairs, [0] * len(pairs), self.tokenizer, self.most_tokens)
        rows_of_logits = np.zeros((len(rows), self.model.config.num_labels))
        for places, _, logits in forward_passes(self.model, self.tokenizer, rows):
            rows_of_logits[places] = logits.numpy()
        return rows_of_logits
