"""The README's tables of the models that we trained, drawn from data/measured/models.json and from their folders."""

import json
from collections.abc import Mapping
from typing import Any

from core.models.profile import READER
from core.models.weights import SHIPPED
from core.reports.metrics import measured, share
from core.workshop.figures.measured import NOT_YET

_SETS = {
    "mnli_dev_mismatched": ("MultiNLI mismatched", 0.82),
    "lingnli_val": ("LingNLI val", 0.79),
    "conjnli_dev": ("ConjNLI dev", 0.68),
    "entbank_steps_dev": ("EntailmentBank steps dev", 0.78),
    "scitail_dev": ("SciTail dev, entailment or not", 0.86),
    "anli_dev": ("ANLI dev", None),
    "cad_test": ("CAD test", None),
    "fever_symmetric_dev": ("FEVER-symmetric dev, two classes", None),
    "rte_dev": ("RTE dev, two classes", None),
    "contrast": ("contrast pairs made of dev premises", None),
}
"""What each set is called, and the accuracy that was asked for."""
_TEMPLATES = {"itself": "itself", "denied": "denied", "other_number": "another number", "unrelated": "unrelated"}
_HINTS = {
    "together": "right sentence first among eight passages, hints weighed together",
    "cosine": "by the cosine alone",
    "located": "by the reader on the passages alone",
    "alone": "by the reader on each sentence alone",
    "reranked": "by the reranker on each sentence alone",
}
_WAYS = {"dense": "cosine", "bm25": "BM25", "hybrid": "hybrid", "reranked": "reranked"}


def nli_table() -> str:
    """Accuracy of the NLI model before and now, a row a set, with what was asked for."""
    found = measured("models")["nli"]
    before, now = found.get("before"), found["shipped"]
    rows = ["| set (reporting half) | n | asked for | before | now |", "|---|---|---|---|---|"]
    for test, name, mark in (("textbook", "textbook test", 0.90), ("textbook_negated", "the second of it", 0.88)):
        rows.append(_row(name, mark, before and before[test]["all"], now[test]["all"]))
    rows += [_row(name, mark, before and before["dev"][k], now["dev"][k]) for k, (name, mark) in _SETS.items()]
    rows += [
        _row(f"sentences of real chapters: {name}", 0.93, before and _right(before, k), _right(now, k))
        for k, name in _TEMPLATES.items()
    ]
    return "\n".join(rows)


def nli_changes_table() -> str:
    """The textbook test by kind of change."""
    found = measured("models")["nli"]
    before, now = found.get("before"), found["shipped"]
    rows = ["| change | n | before | now |", "|---|---|---|---|"]
    for kind, figures in now["textbook"]["change"].items():
        earlier = _percent(before["textbook"]["change"][kind]["accuracy"]) if before else ""
        rows.append(f"| {kind.replace('_', ' ')} | {figures['n']} | {earlier} | {_percent(figures['accuracy'])} |")
    return "\n".join(rows)


def paired_table() -> str:
    """Altered answers delivered, by kind, at limits chosen on the other half: by entailment alone, and with numbers."""
    found = measured("models").get("paired")
    if found is None:
        return NOT_YET
    columns = {}
    for which, title in (("before", "before"), ("shipped", "now")):
        if which in found:
            columns[f"{title}, entailment alone"] = found[which]["outcomes"]
            columns[f"{title}, numbers check too"] = found[which]["with_numbers"]["outcomes"]
    rows = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    outcomes = list(columns.values())
    rows.append(
        "| supported, refused | " + " | ".join(share(o["supported"]["all"]["refused"]) for o in outcomes) + " |"
    )
    for kind in outcomes[0]["altered"]:
        shares = " | ".join(share(o["altered"][kind]["delivered"]) for o in outcomes)
        rows.append(f"| altered, delivered: {kind.replace('_', ' ')} | {shares} |")
    return "\n".join(rows)


def ranking_table() -> str:
    """MRR@10 and recall@1 of each way to search, a row a set."""
    rows = ["| set (reporting half) | n | " + " | ".join(_WAYS.values()) + " |", "|---" * (len(_WAYS) + 2) + "|"]
    found = measured("models").get("ranking")
    if found is None:
        return NOT_YET
    for name, ways in found.items():
        cells = (f"{ways[w]['mrr_at_10']:.3f}, {_percent(ways[w]['recall_at_1'])}" if w in ways else "" for w in _WAYS)
        rows.append(f"| {name} | {ways['dense']['n']} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def reader_table() -> str:
    """What the reader was asked to reach on questions that it never saw, and what it reaches."""
    found = json.loads((SHIPPED / READER / "figures.json").read_text(encoding="utf-8"))
    public, ours, sentence = found["squad2"], found["own"], found["right_sentence"]
    rows = ["| what | n | asked for | measured |", "|---|---|---|---|"]
    rows += [
        f"| SQuAD 2.0 dev, a half: F1 at the best threshold | {public['n']} | 70 | {public['f1']:.1f} |",
        f"| the same: area under the curve, answer or none | {public['n']} | 0.85 | {public['area']:.3f} |",
        f"| our own test questions: whether a text answers, area | {ours['n']} | | {ours['area']:.3f} |",
    ]
    for hint, name in _HINTS.items():
        rank, asked = sentence[hint], "85 %" if hint == "together" else ""
        rows.append(f"| {name} | {rank['n']} | {asked} | {_percent(rank['recall_at_1'])} |")
    return "\n".join(rows)


def _right(figures: Mapping[str, Any], template: str) -> dict[str, Any]:
    found = figures["templates"][template]
    return {"accuracy": found["right"], "n": found["n"]}


def _row(name: str, mark: float | None, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    asked, earlier = (f"{mark:.0%}" if mark else ""), _percent(before["accuracy"]) if before else ""
    return f"| {name} | {now['n']} | {asked} | {earlier} | {_percent(now['accuracy'])} |"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
