"""Groups of our own school sentences: a passage, the same with facts changed, and sentences labelled under both.

A group is a few lines of text; an empty line ends it:

    P: a passage            P2: the same passage with one to three facts changed
    EC name: a sentence     two letters, its label under P and under P2 (E, N or C), then the kind of change
    Q: a question that P answers            Q0: one on the same topic that P leaves open
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.nli import LABELS
from core.workshop.training.datasets import TrainingError
from core.workshop.training.pairs import Pair

GROUPS = Path("data/nli/groups")
_HEADS = ("P", "P2", "Q", "Q0")
_LABELLED = re.compile(r"([ENC])([ENC]) ([a-z_]+): (\S.*)")
_HEAD = re.compile(rf"({'|'.join(_HEADS)}): (\S.*)")
_LABEL_OF = {label[0].upper(): label for label in LABELS}
_HELD_OUT = 16
"""One group in this many is kept for choosing."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """`sentences` are (label under the passage, label under the changed one, kind, text)."""

    passage: str
    changed: str
    answered: str
    open: str
    sentences: tuple[tuple[str, str, str, str], ...]

    @property
    def held_out(self) -> bool:
        """True for the few groups that nothing is trained on; the passage alone decides."""
        return hashlib.sha256(self.passage.encode()).digest()[0] % _HELD_OUT == 0

    def pairs(self) -> Iterator[Pair]:
        """Every sentence against both passages; the source names the kind of change."""
        for under, under_changed, kind, text in self.sentences:
            yield Pair(self.passage, text, under, f"groups/{kind}")
            yield Pair(self.changed, text, under_changed, f"groups/{kind}")


def groups_of(folder: Path) -> list[Group]:
    """Every group of the text files of a folder; TrainingError names the first that cannot be read."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no groups (*.txt); name their folder with --groups.")
    return [group for file in files for group in _read(file)]


def _read(file: Path) -> Iterator[Group]:
    blocks = re.split(r"\n\s*\n", file.read_text(encoding="utf-8").strip())
    for number, block in enumerate(blocks, 1):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        heads = dict(m.groups() for line in lines if (m := _HEAD.fullmatch(line)))
        found = [m.groups() for line in lines if (m := _LABELLED.fullmatch(line))]
        if set(heads) != set(_HEADS) or len(heads) + len(found) != len(lines) or not found:
            raise TrainingError(
                f"Group {number} of {file.name} cannot be read; it needs {', '.join(_HEADS)} and labelled sentences."
            )
        yield Group(
            passage=heads["P"], changed=heads["P2"], answered=heads["Q"], open=heads["Q0"],
            sentences=tuple((_LABEL_OF[a], _LABEL_OF[b], kind, text) for a, b, kind, text in found),
        )  # fmt: skip
