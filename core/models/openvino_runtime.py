"""OpenVINO, imported here and nowhere else, without the part of it that calls out, and the networks that it runs: a
cross-encoder in whatever precision the CPU is fastest at, and the bundled embedder."""

import json
import sys
from collections import deque
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from core.models.network import Inputs, Network
from core.models.weights import GRAPH, joined

# On import it would post to a host of analytics, under an id of this computer that lasts; what cannot be imported
# is left out, by OpenVINO and by NNCF alike.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402

__all__ = ["Compiled", "genai", "openvino"]

_OPTIONS = {
    "PERFORMANCE_HINT": "THROUGHPUT", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 64, "INFERENCE_PRECISION_HINT": "f32",
}  # fmt: skip
"""Activations of a graph with int8 weights are quantised by groups of so many, where the CPU multiplies int8 fast: the
smallest groups, and so the most faithful, that keep four times the speed of fp32 in torch."""
op = openvino.opset13
_BATCH = 32
_LONGEST = 256
"""Tokens of a text that MiniLM reads, as its own card says; the rest is left out."""


class Compiled(Network):
    """A folder that the training commands exported: as many batches at once as the CPU takes."""

    def __init__(self, folder: Path) -> None:
        graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(joined(folder)))
        super().__init__(folder, [port.any_name for port in graph.inputs])
        model = openvino.compile_model(graph, "CPU", _OPTIONS)
        self._requests = [
            model.create_infer_request() for _ in range(model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        ]
        self.at_once = len(self._requests)

    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        """Requests are waited for in turn: OpenVINO's own queue calls Python back, which may lock up at its end."""
        running: deque[Any] = deque()
        for inputs, request in zip(batches, cycle(self._requests), strict=False):
            if len(running) == len(self._requests):
                yield _waited(running.popleft())
            request.start_async(inputs)
            running.append(request)
        while running:
            yield _waited(running.popleft())


def _waited(request: Any) -> np.ndarray:
    """A copy, since the request is used again."""
    request.wait()
    return np.array(request.get_output_tensor(0).data)


def genai() -> Any:
    """openvino_genai, which runs language models; ImportError where the writer `local` is not installed."""
    import openvino_genai

    return openvino_genai


class MiniLM:
    """all-MiniLM-L6-v2, a folder of BERT with mean pooling, in fp32: the same vectors as sentence-transformers, in a
    tenth of the time for one text, and without the seconds that torch takes to import.

    Any thread may ask, one at a time: the caller holds a lock.
    """

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        graph = _Graph(load_file(folder / "model.safetensors"), config).whole()
        self._model = openvino.compile_model(graph, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_padding()
        self._tokenizer.enable_truncation(_LONGEST)
        self.dimensions = int(config["hidden_size"])

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions)."""
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        order = np.argsort([-len(text) for text in texts], kind="stable")
        for places in (order[start : start + _BATCH] for start in range(0, len(texts), _BATCH)):
            encodings = self._tokenizer.encode_batch([texts[n] for n in places])
            inputs = [np.array([e.ids for e in encodings]), np.array([e.attention_mask for e in encodings])]
            found[places] = self._model(inputs)[0]
        return found

    def pieces(self, word: str) -> int:
        """How many tokens a word is made of."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids)


class _Graph:
    """BERT drawn with the numbers of `weights`, by the names that transformers gives them."""

    def __init__(self, weights: dict[str, np.ndarray], config: dict) -> None:
        self.weights, self.config = weights, config
        self.ids = op.parameter([-1, -1], np.int64)
        self.mask = op.parameter([-1, -1], np.int64)
        self.read = op.convert(self.mask, "f32")

    def whole(self) -> openvino.Model:
        """From tokens and mask, shape (texts, tokens), to unit vectors, shape (texts, dimensions)."""
        hidden = self._embedded()
        unread = op.multiply(op.subtract(op.constant(np.float32(1)), self.read), op.constant(np.float32(-1e9)))
        for n in range(self.config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{n}", op.unsqueeze(unread, _at(1, 2)))
        counted = op.unsqueeze(self.read, _at(2))
        mean = op.divide(op.reduce_sum(op.multiply(hidden, counted), _at(1)), op.reduce_sum(counted, _at(1)))
        return openvino.Model([op.normalize_l2(mean, _at(1), 1e-12, "max")], [self.ids, self.mask])

    def _embedded(self) -> openvino.Node:
        words, places, kinds = (
            self._row(f"embeddings.{n}_embeddings.weight") for n in ("word", "position", "token_type")
        )
        length = op.gather(op.shape_of(self.ids), _at(1), _at(0))
        found = op.add(op.gather(words, self.ids, _at(0)), op.slice(places, _at(0), length, _at(1), _at(0)))
        return self._normed(op.add(found, op.gather(kinds, _at(0), _at(0))), "embeddings.LayerNorm")

    def _layer(self, hidden: openvino.Node, name: str, unread: openvino.Node) -> openvino.Node:
        parts = (self._dense(hidden, f"{name}.attention.self.{n}") for n in ("query", "key", "value"))
        shape = _at(0, 0, self.config["num_attention_heads"], -1)
        heads = (op.transpose(op.reshape(part, shape, True), _at(0, 2, 1, 3)) for part in parts)
        seen = op.transpose(op.scaled_dot_product_attention(*heads, unread), _at(0, 2, 1, 3))
        told = self._dense(op.reshape(seen, _at(0, 0, -1), True), f"{name}.attention.output.dense")
        hidden = self._normed(op.add(hidden, told), f"{name}.attention.output.LayerNorm")
        wide = op.gelu(self._dense(hidden, f"{name}.intermediate.dense"), "erf")
        return self._normed(op.add(hidden, self._dense(wide, f"{name}.output.dense")), f"{name}.output.LayerNorm")

    def _dense(self, hidden: openvino.Node, name: str) -> openvino.Node:
        return op.add(op.matmul(hidden, self._row(f"{name}.weight"), False, True), self._row(f"{name}.bias"))

    def _normed(self, hidden: openvino.Node, name: str) -> openvino.Node:
        even = op.mvn(hidden, _at(-1), True, self.config["layer_norm_eps"], "INSIDE_SQRT")
        return op.add(op.multiply(even, self._row(f"{name}.weight")), self._row(f"{name}.bias"))

    def _row(self, name: str) -> openvino.Node:
        return op.constant(self.weights[name])


def _at(*numbers: int) -> openvino.Node:
    return op.constant(np.array(numbers, dtype=np.int64))
