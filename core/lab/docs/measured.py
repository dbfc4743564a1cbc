"""The tables of measurements in the docs. They are made from files that commands stored in data/measured and beside the
models."""

import json
from collections.abc import Mapping
from typing import Any

from core.evaluation.outcomes import ANSWERS, QUESTIONS
from core.lab.dates import DATE, without_date
from core.lab.docs.dates import changes_since
from core.lab.docs.measurements import read_measurement, share
from core.lab.docs.sample_targets import about_sample, sample_counts, targets_table
from core.lab.figures.ablation_rows import Grade
from core.models.profile import READER
from core.models.weights import SHIPPED
from core.reports.seed_tables import MEASURES, TIME

NOT_YET = "Not measured yet."


def questions_table() -> str:
    """The outcomes of real textbook questions, a row per preset."""
    stored = without_date(read_measurement("ncert_qa"))
    rows = ["| preset | answered | of these agreeing | refused where the reference says that it is absent |"]
    rows += ["|---|---|---|---|"]
    for name, o in stored.items():
        rows.append(f"| {name} | {share(o['answered'])} | {share(o['agrees'])} | {share(o['refused_where_absent'])} |")
    return "\n".join(rows)


def pairs_table() -> str:
    """A row per setting: the share of supported answers that it refuses, and of altered answers that it delivers."""
    stored = read_measurement("chapter_pairs")
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
    """A row per kind of change that was made to an answer: the share of altered answers delivered. The limits were
    chosen on one half of the pairs, and the shares are those of the other half."""
    stored = read_measurement("chapter_pairs")
    altered = stored["answer_checks_at_the_operating_point"]["altered"]
    rows = ["| altered | delivered |", "|---|---|"]
    rows += [f"| {kind} | {share(outcome['delivered'])} |" for kind, outcome in altered.items() if kind != "all"]
    return "\n".join(rows)


def calibration_table() -> str:
    """A row per calibrated probability and half (fitting or held out): how well the probability agrees with the
    observed share."""
    rows = ["| probability | half | n | share that holds | mean given | log loss | calibration error |"]
    rows += ["|---|---|---|---|---|---|---|"]
    for path in sorted((SHIPPED / "calibration").glob("*.json")):
        for name, halves in json.loads(path.read_text(encoding="utf-8"))["fitted_on"]["reliability"].items():
            rows += [_reliability(f"`{name}`", half, halves[half]) for half in ("fitting", "held_out")]
    return "\n".join(rows)


def bench_table() -> str:
    """A row per figure of the benchmark's last stored run: its value, that of its baseline, and their ratio."""
    stored = without_date(read_measurement("bench"))
    rows = ["| figure | value | baseline | baseline's value | ratio | n |", "|---|---|---|---|---|---|"]
    for name, f in stored.items():
        if f["value"] is None:
            rows.append(f"| `{name}` | {f['note']} | | | | |")
            continue
        ratio = "" if f["ratio"] is None else f"{f['ratio']:.2f}"
        value, other = (f"{f[k]:,.{0 if f[k] >= 100 else 1}f} {f['unit']}" for k in ("value", "baseline_value"))
        rows.append(f"| `{name}` | {value} | {f['baseline']} | {other} | {ratio} | {f['n']:,} |")
    return "\n".join(rows)


def sample_table() -> str:
    """The outcomes of the reporting half of the sample banks: a sentence on the conditions, the targets, and a row for
    each kind of question or answer.

    NOT_YET without figures. Raises FiguresError if they were measured without the chapters or under other conditions.
    """
    stored = sample_counts()
    if stored is None:
        return NOT_YET
    kinds = [_kinds_table(stored[group], names) for group, names in (("questions", QUESTIONS), ("answers", ANSWERS))]
    return "\n\n".join([about_sample(stored), targets_table(stored), *_seeds_table(stored.get("seeds")), *kinds])


def _seeds_table(seeds: Mapping[str, Any] | None) -> list[str]:
    """Text blocks: a table of source document A's measures, with and without the guardrail, and a sentence with the two
    shares of abstentions that source document C asks for. [] if the evaluation did not count them.

    seeds: the stored figures on the source documents, or None.
    """
    if seeds is None:
        return []
    rows = ["| | with the guardrail | without it |", "|---|---|---|"]
    rows += [f"| {label} | {share(seeds['with'][m])} | {share(seeds['without'][m])} |" for m, label in MEASURES.items()]
    time = seeds["latency"]
    if time["n"]:
        rows.append(f"| {TIME}, n {time['n']} | {time['guarded']:.2f} s | {time['without']:.2f} s |")
    abstained = (
        f"Abstained where nothing can be answered: {share(seeds['abstention_accuracy'])}; where something can: "
        f"{share(seeds['false_abstention'])}."
    )
    return ["\n".join(rows), abstained]


def _kinds_table(group: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A row for each kind of bank row, expected outcome and alteration, with a column for each outcome.

    An outcome that never occurs has no column; its name is listed below the table. names: the meaning of each outcome.
    """
    kinds_with_pairs = [name for name in names if group["all"][name]["count"]]
    heads = ["kind", "expected", "n", *(name.replace("_", " ") for name in kinds_with_pairs)]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, expected in group["kinds"].items():
        for expectation, by_alteration in expected.items():
            for alteration, counts in by_alteration.items():
                label = kind.replace("_", " ") + ("" if alteration == "all" else f": {alteration.replace('_', ' ')}")
                cells = [label, expectation, str(counts["n"]), *(_cell(counts[name]) for name in kinds_with_pairs)]
                rows.append("| " + " | ".join(cells) + " |")
    meaning = "; ".join(f"*{name.replace('_', ' ')}*: {names[name]}" for name in kinds_with_pairs)
    absent = ", ".join(name.replace("_", " ") for name in names if name not in kinds_with_pairs)
    return "\n".join([*rows, "", f"{meaning}." + (f" None: {absent}." if absent else "")])


def _cell(rate: Mapping[str, Any]) -> str:
    low, high = rate["interval"]
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {100 * low:.0f}-{100 * high:.0f})"


def words_table() -> str:
    """A row per real chapter: the share of its words that are in no English word list, in the text as pypdf reads it
    and in the text as the library mends it."""
    rows = ["| chapter | as pypdf reads it | mended |", "|---|---|---|"]
    for name, figures in read_measurement("reading")["unknown_words"].items():
        rows.append(f"| {name} | {share(figures['raw'])} | {share(figures['mended'])} |")
    return "\n".join(rows)


def recall_table() -> str:
    """A row per text of the chapters (read by pypdf, or mended by the library): for how many questions one of the first
    five passages has the key terms of the reference answer."""
    rows = ["| text | questions answered by one of the first five passages |", "|---|---|"]
    rows += [f"| {name} | {share(recall)} |" for name, recall in read_measurement("reading")["recall"].items()]
    return "\n".join(rows)


def spliced_table() -> str:
    """A row per PDF reader: how many sentences of real chapters it splices, and how many are one run of the page,
    against all reading orders and against those that are not its own."""
    heads = ("reader", "date", "pages", "sentences", "spliced", "one run of the page", "spliced, other orders")
    heads += ("one run, other orders",)
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    stored = read_measurement("spliced")
    for name, f in stored.items():
        runs = [f"{f[key]:,} ({f[key] / f['sentences']:.0%})" for key in ("whole", "whole_elsewhere")]
        cells = (name, f[DATE], f"{f['pages']}", f"{f['sentences']:,}", f"{f['spliced']}", runs[0])
        cells += (f"{f['spliced_elsewhere']}", runs[1])
        rows.append("| " + " | ".join(cells) + " |")
    since = changes_since(min(f[DATE] for f in stored.values()), ("reading",))
    return "\n".join([*([since.strip(), ""] if since else []), *rows])


_UNDRAWN = (Grade.ABSENT_REFUSED, Grade.ALTERED_HELD, Grade.OTHER_BAD, Grade.CASE_OTHERWISE, Grade.NOT_READ)
"""Grades without a column in the ablation table: the opposites of those that have one, and rows that cannot be read."""


def ablation_table() -> str:
    """Tables of the results without one hint of a fitted model, and without one family of rules of English."""
    stored = read_measurement("ablation")
    drawn = (("support", _support_hints), ("writer", _writer_hints), ("families", _families))
    return "\n\n".join("\n".join(draw(stored[part])) for part, draw in drawn if part in stored)


def _support_hints(stored: Mapping[str, Any]) -> list[str]:
    hints = without_date(stored)
    n = hints.pop("n")
    table = [f"Hints of `support`, measured on {stored[DATE]}.", "",
             f"| `support` without | fires on supported, of {n['supported']} | on altered, of {n['altered']} | area "
             "| supported that pass |", "|---|---|---|---|---|"]  # fmt: skip
    for name, row in hints.items():
        fires = row.get("fires", {"supported": "", "altered": ""})
        table.append(_cells(name, fires["supported"], fires["altered"], f"{row['area']:.3f}", row["supported_pass"]))
    return table


def _writer_hints(stored: Mapping[str, Any]) -> list[str]:
    hints = without_date(stored)
    n = hints.pop("n")
    names = ("picked", "right", "wrong", "refused", "absent_answered", "changed")
    table = [f"Hints of the writer's choice, measured on {stored[DATE]}.", "",
             f"| the writer without | best stretch right, of {n['answerable']} | given out | wrong ones | refused "
             f"| absent answered, of {n['absent']} | another stretch |", "|---|---|---|---|---|---|---|"]  # fmt: skip
    return [*table, *(_cells(name, *(row[one] for one in names)) for name, row in hints.items())]


def _families(stored: Mapping[str, Any]) -> list[str]:
    usual, sets = stored["all rules"], stored["sets"]
    grades = [grade for grade in Grade if usual.get(grade) and grade not in _UNDRAWN]
    of_each = ", ".join(f"{name} {n}" for name, n in sets.items())
    table = [f"Families of rules, measured on {stored[DATE]} on {sum(sets.values())} rows: {of_each}.", "",
             f"| without | fires on | answers changed | {' | '.join(grades)} |", "|---" * (len(grades) + 3) + "|",
             _cells("nothing", "", "", *(usual[grade] for grade in grades))]  # fmt: skip
    for name, row in stored["without"].items():
        moves = (row.get(grade, 0) - usual[grade] for grade in grades)
        table.append(_cells(name, row["fires"], row["changed"], *(f"{move:+}" if move else "" for move in moves)))
    return table


def _cells(*cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _reliability(name: str, half: str, r: Mapping[str, Any]) -> str:
    cells = " | ".join(f"{r[k]:.3f}" for k in ("base_rate", "mean", "log_loss", "ece"))
    return f"| {name} | {half.replace('_', ' ')} | {r['n']:,} | {cells} |"


_SETS = {
    "mnli_dev_mismatched": ("MultiNLI mismatched", 0.82), "lingnli_val": ("LingNLI val", 0.79),
    "conjnli_dev": ("ConjNLI dev", 0.68), "entbank_steps_dev": ("EntailmentBank steps dev", 0.78),
    "scitail_dev": ("SciTail dev, entailment or not", 0.86), "anli_dev": ("ANLI dev", None),
    "cad_test": ("CAD test", None), "fever_symmetric_dev": ("FEVER-symmetric dev, two classes", None),
    "rte_dev": ("RTE dev, two classes", None), "contrast": ("contrast pairs made of dev premises", None),
}  # fmt: skip
"""Display name of each NLI data set, and the accuracy required of the NLI model on it; None if none is required."""
_TEMPLATES = {"itself": "itself", "denied": "denied", "other_number": "another number", "unrelated": "unrelated"}
_HINTS = {
    "together": "a full answer first among the stretches of eight passages, hints weighed together",
    "cosine": "by the cosine alone",
    "located": "by the reader on the passages alone",
    "alone": "by the reader on each stretch alone",
}
_SEARCHES = {"dense": "cosine", "bm25": "BM25", "hybrid": "hybrid", "reranked": "reranked"}


def nli_table() -> str:
    """A row per data set: the accuracy that the NLI model must reach, and the accuracies of an earlier model (if
    measured) and of the current one."""
    figures = read_measurement("models")["nli"]
    before, now = figures.get("before"), figures["shipped"]
    rows = ["| set (reporting half) | n | target | before | now |", "|---|---|---|---|---|"]
    for test, name, mark in (("textbook", "textbook test", 0.90), ("textbook_negated", "the second of it", 0.88)):
        rows.append(_row(name, mark, before and before[test]["all"], now[test]["all"]))
    rows += [_row(name, mark, before and before["dev"][k], now["dev"][k]) for k, (name, mark) in _SETS.items()]
    rows += [
        _row(f"sentences of real chapters: {name}", 0.93, before and _right(before, k), _right(now, k))
        for k, name in _TEMPLATES.items()
    ]
    return "\n".join(rows)


def nli_changes_table() -> str:
    """A row per kind of change in the textbook test: the accuracy of an earlier NLI model, if measured, and of the
    current one."""
    nli = read_measurement("models")["nli"]
    before, now = nli.get("before"), nli["shipped"]
    rows = ["| change | n | before | now |", "|---|---|---|---|"]
    for kind, figures in now["textbook"]["change"].items():
        earlier = _percent(before["textbook"]["change"][kind]["accuracy"]) if before else ""
        rows.append(f"| {kind.replace('_', ' ')} | {figures['n']} | {earlier} | {_percent(figures['accuracy'])} |")
    return "\n".join(rows)


def paired_table() -> str:
    """A table of supported and altered answers. Its columns are the NLI models, each with and without the numbers
    check.

    The first row has the share of supported answers refused. Each further row has the share of altered answers
    delivered, for one kind of alteration. Limits are chosen on the tuning half. NOT_YET without figures.
    """
    figures = read_measurement("models").get("paired")
    if figures is None:
        return NOT_YET
    columns = {}
    for which, title in (("before", "before"), ("shipped", "now")):
        if which in figures:
            columns[f"{title}, entailment alone"] = figures[which]["outcomes"]
            columns[f"{title}, numbers check too"] = figures[which]["with_numbers"]["outcomes"]
    rows = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    outcomes = list(columns.values())
    refused = " | ".join(share(o["supported"]["all"]["refused"]) for o in outcomes)
    rows.append(f"| supported, refused | {refused} |")
    for kind in outcomes[0]["altered"]:
        shares = " | ".join(share(o["altered"][kind]["delivered"]) for o in outcomes)
        rows.append(f"| altered, delivered: {kind.replace('_', ' ')} | {shares} |")
    return "\n".join(rows)


def ranking_table() -> str:
    """A row per data set: MRR@10 and recall@1 of each kind of search; NOT_YET without figures."""
    rows = [
        "| set (reporting half) | n | " + " | ".join(_SEARCHES.values()) + " |",
        "|---" * (len(_SEARCHES) + 2) + "|",
    ]
    figures = read_measurement("models").get("ranking")
    if figures is None:
        return NOT_YET
    for name, searches in without_date(figures).items():
        cells = (
            f"{searches[w]['mrr_at_10']:.3f}, {_percent(searches[w]['recall_at_1'])}" if w in searches else ""
            for w in _SEARCHES
        )
        rows.append(f"| {name} | {searches['dense']['n']} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def reader_table() -> str:
    """The reader's required and measured results on questions that it was not trained on."""
    figures = json.loads((SHIPPED / READER / "figures.json").read_text(encoding="utf-8"))
    public, ours, stretch = figures["squad2"], figures["own"], figures["right_stretch"]
    rows = ["| what | n | target | measured |", "|---|---|---|---|"]
    rows += [
        f"| SQuAD 2.0 dev, a half: F1 at the best threshold | {public['n']} | 70 | {public['f1']:.1f} |",
        f"| the same: area under the curve, answer or none | {public['n']} | 0.85 | {public['area']:.3f} |",
        f"| our own test questions: whether a text answers, area | {ours['n']} | | {ours['area']:.3f} |",
    ]
    for hint, name in _HINTS.items():
        rows.append(f"| {name} | {stretch[hint]['n_answerable']} | | {_percent(stretch[hint]['picked'])} |")
    return "\n".join(rows)


def _right(figures: Mapping[str, Any], template: str) -> dict[str, Any]:
    counts = figures["templates"][template]
    return {"accuracy": counts["right"], "n": counts["n"]}


def _row(name: str, mark: float | None, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    required, earlier = (f"{mark:.0%}" if mark else ""), _percent(before["accuracy"]) if before else ""
    return f"| {name} | {now['n']} | {required} | {earlier} | {_percent(now['accuracy'])} |"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
