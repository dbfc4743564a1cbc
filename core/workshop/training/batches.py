"""Examples in batches of about the same length, in an order that depends on the seed and the epoch alone."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import torch

_POOL = 64
"""Batches that are sorted by length together: large enough to waste no padding, small enough to stay random."""


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


def collated(items: Sequence[Encoded], tokenizer: Any) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Padded inputs of all pairs of the items, shape (pairs, tokens), and their targets, shape (items, ...)."""
    inputs = tokenizer.pad([i for item in items for i in item.inputs], return_tensors="pt")
    return dict(inputs), torch.tensor([item.target for item in items])
