"""The README's measured tables, drawn from what commands have stored in data/measured."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MEASURED = ROOT / "data" / "measured"
CALIBRATION = ROOT / "data" / "models" / "calibration"


class FiguresError(ValueError):
    """A table is asked for whose figures no command has stored."""


def questions_table() -> str:
    """What became of real textbook questions, a row a preset."""
    stored = _stored("ncert_qa")
    rows = ["| preset | answered | of these agreeing | refused where the reference says that it is absent |"]
    rows += ["|---|---|---|---|"]
    for name, o in stored.items():
        rows.append(f"| {name} | {share(o['answered'])} | {share(o['agrees'])} | {share(o['refused_where_absent'])} |")
    return "\n".join(rows)


def pairs_table() -> str:
    """Supported answers refused and altered ones delivered, a row a setting."""
    stored = _stored("chapter_pairs")
    settings = {f"preset {n}": o for n, o in stored["presets"].items()} | {
        "answer checks alone, default limits": stored["answer_checks_at_the_default_limits"],
        "answer checks alone, limits chosen on the other half": stored["answer_checks_at_the_operating_point"],
        "best entailment alone, limit chosen on the other half": stored["best_entailment_alone"]["outcomes"],
        "best entailment alone, refusing as many": stored["best_entailment_alone"]["at_the_same_refusals"],
    }
    rows = ["| setting | supported, refused | altered, delivered |", "|---|---|---|"]
    for name, outcomes in settings.items():
        refused, delivered = outcomes["supported"]["all"]["refused"], outcomes["altered"]["all"]["delivered"]
        rows.append(f"| {name} | {share(refused)} | {share(delivered)} |")
    return "\n".join(rows)


def kinds_table() -> str:
    """Altered answers delivered, by kind of alteration, where the limits were chosen on the other half."""
    stored = _stored("chapter_pairs")
    altered = stored["answer_checks_at_the_operating_point"]["altered"]
    rows = ["| altered | delivered |", "|---|---|"]
    rows += [f"| {kind} | {share(outcome['delivered'])} |" for kind, outcome in altered.items() if kind != "all"]
    return "\n".join(rows)


def calibration_table() -> str:
    """How well each probability holds on questions that no map was fitted on."""
    rows = ["| probability | half | n | share that holds | mean given | log loss | calibration error |"]
    rows += ["|---|---|---|---|---|---|---|"]
    for path in sorted(CALIBRATION.glob("*.json")):
        for name, halves in json.loads(path.read_text(encoding="utf-8"))["fitted_on"]["reliability"].items():
            rows += [_reliability(f"`{name}`", half, halves[half]) for half in ("fitting", "held_out")]
    return "\n".join(rows)


def bench_table() -> str:
    """The last stored run of the benchmark."""
    stored = _stored("bench")
    rows = ["| figure | value | baseline | baseline's value | ratio | n |", "|---|---|---|---|---|---|"]
    for name, f in stored.items():
        ratio = "" if f["ratio"] is None else f"{f['ratio']:.2f}"
        value, other = (f"{_short(f[k])} {f['unit']}" for k in ("value", "baseline_value"))
        rows.append(f"| `{name}` | {value} | {f['baseline']} | {other} | {ratio} | {f['n']:,} |")
    return "\n".join(rows)


def share(rate: Mapping[str, Any]) -> str:
    """A rate as people read it: "12 of 60 (20 %, 12-32)", the interval at 95 %."""
    if not rate["n"]:
        return "none of this kind"
    low, high = rate["interval"]
    return f"{rate['count']} of {rate['n']} ({100 * rate['share']:.0f} %, {100 * low:.0f}-{100 * high:.0f})"


def _reliability(name: str, half: str, r: Mapping[str, Any]) -> str:
    drawn = " | ".join(f"{r[k]:.3f}" for k in ("base_rate", "mean", "log_loss", "ece"))
    return f"| {name} | {half.replace('_', ' ')} | {r['n']:,} | {drawn} |"


def _short(value: float) -> str:
    """A measured number with no more digits than it deserves."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _stored(name: str) -> Any:
    """What a command stored under this name; FiguresError when it has not run."""
    path = MEASURED / f"{name}.json"
    if not path.is_file():
        raise FiguresError(f"{path.name} has not been measured; run the command that the README names for it.")
    return json.loads(path.read_text(encoding="utf-8"))
