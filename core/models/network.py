"""The part of a network that does not depend on its runtime: tokens, batches and outputs."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

import numpy as np
from tokenizers import Encoding, Tokenizer

from core.models import ModelError
from core.models.weights import tokenizer_file

_BATCH = 16
"""Maximum pairs per batch. More would need more padding; far fewer would leave the processor idle."""

Inputs = dict[str, np.ndarray]


class Network(ABC):
    """A network that reads one text or two texts together. Not thread-safe: the caller holds a lock."""

    at_once = 1
    """Number of batches that run at the same time, each on its own processors."""

    def __init__(self, folder: Path, inputs: Sequence[str]) -> None:
        """inputs: the names of the graph's inputs for token ids, attention mask and token types, in this order."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.id2label = {int(n): label for n, label in config["id2label"].items()}
        self._pad_id = int(config.get("pad_token_id") or 0)
        self.most_tokens = int(config["max_position_embeddings"]) - self._pad_id - (1 if self._pad_id else 0)
        self._inputs = tuple(inputs)
        self._tokenizer = Tokenizer.from_file(str(tokenizer_file(folder)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @abstractmethod
    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        """Yield the outputs of each batch, in order."""

    def tokens(self, text: str) -> int:
        """The number of tokens of `text`, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The outputs for each pair, float32, shape (pairs, labels). Raises ModelError for a pair that is too long."""
        logits = np.zeros((len(pairs), len(self.id2label)), dtype=np.float32)
        for indices, _, output in self._outputs(self._encode(pairs)):
            logits[indices] = output
        return logits

    def token_logits(self, pairs: list[tuple[str, str]]) -> list[tuple[Encoding, np.ndarray]]:
        """For each pair, its tokens and the outputs for them, shape (tokens, labels). Only for a network with an output
        for every token.
        """
        by_index: dict[int, tuple[Encoding, np.ndarray]] = {}
        for indices, encodings, output in self._outputs(self._encode(pairs)):
            by_index.update((n, (e, row[: len(e.ids)])) for n, e, row in zip(indices, encodings, output, strict=True))
        return [by_index[n] for n in range(len(pairs))]

    def first_token(self, texts: list[str]) -> np.ndarray:
        """The outputs for the first token of each text, float32, shape (texts, width). Texts too long are truncated."""
        encodings = self._tokenizer.encode_batch(texts)
        for encoding in encodings:
            encoding.truncate(self.most_tokens)
        rows: dict[int, np.ndarray] = {}
        for indices, _, output in self._outputs(encodings):
            rows.update(zip(indices, output[:, 0], strict=True))
        return np.array([rows[n] for n in range(len(texts))], dtype=np.float32)

    def _encode(self, pairs: list[tuple[str, str]]) -> list[Encoding]:
        """The tokens of each pair. Raises ModelError for a pair that is too long."""
        encodings = self._tokenizer.encode_batch(pairs)
        longest = max((len(e.ids) for e in encodings), default=0)
        if longest > self.most_tokens:
            raise ModelError(f"Two texts may have {self.most_tokens} tokens together, these have {longest}; cut them.")
        return encodings

    def _outputs(self, encodings: list[Encoding]) -> Iterator[tuple[list[int], list[Encoding], np.ndarray]]:
        """Yield indices, tokens and outputs of each batch. A batch has texts of similar length; the batch with the
        longest texts comes first.

        If there are few texts, batches are so small that every processor gets at least two of them, because the first
        batches take longest.
        """
        order = sorted(range(len(encodings)), key=lambda n: -len(encodings[n].ids))
        size = min(_BATCH, ceil(len(order) / (2 * self.at_once)) or 1) if self.at_once > 1 else _BATCH
        indices = [order[start : start + size] for start in range(0, len(order), size)]
        batches = [[encodings[n] for n in batch] for batch in indices]
        yield from zip(indices, batches, self._run(self._pad(batch) for batch in batches), strict=True)

    def _pad(self, batch: list[Encoding]) -> Inputs:
        shape = (len(batch), max(len(e.ids) for e in batch))
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        inputs = {n: np.full(shape, self._pad_id if n == "input_ids" else 0, dtype=np.int64) for n in self._inputs}
        for row, encoding in enumerate(batch):
            for name, array in inputs.items():
                array[row, : len(encoding.ids)] = getattr(encoding, columns[name])
        return inputs
