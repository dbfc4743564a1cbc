"""Networks that read two texts together, and how a premise that is too long for them is split into windows."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tokenizers import Encoding

from core.models import ModelError
from core.models.weights import load_model
from core.text.sentences import sentences

_MARKS = 6
"""Maximum number of special tokens around and between two texts."""


class CrossEncoder:
    """A network that reads two texts together, by its folder or hub name. Not thread-safe: the caller holds a lock.

    id2label: index of an output -> its label. most_tokens: maximum number of tokens of both texts, including the
    special tokens.
    """

    def __init__(self, path_or_name: str) -> None:
        from core.models import networks

        self.network = networks.cross_encoder(path_or_name)
        self.id2label = {int(n): label for n, label in self.network.config.id2label.items()}
        self.most_tokens = int(min(self.network.max_seq_length or 512, 512))
        self._ships = networks.ships(path_or_name)

    def tokens(self, text: str) -> int:
        """The number of tokens of `text`, without special tokens."""
        return len(self.network.tokenizer.tokenize(text))

    def room_beside(self, max_tokens: int) -> "Room":
        """The room for one text if the other one has up to `max_tokens` tokens."""
        return Room(self.tokens, self.most_tokens - max_tokens - _MARKS)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """The outputs for each pair, float32, shape (pairs, labels)."""
        from torch.nn import Identity

        if self._ships:  # its forward pass makes the batches, by the number of tokens
            return self._outputs(pairs)[1]
        logits = self.network.predict(list(pairs), activation_fn=Identity(), show_progress_bar=False)
        return np.asarray(logits, dtype=np.float32).reshape(len(pairs), -1)

    def token_logits(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Encoding, np.ndarray]]:
        """For each pair, its tokens and the outputs for them, shape (tokens, labels). Only for a network that ships,
        with an output for every token.
        """
        batch, outputs = self._outputs(pairs)
        return [(batch[n], rows[: sum(batch[n].attention_mask)]) for n, rows in enumerate(outputs)]

    def _outputs(self, pairs: Sequence[tuple[str, str]]) -> tuple[Any, np.ndarray]:
        """The tokens of the pairs, and the outputs for them."""
        firsts, seconds = [first for first, _ in pairs], [second for _, second in pairs]
        batch = self.network.tokenizer(firsts, seconds, padding=True, truncation=True, return_tensors="pt")
        return batch, self.network({**batch})["scores"].numpy()


def cross_encoder(path_or_name: str | Path) -> CrossEncoder:
    """Load the model of a folder or hub name. Raises ModelError if it cannot be loaded."""
    return load_model(CrossEncoder, path_or_name)


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
        # No token is shorter than a character.
        return len(text) <= self.max_tokens or self.tokens(text) <= self.max_tokens


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
