"""The networks as sentence-transformers loads them: tokenizer, configuration and modules.

Of a network that ships, only the forward pass is another: OpenVINO or ONNX Runtime computes it in int8, several times
as fast as torch. sentence-transformers has backends for both, but they need packages that ask for an older
transformers. Importing this module takes seconds, so it is imported where a model is loaded.
"""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from math import ceil
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnxruntime
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from transformers import PreTrainedConfig

from core.models.openvino_runtime import openvino
from core.models.weights import GRAPH, MANIFEST, weights_of

_OPTIONS = {
    "PERFORMANCE_HINT": "THROUGHPUT", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 64, "INFERENCE_PRECISION_HINT": "f32",
}  # fmt: skip
"""On CPUs with fast int8 products, the activations of a graph with int8 weights are quantised in groups of this size:
the smallest groups, hence the most accurate, that still run four times as fast as fp32 in torch."""
Batch = dict[str, np.ndarray]


def cross_encoder(path_or_name: str) -> CrossEncoder:
    """A network that reads two texts together."""
    if ships(path_or_name):
        return CrossEncoder(modules=[_Network(path_or_name, "scores", pads=False)], device="cpu")
    return CrossEncoder(path_or_name, device="cpu", model_kwargs={"dtype": torch.float32})


def sentence_encoder(path_or_name: str, pooling: Literal["mean", "cls"]) -> SentenceTransformer:
    """An encoder of texts as unit vectors. pooling: for a network that ships, which vector stands for a text: the mean
    of its tokens' vectors, or that of its first token."""
    if not ships(path_or_name):
        return SentenceTransformer(path_or_name, device="cpu")
    network = _Network(path_or_name, "token_embeddings", pads=True)
    modules = [network, Pooling(network.config.hidden_size, pooling), Normalize()]
    return SentenceTransformer(modules=modules, device="cpu")


def ships(path_or_name: str) -> bool:
    """True for the folder of a network that was exported for OpenVINO or ONNX Runtime."""
    return (Path(path_or_name) / MANIFEST).is_file()


class _Network(Transformer):
    """The network of a folder.

    output: the name of its output for the modules that follow. pads: whether texts of several lengths may run together.
    Padding changes a vector by less than 1e-5, and a label's logit by 0.03.
    """

    def __init__(self, folder: str, output: str, pads: bool) -> None:
        self._pads = pads
        config = {"text": {"method": "forward", "method_output_name": "output"}}
        super().__init__(folder, modality_config=config, module_output_name=output)

    def _load_model(self, folder: str, _task: str, config: PreTrainedConfig, *_: Any, **__: Any) -> "_Forward":
        return _Forward(Path(folder), config, self._pads)


class _Forward(torch.nn.Module):
    """The forward pass of a network that ships. Not thread-safe: the caller holds a lock."""

    def __init__(self, folder: Path, config: PreTrainedConfig, pads: bool) -> None:
        super().__init__()
        self.config, self._pads = config, pads
        self._run = _OpenVino(folder) if (folder / GRAPH).is_file() else _OnnxRuntime(folder)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any = None, **_: Any) -> dict[str, Any]:
        """Under "output", what the network says of each text, shape (texts, labels), or of each of its tokens, shape
        (texts, tokens, labels or width).

        The output for a text is the same whatever else is in the call. The longest texts run first. If there are few,
        the batches are so small that every processor gets at least two, because the first ones take longest.
        """
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
        lengths = attention_mask.sum(1)
        order = lengths.argsort(descending=True, stable=True)
        size = min(self._run.most, ceil(len(order) / (2 * self._run.at_once)))
        alike = lengths[order].unique_consecutive(return_counts=True)[1].tolist()
        groups = [order] if self._pads else order.split(alike)
        places = [rows for group in groups for rows in group.split(size)]
        batches = (
            {name: inputs[name][rows, : lengths[rows[0]]].numpy() for name in self._run.inputs} for rows in places
        )
        output = torch.empty(0)
        for rows, array in zip(places, self._run(batches), strict=True):
            if not len(output):
                output = torch.zeros((len(order), *array.shape[1:]))  # the first batch has the longest texts
            target = output if array.ndim == 2 else output[:, : array.shape[1]]
            target[rows] = torch.from_numpy(array)
        return {"output": output}


class _OpenVino:
    """Runs a graph of OpenVINO, as many batches at once as the CPU can. inputs: the names of its inputs. most: the most
    texts of a batch.
    """

    most = 16

    def __init__(self, folder: Path) -> None:
        graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(weights_of(folder)))
        self.inputs = [port.any_name for port in graph.inputs]
        model = openvino.compile_model(graph, "CPU", _OPTIONS)
        self.at_once = model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
        self._requests = [model.create_infer_request() for _ in range(self.at_once)]

    def __call__(self, batches: Iterator[Batch]) -> Iterator[np.ndarray]:
        """Yield the output of each batch, in order.

        Requests are awaited here, because OpenVINO's own queue calls back into Python, which may deadlock at exit.
        """
        running: deque[Any] = deque()
        for batch, request in zip(batches, cycle(self._requests), strict=False):
            if len(running) == self.at_once:
                yield _output(running.popleft())
            request.start_async(batch)
            running.append(request)
        while running:
            yield _output(running.popleft())


def _output(request: Any) -> np.ndarray:
    """Wait for the request and copy its output, since the request is reused."""
    request.wait()
    return np.array(request.get_output_tensor(0).data)


class _OnnxRuntime:
    """Runs an ONNX file. Each text runs alone, one on each processor: the scale by which its activations are quantised
    is that of the whole batch. inputs: the names of its inputs.
    """

    most = 1
    at_once = os.cpu_count() or 1

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # errors only, since optimisations cause warnings
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other threads need the processor
        self._session = onnxruntime.InferenceSession(
            weights_of(folder).tobytes(), options, providers=["CPUExecutionProvider"]
        )
        self.inputs = [port.name for port in self._session.get_inputs()]
        self._workers = ThreadPoolExecutor(self.at_once)

    def __call__(self, batches: Iterator[Batch]) -> Iterator[np.ndarray]:
        """Yield the output of each batch, in order."""
        return self._workers.map(lambda batch: self._session.run(None, batch)[0], batches)
