"""The card of a trained model: data and licences, sizes, seeds, time, every figure, known weaknesses."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.workshop.training.checkpoints import Progress
from core.workshop.training.loop import Recipe
from core.workshop.training.precision import precision

LICENCES = {
    "lingnli": "none stated", "cad_nli": "Apache-2.0", "conjnli": "MIT", "semi_base_wiki": "CC BY-SA 3.0",
    "semi_sim_wiki": "CC BY-SA 3.0", "semi_translate_wiki": "CC BY-SA 3.0", "fever_rte": "CC BY-SA 3.0",
    "fever_rte_contrast": "made here from FEVER, CC BY-SA 3.0", "entbank_step": "Apache-2.0",
    "entbank_step_contrast": "made here from EntailmentBank, Apache-2.0", "help": "CC BY-SA 4.0",
    "monli": "none stated", "rte": "none stated", "covidfact": "none stated", "scifact_rte": "none stated",
    "climate_fever": "none stated", "chapters": "our own sample chapters", "groups": "our own school sentences",
    "conclusions": "made here from the pairs above, their licences", "train_fairytaleqa": "Apache-2.0",
    "train_squad": "CC BY-SA 4.0", "train_entbank": "Apache-2.0", "reckoning": "our own, made by a program",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run was made of and what came out. sizes: items of each source; figures: of the reporting halves."""

    about: str
    base: str
    sizes: Mapping[str, int]
    recipe: Recipe
    progress: Progress
    figures: Mapping[str, Any]
    weaknesses: str
    earlier: Mapping[str, Any] | None = None
    """The plan of the run whose best weights this one started from, if any."""


def write_card(folder: Path, outcome: Outcome) -> None:
    """The figures and the card, beside the model."""
    (folder / "figures.json").write_text(json.dumps(outcome.figures, indent=1) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card(folder.name, outcome), encoding="utf-8")


def card(name: str, outcome: Outcome) -> str:
    """The card as Markdown."""
    progress, recipe = outcome.progress, asdict(outcome.recipe)
    sources = [f"| {source} | {n:,} | {LICENCES.get(source, 'not known')} |" for source, n in outcome.sizes.items()]
    steps = [f"| {step} | {mean:.4f} | {_listed(by_set)} |" for step, mean, by_set in progress.scores]
    learned = ", ".join(f"{k} {v}" for k, v in recipe.items())
    parts = [
        f"# {name}\n\n{outcome.about}\n",
        f"- **Start**: {_start(outcome)}; word vectors frozen.",
        f"- **Recipe**: AdamW, {precision()}, {learned}; {progress.step} steps in {progress.seconds / 60:.0f} minutes.",
        f"- **Weak at**: {outcome.weaknesses}",
        "\n## Data\n| source | items | licence |\n|---|---|---|\n" + "\n".join(sources),
        "\n## Scores on the choosing halves\n| step | mean | by set |\n|---|---|---|\n" + "\n".join(steps),
        "\n## Figures\nNothing was chosen by them: reporting halves of dev sets, and for NLI the textbook test.\n",
        _figures(outcome.figures),
    ]
    return "\n".join(parts) + "\n"


def _start(outcome: Outcome) -> str:
    if outcome.earlier is None:
        return f"{outcome.base}, with a new head"
    plan = {k: v for k, v in outcome.earlier.items() if k not in {"base", "examples"}}
    return f"{Path(outcome.earlier['base']).name}, with a new head, trained before on {plan}"


def _figures(figures: Mapping[str, Any]) -> str:
    """Every figure as a table row, its place in the mapping as its name."""
    rows = ["| figure | value |", "|---|---|"]
    return "\n".join(rows + [f"| {k} | {v} |" for k, v in _leaves(figures, "")])


def _leaves(figures: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    if all(not isinstance(v, Mapping) for v in figures.values()):
        return [(name, _listed(figures))]
    return [leaf for k, v in figures.items() for leaf in _leaves(v, f"{name} {k}".strip())]


def _listed(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in figures.items())
