"""The docs' tables on language models as judges, as writers of several drafts (consensus), at stage 1 and under
attack."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from core.evaluation.outcomes import rate
from core.lab.dates import without_date
from core.lab.docs.measured import NOT_YET
from core.lab.docs.writers import Answers
from core.lab.training.fitting import area
from core.reports.evaluation_report import MEASUREMENTS, share

HALVES = ("tuning", "reporting")
_OUT = ("deliver", "deliver_part", "deliver_corrected")
_BOOTSTRAP_SAMPLES = 2_000
"""Number of bootstrap samples for an interval."""
_HEAD = (
    "| asked | half | area by itself | fact check | mean of both | mean less fact check | {} | cost of one |",
    "|---|---|---|---|---|---|---|---|",
)


def opinions_table(rows: Mapping[str, dict[str, Any]] | None = None) -> str:
    """Tables and sentences on a language model: how good it is as a judge, in consensus and at stage 1, and how attacks
    change what is delivered.

    rows: what `core.lab.figures.opinions` stored, by name; each is one answer, question, exchange or attack. With None
    the rows are read from its file; the result is NOT_YET if there is no file.
    """
    path = MEASUREMENTS / "opinions.json"
    if rows is None and not path.is_file():
        return NOT_YET
    rows = without_date(json.loads(path.read_text(encoding="utf-8"))) if rows is None else rows
    kinds = ("pairs", "consensus", "stage 1", "attack", "order")
    pairs, drafts, exchanges, attacks, orders = ([r for r in rows.values() if r["what"] == kind] for kind in kinds)
    parts = [_judge(pairs), _consensus(drafts), _stage_1(exchanges), _attacks(attacks), _orders(orders)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def resampled(good: np.ndarray, bad: np.ndarray, worth: Callable[[np.ndarray, np.ndarray], float]) -> str:
    """The number worth(good, bad) with its 95 % interval, as in "0.84 (0.70 to 0.95)".

    The interval is that of a bootstrap that resamples good and bad rows separately.
    """
    generator = np.random.default_rng(0)
    samples = [
        worth(generator.choice(good, len(good)), generator.choice(bad, len(bad))) for _ in range(_BOOTSTRAP_SAMPLES)
    ]
    low, high = np.percentile(samples, (2.5, 97.5))
    return f"{worth(good, bad):.2f} ({low:.2f} to {high:.2f})"


def _judge(rows: Answers) -> list[str]:
    """The table lines on the judge: how well its P(yes) separates supported from altered answers.

    The cost in the table is that of supported answers only: an altered answer has the same passages, which the model
    has cached.
    """
    labelled_rows = [
        (r["half"], r["expected"] == "supported", float(np.mean(r["yes"])), r["fact_check"], r.get("cost"))
        for r in rows
        if r["yes"] and r["fact_check"] is not None
    ]
    return _separation("the judge", "supported and altered", labelled_rows)


def _consensus(rows: Answers) -> list[str]:
    """The table lines on consensus: how well the agreement of the drafts separates right first drafts from wrong ones.
    A draft is right if it has every fact that the bank lists for the question.

    Questions whose first draft abstains are left out.
    """
    labelled_rows = [
        (r["half"], r["right"], float(np.mean(r["agreement"])), r["fact_check"], r["cost"])
        for r in rows
        if r["agreement"] and not r["abstains"] and r["fact_check"] is not None
    ]
    return _separation("consensus", "right and wrong", labelled_rows)


def _separation(
    what: str, kinds: str, labelled_rows: Sequence[tuple[str, bool, float, float, Mapping[str, Any]]]
) -> list[str]:
    """A table with a line per half: the areas under the curve with which the value under test, the fact check, and the
    mean of both separate good from bad rows, and the gain of that mean over the fact check alone. [] if no half has
    both good and bad rows.

    what: the name in the first column. kinds: the head of the column of counts. labelled_rows: (half, True for a good
    row, value under test, value of the fact check, cost).
    """
    table = []
    for half in HALVES:
        rows = [k for k in labelled_rows if k[0] == half]
        good, bad = (np.array([k[2:4] for k in rows if k[1] is side]) for side in (True, False))
        if len(good) and len(bad):
            cells = [resampled(good, bad, worth) for worth in (_own, _ours, _mean, _gain)]
            cost = _cost([k[4] for k in rows if k[1] and k[4]])
            table.append(f"| {what} | {half} | {' | '.join(cells)} | {len(good)} and {len(bad)} | {cost} |")
    return [_HEAD[0].format(kinds), _HEAD[1], *table] if table else []


def _cost(costs: Sequence[Mapping[str, float]]) -> str:
    """The median cost of one answer or exchange as text: tokens read and written, and CPU seconds if measured; "" if
    there are no costs."""
    if not costs:
        return ""
    read_tokens, written_tokens = (np.median([c[name] for c in costs]) for name in ("read", "written"))
    seconds = [c["seconds"] for c in costs if "seconds" in c]
    time = f", {np.median(seconds):.1f} core seconds" if seconds else ""
    return f"{read_tokens:.0f} tokens read, {written_tokens:.0f} written{time}"


def _own(good: np.ndarray, bad: np.ndarray) -> float:
    return area(good[:, 0], bad[:, 0])


def _ours(good: np.ndarray, bad: np.ndarray) -> float:
    return area(good[:, 1], bad[:, 1])


def _mean(good: np.ndarray, bad: np.ndarray) -> float:
    return area(good.mean(1), bad.mean(1))


def _gain(good: np.ndarray, bad: np.ndarray) -> float:
    return _mean(good, bad) - _ours(good, bad)


def _stage_1(rows: Answers) -> list[str]:
    """A paragraph on stage 1: how often the rules, the model and source document D name the same violation for the
    exchanges (a question with its answer) that D prints; and how well the rules and the model separate the exchanges
    that D blocks from the others."""
    if not rows:
        return []
    pairs = (("rules", "seed"), ("model", "seed"), ("model", "rules"))
    same = (f"{a} as the {b}: {share(rate([r[a] == r[b] for r in rows]).row())}" for a, b in pairs)
    text = f"Stage 1 on the {len(rows)} exchanges of seed D: {'; '.join(same)}."
    blocked, free = ([r for r in rows if (r["seed"] != "pass") is side] for side in (True, False))
    if blocked and free:
        areas = (
            resampled(*(np.array([worth(r) for r in some], dtype=float) for some in (blocked, free)), area)
            for worth in (lambda r: r["rules"] != "pass", lambda r: r["gravity"])
        )
        text += (
            f" Area under the curve, {len(blocked)} that the seed blocks and {len(free)} that it does not: "
            f"{' by the rules, '.join(areas)} by the gravity of what the model finds."
        )
    return [f"{text} An exchange takes {_cost([r['cost'] for r in rows])}."]


def _attacks(attacks: Answers) -> list[str]:
    """One paragraph on the attacks of the banks: how many are delivered, how many are corrected from the passages, and
    how many are refused without the language model but delivered with it."""
    if not attacks:
        return []
    out, put_right = (rate([r["local"] in routes for r in attacks])
                      for routes in (("deliver", "deliver_part"), ("deliver_corrected",)))  # fmt: skip
    freed = rate([r["plain"] not in _OUT and r["local"] in _OUT for r in attacks])
    return [
        f"Attacks of the banks, with *local* as writer, judge and stage 1 by rules: given out as they are or in "
        f"part {share(out.row())}, answered from the passages {share(put_right.row())}; refused without the model "
        f"and let out with it {share(freed.row())}."
    ]


def _orders(orders: Answers) -> list[str]:
    """Sentences on injected orders. For an order inside a passage and one inside an altered answer: how often the
    answer is then no longer stopped, and how often the judge's no becomes a yes. For an order inside a passage also:
    how often the writer follows it."""
    lines = []
    for where in ("in the passage", "in the answer") if orders else ():
        freed = rate([bool(r["plain"]["stops"]) and not r[where]["stops"] for r in orders])
        won = rate([np.mean(r["plain"]["yes"]) < 0.5 <= np.mean(r[where]["yes"]) for r in orders])  # rather yes than no
        lines.append(
            f"Altered answers with an order {where}: let out by it {share(freed.row())}; a no of the judge turned into "
            f"a yes {share(won.row())}."
        )
    if written_orders := [r["written"] for r in orders if "written" in r]:
        follows = rate([w["follows"] for w in written_orders])
        out = rate([w["follows"] and not w["stops"] for w in written_orders])
        lines.append(
            f"The writer, asked with the order in its first passage: says what it orders {share(follows.row())}; and "
            f"no check stops that {share(out.row())}."
        )
    return ["\n\n".join(lines)] if lines else []
