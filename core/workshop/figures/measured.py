"""The docs' measured tables, drawn from what commands have stored in data/measured."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.evaluation.outcomes import ANSWERS, QUESTIONS
from core.reports.metrics import about_sample, marks_table, measured, sample_counts, share
from core.reports.seed_tables import MEASURES, TIME

ROOT = Path(__file__).parents[3]
CALIBRATION = ROOT / "data" / "models" / "calibration"
NOT_YET = "Not measured yet."


def questions_table() -> str:
    """What became of real textbook questions, a row a preset."""
    stored = measured("ncert_qa")
    rows = ["| preset | answered | of these agreeing | refused where the reference says that it is absent |"]
    rows += ["|---|---|---|---|"]
    for name, o in stored.items():
        rows.append(f"| {name} | {share(o['answered'])} | {share(o['agrees'])} | {share(o['refused_where_absent'])} |")
    return "\n".join(rows)


def pairs_table() -> str:
    """Supported answers refused and altered ones delivered, a row a setting."""
    stored = measured("chapter_pairs")
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
    stored = measured("chapter_pairs")
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
    stored = measured("bench")
    rows = ["| figure | value | baseline | baseline's value | ratio | n |", "|---|---|---|---|---|---|"]
    for name, f in stored.items():
        if f["value"] is None:
            rows.append(f"| `{name}` | {f['note']} | | | | |")
            continue
        ratio = "" if f["ratio"] is None else f"{f['ratio']:.2f}"
        value, other = (f"{_short(f[k])} {f['unit']}" for k in ("value", "baseline_value"))
        rows.append(f"| `{name}` | {value} | {f['baseline']} | {other} | {ratio} | {f['n']:,} |")
    return "\n".join(rows)


def sample_table() -> str:
    """What became of the reporting half of the sample banks: what was measured, the marks, and a row for each kind.

    Says so where it has not been measured; FiguresError when it was measured without the chapters, or elsewhere.
    """
    stored = sample_counts()
    if stored is None:
        return NOT_YET
    kinds = [_kinds_table(stored[group], names) for group, names in (("questions", QUESTIONS), ("answers", ANSWERS))]
    return "\n\n".join([about_sample(stored), marks_table(stored), *_seeds_table(stored.get("seeds")), *kinds])


def _seeds_table(seeds: Mapping[str, Any] | None) -> list[str]:
    """Seed A's table, and seed C's two shares; nothing of an evaluation that did not count them."""
    if seeds is None:
        return []
    rows = ["| | with the guardrail | without it |", "|---|---|---|"]
    rows += [f"| {label} | {share(seeds['with'][m])} | {share(seeds['without'][m])} |" for m, label in MEASURES.items()]
    time = seeds["latency"]
    if time["n"]:
        rows.append(f"| {TIME}, n {time['n']} | {time['guarded']:.2f} s | {time['without']:.2f} s |")
    rows.append(f"| User trust score | {seeds['trust_score']} | {seeds['trust_score']} |")
    abstained = (
        f"Abstained where nothing can be answered: {share(seeds['abstention_accuracy'])}; where something can: "
        f"{share(seeds['false_abstention'])}."
    )
    return ["\n".join(rows), abstained]


def _kinds_table(group: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A row for each kind, expectation and alteration; what nothing became has no column, and is named below."""
    shown = [name for name in names if group["all"][name]["count"]]
    heads = ["kind", "expected", "n", *(name.replace("_", " ") for name in shown)]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, expected in group["kinds"].items():
        for due, counted in expected.items():
            for alteration, some in counted.items():
                label = kind.replace("_", " ") + ("" if alteration == "all" else f": {alteration.replace('_', ' ')}")
                cells = [label, due, str(some["n"]), *(_cell(some[name]) for name in shown)]
                rows.append("| " + " | ".join(cells) + " |")
    meaning = "; ".join(f"*{name.replace('_', ' ')}*: {names[name]}" for name in shown)
    absent = ", ".join(name.replace("_", " ") for name in names if name not in shown)
    return "\n".join([*rows, "", f"{meaning}." + (f" None: {absent}." if absent else "")])


def _cell(rate: Mapping[str, Any]) -> str:
    low, high = rate["interval"]
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {100 * low:.0f}-{100 * high:.0f})"


def words_table() -> str:
    """Words of the real chapters that are in no English word list, as pypdf reads them and as mended."""
    rows = ["| chapter | as pypdf reads it | mended |", "|---|---|---|"]
    for name, read in measured("reading")["unknown_words"].items():
        rows.append(f"| {name} | {share(read['raw'])} | {share(read['mended'])} |")
    return "\n".join(rows)


def recall_table() -> str:
    """How often a search finds the key terms of a reference answer among its first five passages."""
    rows = ["| text | questions answered by one of the first five passages |", "|---|---|"]
    rows += [f"| {name} | {share(found)} |" for name, found in measured("reading")["recall"].items()]
    return "\n".join(rows)


def _reliability(name: str, half: str, r: Mapping[str, Any]) -> str:
    drawn = " | ".join(f"{r[k]:.3f}" for k in ("base_rate", "mean", "log_loss", "ece"))
    return f"| {name} | {half.replace('_', ' ')} | {r['n']:,} | {drawn} |"


def _short(value: float) -> str:
    """A measured number with no more digits than it deserves."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
