"""The README's tables, written by the declarations and by the measured figures themselves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.check import all_checks
from core.presets import presets
from core.thresholds import Threshold

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MEASURED = ROOT / "data" / "measured"
_ARROWS = {"higher": "higher", "lower": "lower", "neither": "neither"}


def checks_table() -> str:
    """A row for every check."""
    rows = ["| check | what holds when it passes | looks at | from |", "|---|---|---|---|"]
    rows += [f"| `{c.name}` | {c.plain} | {c.stage} | {c.seed} |" for c in all_checks()]
    return "\n".join(rows)


def thresholds_table() -> str:
    """A row for every threshold."""
    rows = ["| threshold | default | range | unit | stricter | meaning |", "|---|---|---|---|---|---|"]
    rows += [_threshold_row(t) for c in all_checks() for t in c.thresholds().values()]
    return "\n".join(rows)


def presets_table() -> str:
    """A row for every preset: what it moves, and which checks only watch."""
    rows = ["| preset | for | moved |", "|---|---|---|"]
    for name, preset in presets().items():
        moved = ", ".join(f"`{k}` {v:g}" for k, v in preset.thresholds.items()) or "nothing"
        rows.append(f"| {name} | {preset.help} | {moved} |")
    return "\n".join(rows)


def _threshold_row(t: Threshold) -> str:
    return f"| `{t.key}` | {t.default:g} | {t.low:g} to {t.high:g} | {t.unit} | {_ARROWS[t.stricter]} | {t.help} |"


def measured(name: str) -> Any:
    """What a command measured and stored in data/measured."""
    return json.loads((MEASURED / f"{name}.json").read_text(encoding="utf-8"))


BLOCKS: dict[str, Callable[[], str]] = {
    "checks": checks_table,
    "thresholds": thresholds_table,
    "presets": presets_table,
}
"""The generated blocks of the README, by the name in their marks."""


def refreshed(readme: str) -> str:
    """`readme` with the text between each pair of marks replaced by the current table."""
    for name, table in BLOCKS.items():
        start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
        head, rest = readme.split(start, 1)
        readme = f"{head}{start}\n{table()}\n{end}{rest.split(end, 1)[1]}"
    return readme
