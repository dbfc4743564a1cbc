"""Documents whose sentences contrast pairs are made of: our own chapters, and the premises that are trained on."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from core.text.words import sentences
from core.workshop.training.contrast import altered_conclusions, contrast_pairs
from core.workshop.training.datasets import TrainingError
from core.workshop.training.pairs import Pair, dev_pairs

_BLOCK = re.compile(r"^\[(?:table|activity|example|picture|figure)\].*?^\[end\]$", re.MULTILINE | re.DOTALL)
_NO_PARAGRAPH = re.compile(r"[#=\[|-]|\d+\.|\(")
_BRACKETS = re.compile(r" ?-L[SR]B- .*?-R[SR]B-| ?\[[^\]]*\]")
_BEFORE_MARK = re.compile(r" (?=[,.;:?!')]|n't\b|'s\b)|(?<=\() ")
CONTRAST = {"chapters": 8_000, "fever_rte": 8_000, "entbank_step": 2_000, "conclusions": 5_000}
"""Most contrast pairs of each kind of source."""
_PREMISES = ("fever_symmetric_dev", "entbank_steps_dev", "rte_dev", "lingnli_val")
_ROUNDS = 3
"""Times that the sentences of the chapters are altered, each time anew."""
_CONCLUDING = ("fever_rte", "entbank_step", "lingnli", "semi_translate_wiki", "cad_nli")


def all_contrast_pairs(pairs: Sequence[Pair], chapters: Path, sizes: dict[str, int], seed: int) -> list[Pair]:
    """Contrast pairs of every kind, each kind cut to its size at random."""
    random, kinds = Random(seed), {}
    kinds["chapters"] = [
        p for _ in range(_ROUNDS) for d in chapter_documents(chapters) for p in contrast_pairs(d, "chapters", random)
    ]
    for source in ("fever_rte", "entbank_step"):
        documents = premise_documents(pairs, source)
        kinds[source] = [p for d in documents for p in contrast_pairs(d, f"{source}_contrast", random)]
    concluding = [p for p in pairs if p.source in _CONCLUDING]
    kinds["conclusions"] = list(altered_conclusions(concluding, "conclusions", random))
    return [p for kind, found in kinds.items() for p in random.sample(found, min(len(found), sizes.get(kind, 0)))]


def held_out_contrast(data: Path, choosing: bool, most: int) -> list[Pair]:
    """Contrast pairs of premises that nothing is trained on: those of one half of the dev sets."""
    random, halves = Random(0), [dev_pairs(data, name, choosing) for name in _PREMISES]
    documents = [d for pairs in halves for d in premise_documents(pairs, pairs[0].source if pairs else "")]
    found = [p for d in documents for p in contrast_pairs(d, "contrast", random)]
    return random.sample(found, min(len(found), most))


def chapter_documents(folder: Path) -> Iterator[list[str]]:
    """The sentences of each chapter's paragraphs, without headings, tables and formulas."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no chapters (*.txt); name their folder with --chapters.")
    for file in files:
        text = re.sub(r"[~^]", "", _BLOCK.sub("", file.read_text(encoding="utf-8")))
        lines = [line for line in text.splitlines() if line and not _NO_PARAGRAPH.match(line)]
        yield [s for line in lines for s in sentences(line) if s.endswith(".")]


def premise_documents(pairs: Sequence[Pair], source: str) -> Iterator[list[str]]:
    """The sentences of each premise of one source, once."""
    for premise in dict.fromkeys(p.premise for p in pairs if p.source == source):
        yield sentences(cleaned(premise))


def cleaned(text: str) -> str:
    """`text` as it is printed: tokenised corpora put spaces before marks and spell brackets out."""
    return " ".join(_BEFORE_MARK.sub("", _BRACKETS.sub("", text)).split())
