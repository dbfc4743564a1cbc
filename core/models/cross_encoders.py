"""One way to load and run a network that reads two texts together: compiled for this CPU when its folder was exported
so, else as it is; and how a premise that is longer than it reads is read whole."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from tokenizers import Encoding, Tokenizer

from core.models import ModelError
from core.models.weights import GRAPH, MANIFEST, joined, loaded, tokenizer_file
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
