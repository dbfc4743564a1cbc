"""A cross-encoder compiled for the CPU: OpenVINO runs its graph in whatever precision the CPU is fastest at."""

import json
from pathlib import Path

import numpy as np
import openvino
from tokenizers import Encoding, Tokenizer

from core.models.errors import ModelError
from core.models.weights import joined

GRAPH = "graph.xml"
"""The graph without its numbers."""
_BATCH = 16
"""Pairs that run together: more would pad more, fewer would leave the matrix units idle."""
_OPTIONS = {"PERFORMANCE_HINT": "THROUGHPUT", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 64}
"""Activations of a graph with int8 weights are quantised by groups of so many, where the CPU multiplies int8 fast: the
smallest groups, and so the most faithful, that keep four times the speed of fp32 in torch."""


class Compiled:
    """A folder that the training commands exported. `logits` may be called from any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.id2label = {int(n): label for n, label in config["id2label"].items()}
        self.most_tokens = int(config["max_position_embeddings"]) - int(config.get("pad_token_id") or 0) - 1
        self._pad = int(config.get("pad_token_id") or 0)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(joined(folder)))
        self._inputs = [port.any_name for port in graph.inputs]
        model = openvino.compile_model(graph, "CPU", _OPTIONS)
        self._requests = [
            model.create_infer_request() for _ in range(model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        ]

    def tokens(self, text: str) -> int:
        """How many tokens `text` has, without the marks around it."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The outputs of each pair, float32, shape (pairs, labels); ModelError for a pair that is too long."""
        encodings = self._tokenizer.encode_batch(pairs)
        longest = max((len(e.ids) for e in encodings), default=0)
        if longest > self.most_tokens:
            raise ModelError(f"Two texts may have {self.most_tokens} tokens together, these have {longest}; cut them.")
        return self._run(encodings)

    def _run(self, encodings: list[Encoding]) -> np.ndarray:
        """Batches of about the same length, so that padding costs little; as many at once as the CPU takes.

        Requests are waited for in turn: OpenVINO's own queue calls Python back, which may lock up at its end.
        """
        found = np.zeros((len(encodings), len(self.id2label)), dtype=np.float32)
        order = sorted(range(len(encodings)), key=lambda n: -len(encodings[n].ids))
        running: list[list[int]] = [[] for _ in self._requests]

        def finish(slot: int) -> None:
            if running[slot]:
                self._requests[slot].wait()
                found[running[slot]] = self._requests[slot].get_output_tensor(0).data

        for number, start in enumerate(range(0, len(order), _BATCH)):
            slot = number % len(self._requests)
            finish(slot)
            running[slot] = order[start : start + _BATCH]
            self._requests[slot].start_async(self._padded([encodings[n] for n in running[slot]]))
        for slot in range(len(self._requests)):
            finish(slot)
        return found

    def _padded(self, batch: list[Encoding]) -> dict[str, np.ndarray]:
        shape = (len(batch), max(len(e.ids) for e in batch))
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        padded = {n: np.full(shape, self._pad if n == "input_ids" else 0, dtype=np.int64) for n in self._inputs}
        for row, encoding in enumerate(batch):
            for name, array in padded.items():
                array[row, : len(encoding.ids)] = getattr(encoding, columns[name])
        return padded
