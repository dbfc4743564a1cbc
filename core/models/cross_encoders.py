"""One way to load and run a network that reads two texts together: compiled for this CPU when its folder was exported
so, else as it is; and how a premise that is longer than it reads is read whole."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from core.models import ModelError
from core.models.network import Inputs, Network
from core.models.weights import GRAPH, MANIFEST, joined, loaded
from core.text.sentences import sentences


class CrossEncoder(Protocol):
    """Reads two texts together. `most_tokens` is how long both may be, marks around them included."""

    id2label: dict[int, str]
    most_tokens: int

    def tokens(self, text: str) -> int:
        """How many tokens `text` has, without the marks around it."""

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The outputs of each pair, shape (pairs, labels). Not for two threads at once: the caller holds a lock."""


def cross_encoder(path_or_name: str | Path) -> CrossEncoder:
    """The model of a folder or hub name, ready to read; ModelError with one sentence when it cannot be had."""
    # torch and the runtimes take seconds to import: each is asked for only by the models that need it
    folder = Path(path_or_name)
    if (folder / GRAPH).is_file():
        from core.models.openvino_runtime import Compiled

        return loaded(lambda name: Compiled(Path(name)), path_or_name)
    if (folder / MANIFEST).is_file():
        return loaded(lambda name: OnnxNetwork(Path(name)), path_or_name)
    return loaded(Plain, path_or_name)


class Plain:
    """Any cross-encoder of sentence-transformers, in fp32."""

    def __init__(self, path_or_name: str) -> None:
        if not Path(path_or_name).is_dir():
            from huggingface_hub import hf_hub_download

            hf_hub_download(path_or_name, "config.json")  # what cannot be had is said before torch is imported
        import torch
        from sentence_transformers import CrossEncoder as Transformer

        self._model = Transformer(path_or_name, device="cpu", model_kwargs={"dtype": torch.float32})
        self._raw = torch.nn.Identity()
        self.id2label = {int(n): label for n, label in self._model.config.id2label.items()}
        self.most_tokens = int(min(self._model.max_length or 512, 512))

    def tokens(self, text: str) -> int:
        return len(self._model.tokenizer.tokenize(text))

    def logits(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        found = self._model.predict(pairs, batch_size=32, activation_fn=self._raw, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32).reshape(len(pairs), -1)


def plain_twin(folder: Path, out: Path) -> Plain:
    """The network of an exported model as it was before, with random numbers in it, written to `out`.

    How long it takes does not depend on its numbers: what an export gained is measured against it.
    """
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    AutoModelForSequenceClassification.from_config(AutoConfig.from_pretrained(folder)).save_pretrained(out)
    AutoTokenizer.from_pretrained(folder).save_pretrained(out)
    return Plain(str(out))


def read_whole(model: CrossEncoder, text: str, room: int, what: str) -> None:
    """Nothing, when `text` has at most `room` tokens; else ModelError: its end would never be read."""
    if len(text) > room and (found := model.tokens(text)) > room:
        raise ModelError(f"A {what} may have {room} tokens, one has {found}; break it up.")


class Room(NamedTuple):
    """What fits: `tokens` counts those of a text, `most` is how many a window may have."""

    tokens: Callable[[str], int]
    most: int

    def fits(self, text: str) -> bool:
        return len(text) <= self.most or self.tokens(text) <= self.most  # no token is shorter than a character


def readings(premise: str, room: Room) -> list[str]:
    """`premise` alone when it fits, else its halves, overlapping by a sentence, halved again until each fits.

    A single sentence that is too long is halved between words, the halves sharing a quarter of it.
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
    """A folder whose manifest names one ONNX file, in the folder or in a wheel."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime

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
