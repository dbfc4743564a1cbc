"""The tables of the models: accuracy of the NLI model, separation of answers, ranking, the reader, calibration."""

import json
from collections.abc import Mapping
from typing import Any

from core.lab.docs.measurements import NOT_YET, percent, read_measurement, share
from core.lab.figure_files import table, without_date
from core.models.profile import READER
from core.models.weights import SHIPPED

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
_JUDGED_SETS = {"sample": "sample banks", "chapters": "real chapters", "teacher": "a teacher's"}
"""Display names of the project's own sets; other sets keep their names."""
_JUDGES = {"support": "`support`", "plain": "plain", "longtracer": "LongTracer", "language_model": "yes or no"}
"""Display names of the judges, in the order of their columns."""


def calibration_table() -> str:
    """A row per calibrated probability and half (fitting or held out): how well the probability agrees with the
    observed share."""
    rows = []
    for path in sorted((SHIPPED / "calibration").glob("*.json")):
        for name, halves in json.loads(path.read_text(encoding="utf-8"))["fitted_on"]["reliability"].items():
            for half in ("fitting", "held_out"):
                figures = [f"{halves[half][k]:.3f}" for k in ("base_rate", "mean", "log_loss", "ece")]
                rows.append([f"`{name}`", half.replace("_", " "), f"{halves[half]['n']:,}", *figures])
    heads = ("probability", "half", "n", "share that holds", "mean given", "log loss", "calibration error")
    return table(heads, rows)


def nli_table() -> str:
    """A row per data set: the accuracy that the NLI model must reach, and the accuracies of an earlier model (if
    measured) and of the current one."""
    nli = read_measurement("models")["nli"]
    before, now = (_by_set(nli[which]) if which in nli else {} for which in ("before", "shipped"))
    required = {"textbook": ("textbook test", 0.90), "textbook_negated": ("the second of it", 0.88), **_SETS}
    required |= {k: (f"sentences of real chapters: {name}", 0.93) for k, name in _TEMPLATES.items()}
    rows = [
        (name, now[k]["n"], f"{mark:.0%}" if mark else "", _accuracy(before.get(k)), _accuracy(now[k]))
        for k, (name, mark) in required.items()
    ]
    return table(("set (reporting half)", "n", "target", "before", "now"), rows)


def _by_set(figures: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The accuracy and number of pairs of every set."""
    tests = {test: figures[test]["all"] for test in ("textbook", "textbook_negated")}
    return tests | figures["dev"] | figures["templates"]


def _accuracy(figures: Mapping[str, Any] | None) -> str:
    return percent(figures["accuracy"]) if figures else ""


def nli_changes_table() -> str:
    """A row per kind of change in the textbook test: the accuracy of an earlier NLI model, if measured, and of the
    current one."""
    nli = read_measurement("models")["nli"]
    before = nli["before"]["textbook"]["change"] if "before" in nli else {}
    rows = [
        (kind.replace("_", " "), figures["n"], _accuracy(before.get(kind)), _accuracy(figures))
        for kind, figures in nli["shipped"]["textbook"]["change"].items()
    ]
    return table(("change", "n", "before", "now"), rows)


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
    outcomes = list(columns.values())
    rows = [["supported, refused", *(share(o["supported"]["all"]["refused"]) for o in outcomes)]]
    for kind in outcomes[0]["altered"]:
        shares = (share(o["altered"][kind]["delivered"]) for o in outcomes)
        rows.append([f"altered, delivered: {kind.replace('_', ' ')}", *shares])
    return table(["", *columns], rows)


def ranking_table() -> str:
    """A row per data set: MRR@10 and recall@1 of each kind of search; NOT_YET without figures."""
    figures = read_measurement("models").get("ranking")
    if figures is None:
        return NOT_YET
    rows = []
    for name, searches in without_date(figures).items():
        found = [searches[way] for way in _SEARCHES]
        cells = (f"{f['mrr_at_10']:.3f}, {percent(f['recall_at_1'])}" for f in found)
        rows.append([name, searches["dense"]["n"], *cells])
    return table(["set (reporting half)", "n", *_SEARCHES.values()], rows)


def reader_table() -> str:
    """The reader's required and measured results on questions that it was not trained on."""
    figures = json.loads((SHIPPED / READER / "figures.json").read_text(encoding="utf-8"))
    public, ours, stretch = figures["squad2"], figures["own"], figures["right_stretch"]
    rows = [
        ("SQuAD 2.0 dev, a half: F1 at the best threshold", public["n"], "70", f"{public['f1']:.1f}"),
        ("the same: area under the curve, answer or none", public["n"], "0.85", f"{public['area']:.3f}"),
        ("our own test questions: whether a text answers, area", ours["n"], "", f"{ours['area']:.3f}"),
    ]
    rows += [(name, stretch[k]["n_answerable"], "", percent(stretch[k]["picked"])) for k, name in _HINTS.items()]
    return table(("what", "n", "target", "measured"), rows)


def judge_table() -> str:
    """A row per set: how well each judge separates supported from other answers. A judge that was not run has an empty
    cell."""
    heads = ["answers", "n"]
    heads += [f"{figure}, {judge}" for figure in ("area", "balanced accuracy") for judge in _JUDGES.values()]
    heads += ["n, yes or no", *(f"{which} passed, `support`" for which in ("supported", "altered"))]
    rows = []
    for name, judges in without_date(read_measurement("judge")).items():
        cells = [_JUDGED_SETS.get(name, name), judges["support"]["n"]]
        for figure in ("area", "balanced_accuracy"):
            cells += [f"{judges[judge][figure]:.2f}" if judge in judges else "" for judge in _JUDGES]
        cells.append(judges["language_model"]["n"] if "language_model" in judges else "")
        cells += [f"{100 * judges['support'][f'{which}_passed']:.0f} %" for which in ("supported", "altered")]
        rows.append(cells)
    return table(heads, rows)
