"""Loads and runs networks that read two texts together, and splits a premise that is too long for them into windows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from core.models import ModelError
from core.models.network import Inputs, Network
from core.models.weights import GRAPH, MANIFEST, join_parts, load_model
from core.text.sentences import sentences


class CrossEncoder(Protocol):
    """A network that reads two texts together. id2label: index of an output -> its label. most_tokens: maximum number
    of tokens of both texts, including the special tokens.
    """

    id2label: dict[int, str]
    most_tokens: int

    def tokens(self, text: str) -> int:
        """The number of tokens of `text`, without special tokens."""

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The outputs for each pair, shape (pairs, labels). Not thread-safe: the caller holds a lock."""


def cross_encoder(path_or_name: str | Path) -> CrossEncoder:
    """Load the model of a folder or hub name: with OpenVINO or ONNX Runtime if it was exported for one of them, else
    with torch.

    Raises ModelError if it cannot be loaded.
    """
    # torch and the runtimes take seconds to import, so each is imported only for a model that needs it
    folder = Path(path_or_name)
    if (folder / GRAPH).is_file():
        from core.models.openvino_runtime import CompiledNetwork

        return load_model(lambda name: CompiledNetwork(Path(name)), path_or_name)
    if (folder / MANIFEST).is_file():
        return load_model(lambda name: OnnxNetwork(Path(name)), path_or_name)
    return load_model(Plain, path_or_name)


class Plain:
    """Any cross-encoder of sentence-transformers, in fp32."""

    def __init__(self, path_or_name: str) -> None:
        if not Path(path_or_name).is_dir():
            from huggingface_hub import hf_hub_download

            hf_hub_download(path_or_name, "config.json")  # fails early, before the slow import of torch
        import torch
        from sentence_transformers import CrossEncoder as Transformer

        self._model = Transformer(path_or_name, device="cpu", model_kwargs={"dtype": torch.float32})
        self._raw = torch.nn.Identity()
        self.id2label = {int(n): label for n, label in self._model.config.id2label.items()}
        self.most_tokens = int(min(self._model.max_length or 512, 512))

    def tokens(self, text: str) -> int:
        return len(self._model.tokenizer.tokenize(text))

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        logits = self._model.predict(pairs, batch_size=32, activation_fn=self._raw, show_progress_bar=False)
        return np.asarray(logits, dtype=np.float32).reshape(len(pairs), -1)


def plain_twin(folder: Path, out: Path) -> Plain:
    """A network of the same shape as the exported model, but with random weights. Its folder is written to `out`.

    The speed of the export is compared with it, since speed does not depend on the weights.
    """
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    AutoModelForSequenceClassification.from_config(AutoConfig.from_pretrained(folder)).save_pretrained(out)
    AutoTokenizer.from_pretrained(folder).save_pretrained(out)
    return Plain(str(out))


def require_fits(model: CrossEncoder, text: str, room: int, name: str) -> None:
    """Raise ModelError if `text` has more than `room` tokens, because the model would not read its end.

    name: the text's name in the message.
    """
    if len(text) > room and (count := model.tokens(text)) > room:
        raise ModelError(f"A {name} may have {room} tokens, one has {count}; break it up.")


class Room(NamedTuple):
    """The maximum length of a window. tokens: a function that counts the tokens of a text. max_tokens: maximum number
    of tokens.
    """

    tokens: Callable[[str], int]
    max_tokens: int

    def fits(self, text: str) -> bool:
        """True if `text` has at most `max_tokens` tokens."""
        return (
            len(text) <= self.max_tokens or self.tokens(text) <= self.max_tokens
        )  # no token is shorter than a character


def readings(premise: str, room: Room) -> list[str]:
    """Windows of `premise` that each fit into `room`: the whole premise, or its halves, halved again as needed.

    Halves overlap by one sentence. A single sentence that is too long is split between words; its halves overlap by a
    quarter of it.
    """
    if room.fits(premise):
        return [premise]
    parts, shared = sentences(premise), 1
    if len(parts) < 3:
        parts = premise.split()
        shared = len(parts) // 4
    if len(parts) < 3:
        middle = len(premise) // 2
        return [*readings(premise[:middle], room), *readings(premise[middle:], room)]
    middle = len(parts) // 2
    before, after = " ".join(parts[: middle + shared]), " ".join(parts[middle:])
    return [*readings(before, room), *readings(after, room)]


class OnnxNetwork(Network):
    """A network run by ONNX Runtime. Its folder's manifest names one ONNX file, in the folder or in a wheel."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # errors only, since optimisations cause warnings
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other threads need the processor
        self._session = onnxruntime.InferenceSession(
            join_parts(folder).tobytes(), options, providers=["CPUExecutionProvider"]
        )
        super().__init__(folder, [port.name for port in self._session.get_inputs()])

    def _run(self, batches: Iterator[Inputs]) -> Iterator[np.ndarray]:
        for inputs in batches:
            yield self._session.run(None, inputs)[0]
