"""The README's table of what a writer says with and without the guardrail, drawn from data/measured/writers.json."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.evaluation.outcomes import rate
from core.reports.sample_figures import MEASURED, share
from core.workshop.figures.measured import NOT_YET

READ = "writers_read.jsonl"
"""Answers that a person read against the chapters: {"id", "label", "note"} a line."""
LABELS = {
    "right": "right: it says what the chapter says",
    "lacks": "it lacks what was asked for",
    "false": "it says something false",
}
_FAULTY = ("wrong_answer", "half_answer")
_COUNTED = {
    "an answer with every fact": ("right_answer", "long_answer"),
    "an answer that lacks a fact or states a listed wrong one": _FAULTY,
    "no answer: refused, asked back or handed over": ("over_refusal", "clarified", "escalated"),
}
_OUT = ("deliver", "deliver_part", "deliver_corrected")

Answers = Sequence[Mapping[str, Any]]


def writers_table() -> str:
    """What was said without the guardrail and what went out with it, by the facts of the bank and as a person read."""
    path = MEASURED / "writers.json"
    if not path.is_file():
        return NOT_YET
    stored = json.loads(path.read_text(encoding="utf-8"))
    answers = stored["answers"]
    head = (
        f"{len(answers)} answerable questions of the reporting half, asked of the writer *{stored['writer']}*, preset "
        f"{stored['preset']}, measured on {stored['date']}."
    )
    return "\n".join([head, "", *_by_facts(answers), "", *_by_reading(answers)])


def _by_facts(answers: Answers) -> list[str]:
    rows = ["| by the facts of the bank | without the guardrail | with it |", "|---|---|---|"]
    for what, names in _COUNTED.items():
        both = (share(rate([a[side] in names for a in answers]).row()) for side in ("without", "with"))
        rows.append(f"| {what} | {' | '.join(both)} |")
    faulty = [a for a in answers if a["without"] in _FAULTY]
    right = [a for a in answers if a["without"] not in _FAULTY]
    return [*rows, "", _became("answers that lack a fact", faulty), _became("answers with every fact", right)]


def _became(what: str, some: Answers) -> str:
    """By which route these answers went out, or that they did not."""
    if not some:
        return f"There were no {what}."
    out = {route: rate([a["route"] == route for a in some]).row() for route in _OUT}
    kept = rate([a["route"] not in _OUT for a in some]).row()
    return (
        f"Of the {len(some)} {what}, delivered whole: {share(out['deliver'])}; in part: "
        f"{out['deliver_part']['count']}; in the book's own words: {out['deliver_corrected']['count']}; "
        f"not delivered: {share(kept)}.\n"
    )


def _by_reading(answers: Answers) -> list[str]:
    """The answers that were read, by label; what a person calls faulty is counted again."""
    path = MEASURED / READ
    labels = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    known = {one["id"]: one["label"] for one in labels}
    read = [a for a in answers if a["id"] in known]
    if not read:
        return ["None of them was read by a person yet."]
    rows = [f"| as {len(read)} of them were read against the chapters | said | delivered whole |", "|---|---|---|"]
    for label, meaning in LABELS.items():
        some = [a for a in read if known[a["id"]] == label]
        said, out = rate([known[a["id"]] == label for a in read]), rate([a["route"] == "deliver" for a in some])
        rows.append(f"| {meaning} | {share(said.row())} | {share(out.row())} |")
    return rows
