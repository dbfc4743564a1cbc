"""Trains the NLI model: python -m core.models.training.nli --data DIR --out DIR."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from core.models.training.bases import cross_encoder
from core.models.training.batches import Example, encoded, fingerprint
from core.models.training.card import Outcome, ship
from core.models.training.checkpoints import Checkpoint
from core.models.training.documents import CONTRAST, all_contrast_pairs, held_out_contrast
from core.models.training.loop import Recipe, Run
from core.models.training.options import arguments, recipe_of, tell
from core.models.training.pairs import DEV_SETS, LABELS, RECIPE, TWO_CLASS, Pair, counts, dev_pairs, training_pairs
from core.models.training.scoring import accuracy, textbook_figures

_CHOOSING = 150
"""Pairs of each dev set that a run is scored on while it learns."""
_CONTRAST = 2_000
"""Contrast pairs of the dev sets that are reported; there would be many more."""
_ABOUT = (
    "A three-label NLI cross-encoder (0 entailment, 1 neutral, 2 contradiction) for sentences of answers against "
    "textbook passages."
)


def masked_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross-entropy over three labels, shapes (pairs, 3) and (pairs,); target 3 is "neutral or contradiction"."""
    chances = torch.log_softmax(logits, dim=-1)
    either = torch.logsumexp(chances[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([chances, either], dim=-1).gather(1, targets[:, None]).mean()


def examples(pairs: Sequence[Pair]) -> list[Example]:
    places = {label: n for n, label in enumerate((*LABELS, TWO_CLASS))}
    return [Example(pairs=((p.premise, p.hypothesis),), target=places[p.label]) for p in pairs]


def gathered(options: argparse.Namespace) -> list[Pair]:
    """All pairs of a run: the recipe's, and contrast pairs, cut to --share and --contrast of their sizes."""
    sizes = {source: max(1, round(n * options.share)) for source, n in RECIPE.items()}
    contrast = {kind: round(n * options.contrast) for kind, n in CONTRAST.items()}
    pairs = training_pairs(options.data, sizes, options.seed)
    return pairs + all_contrast_pairs(pairs, options.chapters, contrast, options.seed)


def halves(data: Path, choosing: bool, most: int | None = None) -> dict[str, list[Pair]]:
    """One half of every dev set, and contrast pairs made of its premises; the first `most` of each."""
    found = {name: dev_pairs(data, name, choosing, most) for name in DEV_SETS}
    found["contrast"] = held_out_contrast(data, choosing, min(most or _CONTRAST, _CONTRAST))
    return {name: pairs for name, pairs in found.items() if pairs}


def reported(model: Any, tokenizer: Any, data: Path, most: int | None = None) -> dict[str, Any]:
    """Accuracy on the reporting half of each dev set, with n, and on the textbook test."""
    found = {
        name: {"accuracy": round(accuracy(model, tokenizer, pairs), 4), "n": len(pairs)}
        for name, pairs in halves(data, choosing=False, most=most).items()
    }
    return {"textbook": textbook_figures(model, tokenizer), "dev": found}


def weaknesses(figures: dict[str, Any]) -> str:
    """The three kinds of change of the textbook test that it reads worst."""
    kinds = sorted(figures["textbook"]["change"].items(), key=lambda item: item[1]["accuracy"])[:3]
    return ", ".join(f"{k.replace('_', ' ')} ({v['accuracy']:.0%} of {v['n']})" for k, v in kinds)


def main(arguments_given: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--chapters", type=Path, default=Path("data/sample"), help="the folder of our own chapters")
    parser.add_argument("--contrast", type=float, default=1.0, help="share of the contrast pairs, in [0, 1]")
    options = parser.parse_args(arguments_given)
    recipe, pairs = recipe_of(options, Recipe()), gathered(options)
    model, tokenizer = cross_encoder(options.base, LABELS, options.seed)
    scored = halves(options.data, choosing=True, most=_CHOOSING)
    items = examples(pairs)
    plan = {"base": options.base, "examples": fingerprint(items), "sizes": counts(pairs), **asdict(recipe)}
    tell(f"{len(pairs)} pairs: {counts(pairs)}")
    run = Run(
        model=model, tokenizer=tokenizer, recipe=recipe, loss=masked_loss,
        scores=lambda m, t: {name: accuracy(m, t, half) for name, half in scored.items()},
        checkpoint=Checkpoint(options.work or options.out / "work", plan), tell=tell,
    )  # fmt: skip
    progress = run.train(encoded(items, tokenizer, recipe.tokens))
    figures = reported(run.model, tokenizer, options.data)
    outcome = Outcome(
        about=_ABOUT, base=Path(options.base).name, sizes=counts(pairs), recipe=recipe, progress=progress,
        figures=figures, weaknesses=weaknesses(figures),
    )  # fmt: skip
    ship(options.out, run.model, tokenizer, outcome)


if __name__ == "__main__":
    main()
