"""NLI pairs: which of the data sets are trained on, and the two halves of the sets for choosing."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from core.banks.splits import for_fitting
from core.workshop.training.datasets import rows

TWO_CLASS = "not_entailment"
"""What a source without "neutral" calls all that does not follow."""
DEV_SETS = ("lingnli_val", "conjnli_dev", "entbank_steps_dev", "cad_test", "fever_symmetric_dev", "rte_dev")


class Pair(NamedTuple):
    """A premise, a hypothesis, one of LABELS or TWO_CLASS, and where it comes from."""

    premise: str
    hypothesis: str
    label: str
    source: str


RECIPE = {
    "lingnli": 45_000, "cad_nli": 9_000, "semi_base_wiki": 2_740, "semi_sim_wiki": 3_000, "semi_translate_wiki": 3_260,
    "fever_rte": 6_000, "conjnli": 8_000, "rte": 3_000, "covidfact": 1_000, "scifact_rte": 500, "help": 1_500,
    "monli": 1_500, "entbank_step": 3_000,
}  # fmt: skip
"""Most pairs of each source; a source that is not named is not trained on."""

MORE = {
    "mnli_train20k_nyuhw": 9_000, "mnli_llmsknow": 4_500, "mnli_dev_matched": 4_000, "snli_train_25k": 4_000,
    "infotabs_linear": 2_000, "fever_train": 2_500, "fever_nei_paired": 800, "fool_me_twice": 600, "equate_quant": 700,
    "negation_nli": 900, "scone_negation": 500, "nannli_fracas": 300, "nli_stress_antonym": 200,
    "healthver_dev_test": 500,
}  # fmt: skip
"""Most pairs of each file of nli_more; those that are for reporting only are not here."""


def training_pairs(
    data: Path, recipe: Mapping[str, int], seed: int, more: Mapping[str, int] | None = None
) -> list[Pair]:
    """The pairs of the sources of `recipe`, and of the files of `more`, each cut to its size at random."""
    found = [Pair(r["premise"], r["hypothesis"], r["label"], r["src"]) for r in rows(data, "nli/train")]
    for name in more or {}:
        found += [Pair(r["premise"], r["hypothesis"], r["label"], name) for r in rows(data, f"nli_more/{name}")]
    Random(seed).shuffle(found)
    sizes = {**recipe, **(more or {})}
    kept, counts = [], dict.fromkeys(sizes, 0)
    for pair in found:
        if counts.get(pair.source, 0) < sizes.get(pair.source, 0):
            counts[pair.source] += 1
            kept.append(pair)
    return kept


def dev_pairs(data: Path, name: str, choosing: bool, most: int | None = None) -> list[Pair]:
    """One half of a dev set, split by the hash of the premise: for choosing, or for reporting; the first `most`."""
    found = [Pair(r["premise"], r["hypothesis"], r["label"], name) for r in rows(data, f"nli/dev_{name}")]
    half = [p for p in found if for_fitting(p.premise) == choosing]
    return sorted(half, key=_hash)[:most]


def _hash(pair: Pair) -> bytes:
    return hashlib.sha256(f"{pair.premise}\n{pair.hypothesis}".encode()).digest()


def counts(pairs: Sequence[Pair]) -> dict[str, int]:
    """How many pairs each source gives, its kinds taken together."""
    found: dict[str, int] = {}
    for pair in pairs:
        source = pair.source.partition("/")[0]
        found[source] = found.get(source, 0) + 1
    return dict(sorted(found.items()))
