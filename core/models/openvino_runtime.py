"""OpenVINO, imported here and nowhere else, without the part of it that calls out, and a cross-encoder that it runs in
whatever precision the CPU is fastest at."""

import sys
from collections import deque
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from core.models.encoder import Inputs, Network
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
