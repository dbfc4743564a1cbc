"""The only import of OpenVINO, without its telemetry, and the networks that it runs: cross-encoders in the precision
that the CPU is fastest at, and the bundled embedder."""

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
from core.models.weights import GRAPH, join_parts

# On import, OpenVINO and NNCF would send a permanent id of this computer to an analytics host. Both do without the
# telemetry module if it cannot be imported.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402

__all__ = ["CompiledNetwork", "genai", "openvino"]

_OPTIONS = {
    "PERFORMANCE_HINT": "THROUGHPUT", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 64, "INFERENCE_PRECISION_HINT": "f32",
}  # fmt: skip
"""On CPUs with fast int8 products, the activations of a graph with int8 weights are quantised in groups of this size:
the smallest groups, hence the most accurate, that still run four times as fast as fp32 in torch."""
op = openvino.opset13
_BATCH = 32
_LONGEST = 256
"""Maximum tokens of a text for MiniLM, as its model card says; the rest is truncated."""


class CompiledNetwork(Network):
    """A network exported by the training commands. It runs as many batches at once as the CPU can."""

    def __init__(self, folder: Path) -> None:
        graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(join_parts(folder)))
        super().__init__(folder, [port.any_name for port in graph.inputs])
        model = openvino.compile_model(graph, "CPU", _OPTIONS)
        self._requests = [
            model.create_infer_request() for _ in range(model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        ]
        self.at_once = len(self._requests)

    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        """Yield the outputs of each batch, in order, with several batches running at once.

        Requests are awaited here, because OpenVINO's own queue calls back into Python, which may deadlock at exit.
        """
        running: deque[Any] = deque()
        for inputs, request in zip(batches, cycle(self._requests), strict=False):
            if len(running) == len(self._requests):
                yield _output(running.popleft())
            request.start_async(inputs)
            running.append(request)
        while running:
            yield _output(running.popleft())


def _output(request: Any) -> np.ndarray:
    """Wait for the request and copy its output, since the request is reused."""
    request.wait()
    return np.array(request.get_output_tensor(0).data)


def genai() -> Any:
    """The module openvino_genai, which runs language models. Raises ImportError if `local` is not installed."""
    import openvino_genai

    return openvino_genai


class MiniLM:
    """all-MiniLM-L6-v2, a BERT with mean pooling, in fp32. Not thread-safe: the caller holds a lock.

    It gives the same vectors as sentence-transformers, in a tenth of the time for one text, and without importing
    torch, which takes seconds.
    """

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        graph = _Graph(load_file(folder / "model.safetensors"), config).model()
        self._model = openvino.compile_model(graph, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_padding()
        self._tokenizer.enable_truncation(_LONGEST)
        self.dimensions = int(config["hidden_size"])

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions)."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        order = np.argsort([-len(text) for text in texts], kind="stable")  # similar lengths need little padding
        for indices in (order[start : start + _BATCH] for start in range(0, len(texts), _BATCH)):
            encodings = self._tokenizer.encode_batch([texts[n] for n in indices])
            inputs = [np.array([e.ids for e in encodings]), np.array([e.attention_mask for e in encodings])]
            vectors[indices] = self._model(inputs)[0]
        return vectors

    def pieces(self, word: str) -> int:
        """The number of tokens of a word."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids)


class _Graph:
    """Builds BERT as an OpenVINO graph. weights: its arrays by their names in transformers."""

    def __init__(self, weights: dict[str, np.ndarray], config: dict) -> None:
        self.weights, self.config = weights, config
        self.ids = op.parameter([-1, -1], np.int64)
        self.mask = op.parameter([-1, -1], np.int64)
        self.mask_float = op.convert(self.mask, "f32")

    def model(self) -> openvino.Model:
        """The model from token ids and mask, shape (texts, tokens), to unit vectors, shape (texts, dimensions)."""
        words, positions, types = (
            self._weight(f"embeddings.{n}_embeddings.weight") for n in ("word", "position", "token_type")
        )
        length = op.gather(op.shape_of(self.ids), _ints(1), _ints(0))
        position_rows = op.slice(positions, _ints(0), length, _ints(1), _ints(0))
        total = op.add(op.gather(words, self.ids, _ints(0)), position_rows)
        hidden = self._layer_norm(op.add(total, op.gather(types, _ints(0), _ints(0))), "embeddings.LayerNorm")
        bias = op.multiply(op.subtract(op.constant(np.float32(1)), self.mask_float), op.constant(np.float32(-1e9)))
        for n in range(self.config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{n}", op.unsqueeze(bias, _ints(1, 2)))
        weight = op.unsqueeze(self.mask_float, _ints(2))
        mean = op.divide(op.reduce_sum(op.multiply(hidden, weight), _ints(1)), op.reduce_sum(weight, _ints(1)))
        return openvino.Model([op.normalize_l2(mean, _ints(1), 1e-12, "max")], [self.ids, self.mask])

    def _layer(self, hidden: openvino.Node, name: str, bias: openvino.Node) -> openvino.Node:
        """One encoder layer. bias: added to the attention scores, large and negative for padding."""
        parts = (self._dense(hidden, f"{name}.attention.self.{n}") for n in ("query", "key", "value"))
        shape = _ints(0, 0, self.config["num_attention_heads"], -1)
        heads = (op.transpose(op.reshape(part, shape, True), _ints(0, 2, 1, 3)) for part in parts)
        context = op.transpose(op.scaled_dot_product_attention(*heads, bias), _ints(0, 2, 1, 3))
        attention = self._dense(op.reshape(context, _ints(0, 0, -1), True), f"{name}.attention.output.dense")
        hidden = self._layer_norm(op.add(hidden, attention), f"{name}.attention.output.LayerNorm")
        wide = op.gelu(self._dense(hidden, f"{name}.intermediate.dense"), "erf")
        return self._layer_norm(op.add(hidden, self._dense(wide, f"{name}.output.dense")), f"{name}.output.LayerNorm")

    def _dense(self, hidden: openvino.Node, name: str) -> openvino.Node:
        return op.add(op.matmul(hidden, self._weight(f"{name}.weight"), False, True), self._weight(f"{name}.bias"))

    def _layer_norm(self, hidden: openvino.Node, name: str) -> openvino.Node:
        normal = op.mvn(hidden, _ints(-1), True, self.config["layer_norm_eps"], "INSIDE_SQRT")
        return op.add(op.multiply(normal, self._weight(f"{name}.weight")), self._weight(f"{name}.bias"))

    def _weight(self, name: str) -> openvino.Node:
        return op.constant(self.weights[name])


def _ints(*numbers: int) -> openvino.Node:
    return op.constant(np.array(numbers, dtype=np.int64))
