"""A cross-encoder that learns: from which weights, in what batches and precision, and how it is read meanwhile."""

import hashlib
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from core.models.weights import minilm, verified

if TYPE_CHECKING:
    import torch

MPNET_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
_SCORED = 64
"""Pairs that are scored together."""
_POOL = 64
"""Batches that are sorted by length together: large enough to waste no padding, small enough to stay random."""


def precision() -> str:
    """bf16 where the CPU reckons in it, which halves the time; else fp32, since bf16 would be many times slower."""
    import torch

    return "bf16 autocast" if torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported() else "fp32"


def autocast() -> AbstractContextManager[object]:
    """What a forward pass of training or scoring runs in."""
    import torch

    return nullcontext() if precision() == "fp32" else torch.autocast("cpu", dtype=torch.bfloat16)


def base_folder(base: str) -> Path:
    """The folder of a base: "minilm" is the bundled one; a folder called all-mpnet-base-v2 must hold those weights."""
    if base == "minilm":
        return minilm()
    folder = Path(base)
    return verified(folder, MPNET_SHA256) if folder.name == "all-mpnet-base-v2" else folder


def new_cross_encoder(base: str, labels: tuple[str, ...], seed: int, frozen: int = 0) -> tuple[Any, Any]:
    """(model, tokenizer) with a head of one output a label, drawn from the seed unless it has one; word vectors frozen.

    The word vectors are a fifth of the weights and the slowest to update, and they are good as they are. frozen: that
    many of the lowest layers, and all below them, learn nothing either, which takes a third of the time off. Nothing
    is dropped out, since a run sees its data once or twice and drawing the numbers takes long on a CPU; plain attention
    learns a quarter faster there in bf16 than the fused one.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = base_folder(base)
    torch.manual_seed(seed)
    logging.getLogger("transformers").setLevel(logging.ERROR)  # that the head is new is what we want
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=len(labels), id2label=dict(enumerate(labels)), dtype=torch.float32,
        attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, attn_implementation="eager",
    )  # fmt: skip
    model.get_input_embeddings().weight.requires_grad_(False)
    if frozen:
        _freeze(model.base_model, frozen)
    return model, AutoTokenizer.from_pretrained(folder)


def _freeze(body: Any, layers: int) -> None:
    """What all layers share stands below the lowest, so it is frozen with it."""
    shared = getattr(body.encoder, "relative_attention_bias", None)
    for part in (body.embeddings, shared, *body.encoder.layer[:layers]):
        if part is not None:
            part.requires_grad_(False)


@dataclass(frozen=True, kw_only=True)
class Example:
    """What one training step sees of one item: pairs of texts that are scored together, and their target."""

    pairs: tuple[tuple[str, str], ...]
    target: int


def fingerprint(examples: Sequence[Example]) -> str:
    """A short name of these very examples in this order, so that no run goes on with others."""
    return hashlib.sha256(repr(examples).encode()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """An example as tokens: one mapping of model inputs a pair."""

    inputs: tuple[dict[str, list[int]], ...]
    target: int | tuple[int, ...]

    @property
    def tokens(self) -> int:
        return max(len(i["input_ids"]) for i in self.inputs)


def encoded(examples: Sequence[Example], tokenizer: Any, tokens: int) -> list[Encoded]:
    """The examples as tokens, at most `tokens` a pair; the longer text of a pair gives way."""
    pairs = [p for e in examples for p in e.pairs]
    table = tokenizer([a for a, _ in pairs], [b for _, b in pairs], truncation="longest_first", max_length=tokens)
    each = iter([{k: column[n] for k, column in table.items()} for n in range(len(pairs))])
    return [Encoded(inputs=tuple(next(each) for _ in e.pairs), target=e.target) for e in examples]


def batches(items: Sequence[Encoded], size: int, seed: int, epoch: int) -> list[list[int]]:
    """Places of the items of each batch of one epoch: shuffled, then sorted by length within pools."""
    random = Random(f"{seed}/{epoch}")
    order = list(range(len(items)))
    random.shuffle(order)
    found = []
    for start in range(0, len(order), size * _POOL):
        pool = sorted(order[start : start + size * _POOL], key=lambda n: items[n].tokens)
        cut = [pool[i : i + size] for i in range(0, len(pool), size)]
        random.shuffle(cut)
        found += cut
    return found


def collated(items: Sequence[Encoded], tokenizer: Any) -> tuple[dict[str, "torch.Tensor"], "torch.Tensor"]:
    """Padded inputs of all pairs of the items, shape (pairs, tokens), and their targets, shape (items, ...)."""
    import torch

    inputs = tokenizer.pad([i for item in items for i in item.inputs], return_tensors="pt")
    return dict(inputs), torch.tensor([item.target for item in items])


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
        import torch

        items = encoded([Example(pairs=(p,), target=0) for p in pairs], self.tokenizer, self.most_tokens)
        order = sorted(range(len(items)), key=lambda n: items[n].tokens)
        found = np.zeros((len(items), self.model.config.num_labels))
        self.model.eval()
        for start in range(0, len(order), _SCORED):
            places = order[start : start + _SCORED]
            inputs, _ = collated([items[n] for n in places], self.tokenizer)
            with torch.inference_mode(), autocast():
                found[places] = self.model(**inputs).logits.float().numpy()
        return found
