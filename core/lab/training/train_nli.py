"""Trains the NLI model and writes its card: python -m core.lab.training.train_nli --data DIR --base DIR --out DIR."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from core.judgements import LABELS
from core.lab.figure_files import store_figures, table
from core.lab.training.contrast_pairs import CONTRAST, all_contrast_pairs
from core.lab.training.cross_encoder import Trained, encoded, fingerprint, new_cross_encoder, precision
from core.lab.training.evaluate import CHOOSING, accuracy, group_pairs, halves, report, weaknesses
from core.lab.training.export import agreement, as_floats, ship
from core.lab.training.nli_datasets import GROUPS, MORE, RECIPE, Pair, counts, training_pairs
from core.lab.training.trainer import Progress, Recipe, arguments, keep_to, plan_of, recipe_of, tell, train
from core.models.cross_encoders import cross_encoder

if TYPE_CHECKING:
    import torch

LICENCES = {
    "lingnli": "none stated", "cad_nli": "Apache-2.0", "conjnli": "MIT", "semi_base_wiki": "CC BY-SA 3.0",
    "semi_sim_wiki": "CC BY-SA 3.0", "semi_translate_wiki": "CC BY-SA 3.0", "fever_rte": "CC BY-SA 3.0",
    "fever_rte_contrast": "made here from FEVER, CC BY-SA 3.0", "entbank_step": "Apache-2.0",
    "entbank_step_contrast": "made here from EntailmentBank, Apache-2.0", "help": "CC BY-SA 4.0",
    "monli": "none stated", "rte": "none stated", "covidfact": "none stated", "scifact_rte": "none stated",
    "climate_fever": "none stated", "chapters": "our own sample chapters", "groups": "our own school sentences",
    "conclusions": "made here from the pairs above, their licences",
    "train_fairytaleqa": "Apache-2.0", "train_squad": "CC BY-SA 4.0", "train_entbank": "Apache-2.0",
}  # fmt: skip
_ABOUT = (
    "A three-label NLI cross-encoder (0 entailment, 1 neutral, 2 contradiction) for sentences of answers against "
    "textbook passages."
)


def card(
    name: str, start: str, sizes: Mapping[str, int], recipe: Recipe, progress: Progress, figures: Mapping[str, Any]
) -> str:
    """The model's card as Markdown: what training started from, the recipe, the data with their licences, the scores
    during training, and the figures.

    start: the network that training started from, and its head, in words. sizes: number of training pairs of each
    source. figures: results on the reporting halves.
    """
    learned = ", ".join(f"{k} {v}" for k, v in asdict(recipe).items())
    sources = [(source, f"{n:,}", LICENCES.get(source, "not known")) for source, n in sizes.items()]
    steps = [(step, f"{mean:.4f}", _listed(by_set)) for step, mean, by_set in progress.scores]
    parts = [
        f"# {name}\n\n{_ABOUT}\n",
        f"- **Start**: {start}; word vectors frozen.",
        f"- **Recipe**: AdamW, {precision()}, {learned}; {progress.step} steps.",
        f"- **Weak at**: {weaknesses(figures['shipped'])}",
        "\n## Data\n" + table(("source", "items", "licence"), sources),
        "\n## Scores on the choosing halves\n" + table(("step", "mean", "by set"), steps),
        "\n## Figures\nNothing was chosen by them: reporting halves of dev sets, and for NLI the textbook test.\n",
        table(("figure", "value"), _leaves(figures, "")),
    ]
    return "\n".join(parts) + "\n"


def start_of(base: str, head: str) -> str:
    """The folder `base` that training starts from, with its head in words; the plan of the run, for a checkpoint."""
    earlier = plan_of(Path(base))
    if earlier is None:
        return f"{Path(base).name}, with {head}"
    plan = {k: v for k, v in earlier.items() if k not in {"base", "examples"}}
    return f"{Path(earlier['base']).name}, with a new head, trained before on {plan}"


def _leaves(figures: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    if all(not isinstance(v, Mapping) for v in figures.values()):
        return [(name, _listed(figures))]
    return [leaf for k, v in figures.items() for leaf in _leaves(v, f"{name} {k}".strip())]


def _listed(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in figures.items())


def masked_loss(logits: "torch.Tensor", targets: "torch.Tensor") -> "torch.Tensor":
    """Cross-entropy over three labels, shapes (pairs, 3) and (pairs,); target 3 is "neutral or contradiction"."""
    import torch

    chances = torch.log_softmax(logits, dim=-1)
    either = torch.logsumexp(chances[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([chances, either], dim=-1).gather(1, targets[:, None]).mean()


def gathered(options: argparse.Namespace) -> list[Pair]:
    """All training pairs of a run: from the public sources, the folder nli_more, our own groups, and contrast pairs.

    Of each source, its share in `options` is used: --grouped is the share of the pairs of our groups. The groups of
    --whole-groups are used completely.
    """
    sizes = {source: max(1, round(n * options.share)) for source, n in RECIPE.items()}
    contrast = {kind: round(n * options.contrast) for kind, n in CONTRAST.items()}
    more = {source: round(n * options.more) for source, n in MORE.items()} if options.more else None
    pairs = training_pairs(options.data, sizes, options.seed, more)
    pairs += all_contrast_pairs(pairs, options.chapters, contrast, options.seed)
    if options.groups:
        ours = group_pairs(options.groups, held_out=False)
        pairs += Random(options.seed).sample(ours, round(len(ours) * options.grouped))
    for folder in options.whole_groups:
        pairs += group_pairs(folder, held_out=False)
    return pairs


def main(arguments_given: Sequence[str] | None = None) -> None:
    from transformers import AutoModelForSequenceClassification

    parser = arguments(__doc__ or "")
    parser.add_argument("--groups", type=Path, nargs="?", const=GROUPS, help="a folder of our own groups")
    parser.add_argument("--chapters", type=Path, default=Path("data/sample"), help="the folder of our own chapters")
    parser.add_argument("--more", type=float, default=0.0, help="share of what is taken of nli_more, in [0, 1]")
    parser.add_argument("--contrast", type=float, default=1.0, help="share of the contrast pairs, in [0, 1]")
    parser.add_argument("--grouped", type=float, default=1.0, help="share of the pairs of the groups, in [0, 1]")
    parser.add_argument(
        "--whole-groups", type=Path, nargs="+", default=[], help="folders of groups that are taken whole"
    )
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that learn nothing")
    options = parser.parse_args(arguments_given)
    recipe, pairs = recipe_of(options, Recipe()), gathered(options)
    base = as_floats(Path(options.base), options.out / "base", AutoModelForSequenceClassification)
    head = "a new head" if base == Path(options.base) else "the head that it shipped with"
    model, tokenizer = new_cross_encoder(str(base), LABELS, options.seed, options.frozen)
    halves_ = halves(options.data, choosing=True, most=CHOOSING)
    for folder in [options.groups, *options.whole_groups]:
        if folder:
            ours = group_pairs(folder, held_out=True)
            halves_[folder.name] = Random(0).sample(ours, min(len(ours), 2 * CHOOSING))
    plan = {"base": options.base, "examples": fingerprint(pairs), "sizes": counts(pairs), "frozen": options.frozen}
    work = keep_to(options.work or options.out / "work", plan | asdict(recipe))
    tell(f"{len(pairs)} pairs: {counts(pairs)}")
    texts, places = [(p.premise, p.hypothesis) for p in pairs], {label: n for n, label in enumerate(LABELS)}
    targets = [places.get(p.label, len(LABELS)) for p in pairs]
    progress = train(
        model, tokenizer, encoded(texts, targets, tokenizer, recipe.tokens), recipe, loss=masked_loss, work=work,
        scores=lambda model: {name: accuracy(model, half)["accuracy"] for name, half in halves_.items()},
    )  # fmt: skip
    trained_model = Trained(model, tokenizer)
    ship(options.out, trained_model)
    shipped = cross_encoder(options.out)
    figures = {
        "trained": report(trained_model, options.data),
        "shipped": report(shipped, options.data),
        "export": agreement(
            trained_model, shipped, [(p.premise, p.hypothesis) for half in halves_.values() for p in half]
        ),
    }
    store_figures(options.out / "figures.json", figures)
    text = card(options.out.name, start_of(options.base, head), counts(pairs), recipe, progress, figures)
    (options.out / "CARD.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
