"""A network that reads two texts together, whatever runs it: tokens, batches and outputs."""

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
"""Most pairs that run together: more would pad more, far fewer would leave the processor idle."""

Inputs = dict[str, np.ndarray]


class Network(ABC):
    """What every runtime shares. Any thread may ask, one at a time: the caller holds a lock."""

    at_once = 1
    """How many batches run at the same time, each on processors of its own."""

    def __init__(self, folder: Path, inputs: Sequence[str]) -> None:
        """inputs: the names under which the graph takes tokens, mask and kinds."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.id2label = {int(n): label for n, label in config["id2label"].items()}
        self._pad = int(config.get("pad_token_id") or 0)
        self.most_tokens = int(config["max_position_embeddings"]) - self._pad - (1 if self._pad else 0)
        self._inputs = tuple(inputs)
        self._tokenizer = Tokenizer.from_file(str(tokenizer_file(folder)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @abstractmethod
    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        """The outputs of each batch, in turn."""

    def tokens(self, text: str) -> int:
        """How many tokens `text` has, without the marks around it."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The outputs of each pair, float32, shape (pairs, labels); ModelError for a pair that is too long."""
        found = np.zeros((len(pairs), len(self.id2label)), dtype=np.float32)
        for places, _, output in self._outputs(self._encoded(pairs)):
            found[places] = output
        return found

    def token_logits(self, pairs: list[tuple[str, str]]) -> list[tuple[Encoding, np.ndarray]]:
        """For a network that speaks of every token: each pair's tokens, and its outputs, shape (tokens, labels)."""
        found: dict[int, tuple[Encoding, np.ndarray]] = {}
        for places, encodings, output in self._outputs(self._encoded(pairs)):
            found.update((n, (e, row[: len(e.ids)])) for n, e, row in zip(places, encodings, output, strict=True))
        return [found[n] for n in range(len(pairs))]

    def first_token(self, texts: list[str]) -> np.ndarray:
        """What the network says at the first token of each text, float32, shape (texts, width); it reads the beginning
        of a text that is too long."""
        encodings = self._tokenizer.encode_batch(texts)
        for encoding in encodings:
            encoding.truncate(self.most_tokens)
        rows: dict[int, np.ndarray] = {}
        for places, _, output in self._outputs(encodings):
            rows.update(zip(places, output[:, 0], strict=True))
        return np.array([rows[n] for n in range(len(texts))], dtype=np.float32)

    def _encoded(self, pairs: list[tuple[str, str]]) -> list[Encoding]:
        encodings = self._tokenizer.encode_batch(pairs)
        longest = max((len(e.ids) for e in encodings), default=0)
        if longest > self.most_tokens:
            raise ModelError(f"Two texts may have {self.most_tokens} tokens together, these have {longest}; cut them.")
        return encodings

    def _outputs(self, encodings: list[Encoding]) -> Iterator[tuple[list[int], list[Encoding], np.ndarray]]:
        """Places, tokens and outputs of batches of about the same length, the longest first.

        A few pairs are dealt out to all processors, in two rounds, since the first batch is the longest.
        """
        order = sorted(range(len(encodings)), key=lambda n: -len(encodings[n].ids))
        size = min(_BATCH, ceil(len(order) / (2 * self.at_once)) or 1) if self.at_once > 1 else _BATCH
        places = [order[start : start + size] for start in range(0, len(order), size)]
        batches = [[encodings[n] for n in some] for some in places]
        yield from zip(places, batches, self._run(self._padded(batch) for batch in batches), strict=True)

    def _padded(self, batch: list[Encoding]) -> Inputs:
        shape = (len(batch), max(len(e.ids) for e in batch))
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        padded = {n: np.full(shape, self._pad if n == "input_ids" else 0, dtype=np.int64) for n in self._inputs}
        for row, encoding in enumerate(batch):
            for name, array in padded.items():
                array[row, : len(encoding.ids)] = getattr(encoding, columns[name])
        return padded
