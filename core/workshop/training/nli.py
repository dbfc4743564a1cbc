"""Trains the NLI model: python -m core.workshop.training.nli --data DIR --out DIR."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import torch

from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.nli import LABELS
from core.workshop.training.base_models import new_cross_encoder
from core.workshop.training.batches import Example, encoded, fingerprint
from core.workshop.training.card import Outcome, write_card
from core.workshop.training.checkpoints import Checkpoint, plan_of
from core.workshop.training.documents import CONTRAST, all_contrast_pairs, chapter_documents, held_out_contrast
from core.workshop.training.export import kept, ship
from core.workshop.training.groups import groups_of
from core.workshop.training.loop import Recipe, Run
from core.workshop.training.negated_pairs import denied
from core.workshop.training.numeric_templates import reckoned
from core.workshop.training.options import arguments, recipe_of, tell
from core.workshop.training.pairs import DEV_SETS, MORE, RECIPE, TWO_CLASS, Pair, counts, dev_pairs, training_pairs
from core.workshop.training.scoring import Trained, accuracy, textbook_figures

CHOOSING = 150
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
    """All pairs of a run: the recipe's, those of nli_more, contrast pairs, each cut to its share, and groups.

    Of the groups --grouped of the pairs are taken, and of these --denied are denied as well; those of --negations are
    taken whole.
    """
    sizes = {source: max(1, round(n * options.share)) for source, n in RECIPE.items()}
    contrast = {kind: round(n * options.contrast) for kind, n in CONTRAST.items()}
    more = {source: round(n * options.more) for source, n in MORE.items()} if options.more else None
    pairs = training_pairs(options.data, sizes, options.seed, more)
    pairs += all_contrast_pairs(pairs, options.chapters, contrast, options.seed)
    random = Random(options.seed)
    if options.groups:
        ours = grouped(options.groups, held_out=False)
        ours = random.sample(ours, round(len(ours) * options.grouped))
        pairs += ours + denied(ours, options.denied, random)
    if options.negations:
        pairs += grouped(options.negations, held_out=False)
    if options.reckoned:
        fillers = [s for document in chapter_documents(options.chapters) for s in document]
        pairs += reckoned(fillers, options.reckoned, options.seed)
    return pairs


def grouped(folder: Path, held_out: bool) -> list[Pair]:
    """The pairs of the groups that are trained on, or of the few that are kept for choosing."""
    return [pair for group in groups_of(folder) if group.held_out == held_out for pair in group.pairs()]


def halves(data: Path, choosing: bool, most: int | None = None) -> dict[str, list[Pair]]:
    """One half of every dev set, and contrast pairs made of its premises; the first `most` of each."""
    found = {name: dev_pairs(data, name, choosing, most) for name in DEV_SETS}
    found["contrast"] = held_out_contrast(data, choosing, min(most or _CONTRAST, _CONTRAST))
    return {name: pairs for name, pairs in found.items() if pairs}


def reported(model: CrossEncoder, data: Path, most: int | None = None) -> dict[str, Any]:
    """Accuracy on the reporting half of each dev set, with n, and on the textbook test."""
    found = {
        name: {"accuracy": round(accuracy(model, pairs), 4), "n": len(pairs)}
        for name, pairs in halves(data, choosing=False, most=most).items()
    }
    return {"textbook": textbook_figures(model), "dev": found}


def weaknesses(figures: dict[str, Any]) -> str:
    """The three kinds of change of the textbook test that it reads worst."""
    kinds = sorted(figures["textbook"]["change"].items(), key=lambda item: item[1]["accuracy"])[:3]
    return ", ".join(f"{k.replace('_', ' ')} ({v['accuracy']:.0%} of {v['n']})" for k, v in kinds)


def main(arguments_given: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--chapters", type=Path, default=Path("data/sample"), help="the folder of our own chapters")
    parser.add_argument("--more", type=float, default=0.0, help="share of what is taken of nli_more, in [0, 1]")
    parser.add_argument("--contrast", type=float, default=1.0, help="share of the contrast pairs, in [0, 1]")
    parser.add_argument("--grouped", type=float, default=1.0, help="share of the pairs of the groups, in [0, 1]")
    parser.add_argument("--negations", type=Path, help="a folder of groups whose pairs are all taken")
    parser.add_argument("--denied", type=float, default=0.0, help="share of those that are denied as well, in [0, 1]")
    parser.add_argument("--reckoned", type=int, default=0, help="pairs of passages with numbers to reckon with")
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that learn nothing")
    options = parser.parse_args(arguments_given)
    recipe, pairs = recipe_of(options, Recipe()), gathered(options)
    model, tokenizer = new_cross_encoder(options.base, LABELS, options.seed, options.frozen)
    scored = halves(options.data, choosing=True, most=CHOOSING)
    if options.groups:
        ours = grouped(options.groups, held_out=True)
        scored["groups"] = Random(0).sample(ours, min(len(ours), 2 * CHOOSING))
    if options.negations:
        ours = grouped(options.negations, held_out=True)
        scored["negations"] = Random(0).sample(ours, min(len(ours), 2 * CHOOSING))
    items = examples(pairs)
    plan = {"base": options.base, "examples": fingerprint(items), "sizes": counts(pairs), "frozen": options.frozen}
    plan |= asdict(recipe)
    tell(f"{len(pairs)} pairs: {counts(pairs)}")
    run = Run(
        model=model, tokenizer=tokenizer, recipe=recipe, loss=masked_loss,
        scores=lambda model: {name: accuracy(model, half) for name, half in scored.items()},
        checkpoint=Checkpoint(options.work or options.out / "work", plan), tell=tell,
    )  # fmt: skip
    progress = run.train(encoded(items, tokenizer, recipe.tokens))
    trained = Trained(run.model, tokenizer)
    ship(options.out, trained)
    shipped = cross_encoder(options.out)
    figures = {
        "trained": reported(trained, options.data),
        "shipped": reported(shipped, options.data),
        "export": kept(trained, shipped, [(p.premise, p.hypothesis) for half in scored.values() for p in half]),
    }
    outcome = Outcome(
        about=_ABOUT, base=Path(options.base).name, earlier=plan_of(Path(options.base)), sizes=counts(pairs),
        recipe=recipe, progress=progress, figures=figures, weaknesses=weaknesses(figures["shipped"]),
    )  # fmt: skip
    write_card(options.out, outcome)


if __name__ == "__main__":
    main()
