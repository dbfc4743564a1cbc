"""The data sets of natural language inference for training, and which half of each the training may read.

Beside public sets there are groups of our own school sentences: a passage, a version of it with changed facts, and
sentences with a label under each of the two. A group is a few lines of text; an empty line ends it:

    P: a passage            P2: the same passage with one to three facts changed
    EC name: a sentence     two letters, its label under P and under P2 (E, N or C), then the kind of change
    Q: a question that P answers            Q0: a question on the same topic that P leaves open
"""

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from core.banks.project import for_fitting
from core.errors import UserError
from core.judgements import LABELS

TWO_CLASS = "not_entailment"
"""The label of a pair that is not entailed, in sources that do not distinguish "neutral" from "contradiction"."""
DEV_SETS = ("lingnli_val", "conjnli_dev", "entbank_steps_dev", "cad_test", "fever_symmetric_dev", "rte_dev")
RECIPE = {
    "lingnli": 45_000, "cad_nli": 9_000, "semi_base_wiki": 2_740, "semi_sim_wiki": 3_000, "semi_translate_wiki": 3_260,
    "fever_rte": 6_000, "conjnli": 8_000, "rte": 3_000, "covidfact": 1_000, "scifact_rte": 500, "help": 1_500,
    "monli": 1_500, "entbank_step": 3_000,
}  # fmt: skip
"""Maximum pairs of each source; a source that is not named is not trained on."""
MORE = {
    "mnli_train20k_nyuhw": 9_000, "mnli_llmsknow": 4_500, "mnli_dev_matched": 4_000, "snli_train_25k": 4_000,
    "infotabs_linear": 2_000, "fever_train": 2_500, "fever_nei_paired": 800, "fool_me_twice": 600, "equate_quant": 700,
    "negation_nli": 900, "scone_negation": 500, "nannli_fracas": 300, "nli_stress_antonym": 200,
    "healthver_dev_test": 500,
}  # fmt: skip
"""Maximum pairs of each file of the folder nli_more; files that are for reporting only are not here."""
GROUPS = Path("data/nli/groups")
_HEADS = ("P", "P2", "Q", "Q0")
_LABELLED = re.compile(r"([ENC])([ENC]) ([a-z_]+): (\S.*)")
_HEAD = re.compile(rf"({'|'.join(_HEADS)}): (\S.*)")
_LABEL_OF = {label[0].upper(): label for label in LABELS}
_HELD_OUT = 16
"""One in this many groups is held out from training, for choosing a model."""


class TrainingError(UserError):
    """Training data cannot be read; the message says which file and what to do."""


def rows(data: Path, name: str) -> list[dict[str, Any]]:
    """The rows of one data set, such as "ncert_qa/chapters". Raises TrainingError if it is missing."""
    path = data / f"{name}.jsonl.gz"
    if not path.is_file():
        raise TrainingError(f"{path} is missing; name the folder of the data sets with --data.")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Pair(NamedTuple):
    """A labelled pair for training or testing. label: one of LABELS, or TWO_CLASS. source: the name of the data set
    that the pair comes from."""

    premise: str
    hypothesis: str
    label: str
    source: str


def training_pairs(
    data: Path, recipe: Mapping[str, int], seed: int, more: Mapping[str, int] | None = None
) -> list[Pair]:
    """The pairs for training: of each source named in `recipe` or file named in `more`, a random sample of at most the
    size given there."""
    pairs = [Pair(r["premise"], r["hypothesis"], r["label"], r["src"]) for r in rows(data, "nli/train")]
    for name in more or {}:
        pairs += [Pair(r["premise"], r["hypothesis"], r["label"], name) for r in rows(data, f"nli_more/{name}")]
    Random(seed).shuffle(pairs)
    sizes = {**recipe, **(more or {})}
    sampled_pairs, counts = [], dict.fromkeys(sizes, 0)
    for pair in pairs:
        if counts.get(pair.source, 0) < sizes.get(pair.source, 0):
            counts[pair.source] += 1
            sampled_pairs.append(pair)
    return sampled_pairs


def dev_pairs(data: Path, name: str, choosing: bool, most: int | None = None) -> list[Pair]:
    """One half of a dev set, split by the hash of the premise; at most its first `most` pairs.

    choosing: True for the half by which a model is chosen, False for the half that is reported.
    """
    pairs = [Pair(r["premise"], r["hypothesis"], r["label"], name) for r in rows(data, f"nli/dev_{name}")]
    half = [p for p in pairs if for_fitting(p.premise) == choosing]
    return sorted(half, key=lambda p: hashlib.sha256(f"{p.premise}\n{p.hypothesis}".encode()).digest())[:most]


def counts(pairs: Sequence[Pair]) -> dict[str, int]:
    """The number of pairs of each source. What follows a slash in the name of a source, such as a kind of change, is
    ignored."""
    return dict(sorted(Counter(pair.source.partition("/")[0] for pair in pairs).items()))


@dataclass(frozen=True, kw_only=True)
class Group:
    """A group of school sentences about a passage and a changed version of it.

    answered, open: a question that the passage answers, and one that it leaves open. sentences: (label under the
    passage, label under the changed passage, kind of change, text).
    """

    passage: str
    changed: str
    answered: str
    open: str
    sentences: tuple[tuple[str, str, str, str], ...]

    @property
    def held_out(self) -> bool:
        """True for the few groups that are held out from training; it is decided by a hash of the passage."""
        return hashlib.sha256(self.passage.encode()).digest()[0] % _HELD_OUT == 0

    def pairs(self) -> Iterator[Pair]:
        """Yield every sentence with both passages; the pair's source names the kind of change."""
        for under, under_changed, kind, text in self.sentences:
            yield Pair(self.passage, text, under, f"groups/{kind}")
            yield Pair(self.changed, text, under_changed, f"groups/{kind}")


def groups_of(folder: Path) -> list[Group]:
    """Every group in the text files of a folder. Raises TrainingError for the first unreadable one."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no groups (*.txt); name their folder with --groups.")
    return [group for file in files for group in _read(file)]


def _read(file: Path) -> Iterator[Group]:
    blocks = re.split(r"\n\s*\n", file.read_text(encoding="utf-8").strip())
    for number, block in enumerate(blocks, 1):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        heads = dict(m.groups() for line in lines if (m := _HEAD.fullmatch(line)))
        fields = [m.groups() for line in lines if (m := _LABELLED.fullmatch(line))]
        if set(heads) != set(_HEADS) or len(heads) + len(fields) != len(lines) or not fields:
            raise TrainingError(
                f"Group {number} of {file.name} cannot be read; it needs {', '.join(_HEADS)} and labelled sentences."
            )
        yield Group(
            passage=heads["P"], changed=heads["P2"], answered=heads["Q"], open=heads["Q0"],
            sentences=tuple((_LABEL_OF[a], _LABEL_OF[b], kind, text) for a, b, kind, text in fields),
        )  # fmt: skip
