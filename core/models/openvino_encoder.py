"""A cross-encoder compiled for the CPU: OpenVINO runs its graph in whatever precision the CPU is fastest at."""

from collections import deque
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from core.models.encoder import Inputs, Network
from core.models.openvino_runtime import openvino
from core.models.weights import GRAPH, joined

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
