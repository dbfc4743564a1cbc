"""The docs' tables of writers that are language models."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.outcomes import Rate, rate
from core.lab.docs import measurements
from core.lab.docs.dates import changes_since
from core.lab.docs.measurements import NOT_YET, table
from core.lab.training.fitting import area
from core.text.hedges import count_hedges

LABELS = {
    "right": "right: it says what the chapter says",
    "lacks": "it lacks what was asked for",
    "false": "it says something false",
    "unsaid": "it says something true that stands in none of these books",
    "abstains": "it says that there is no answer, or nothing",
}
"""The labels that a person who reads an answer may give it, with their meanings; a table has a line for each in use."""
_FAULTY, _RIGHT = ("wrong_answer", "half_answer"), ("right_answer", "long_answer")
_COUNTED = {
    "an answer with every fact": _RIGHT,
    "an answer that lacks a fact or states a listed wrong one": _FAULTY,
    "no answer: refused, needs clarification or handed over": ("over_refusal", "clarified", "escalated"),
}
_OUT = ("deliver", "deliver_part", "deliver_corrected")

Answers = Sequence[Mapping[str, Any]]


def writers_table() -> str:
    """Each writer's answers without and with the guardrail, judged by the facts of the bank and by a person.

    Each writer has a file of answers; beside it is a file with the person's labels: {"id", "label", "note"} per line.
    """
    files = sorted(measurements.MEASUREMENTS.glob("writers*.json"), reverse=True)
    return "\n\n".join(map(_writer_section, files)) or NOT_YET


def _writer_section(path: Path) -> str:
    stored = json.loads(path.read_text(encoding="utf-8"))
    answerable = [a for a in stored["answers"] if a.get("expected", "answered") == "answered"]
    others = [a for a in stored["answers"] if a not in answerable]
    head = (
        f"{len(answerable)} answerable questions of the reporting half, asked of the writer *{stored['writer']}* on "
        f"{stored['date']}; preset {stored['preset']}.{_judged(stored)}"
    )
    blocks = [head, *_by_facts(answerable), *_by_reading(stored["answers"], path.with_name(f"{path.stem}_read.jsonl"))]
    return "\n\n".join([*blocks, *_unanswerable(others), *_separation(stored["answers"])])


def _judged(stored: Mapping[str, Any]) -> str:
    """A sentence: when the drafts were judged if that was later, and for how many of them the
    best passage is still on the same page; else what has changed since."""
    if "judged" not in stored:
        return changes_since(stored["date"])
    date, same = stored["judged"], rate([a["same_best"] for a in stored["answers"] if "same_best" in a])
    return (
        f" Their drafts were judged anew on {date}: for {same.text} the best passage is on the page that was "
        f"best then.{changes_since(date)}"
    )


def _unanswerable(answers: Answers) -> list[str]:
    """A sentence: how often a question that the books do not answer is answered nevertheless, without and with the
    guardrail; [] without answers."""
    if not answers:
        return []
    said = rate([bool(a["said"]) and not any(count_hedges([a["said"]]).values()) for a in answers])
    out = {route: sum(a["route"] == route for a in answers) for route in _OUT}
    return [
        f"{len(answers)} questions of that half that the books do not answer: without the guardrail "
        f"{said.text} are answered; with it {out['deliver']} whole, {out['deliver_part']} in part, "
        f"{out['deliver_corrected']} corrected."
    ]


def _separation(answers: Answers) -> list[str]:
    """A table of values such as consensus and fact check: the area under the curve with which each value separates
    answers that have every fact from the others.

    A value that only one of the two groups has gets no row; [] if there is no row.
    """
    rows = []
    for name in ("consensus", "llm_judge", "certainty", "fact_check", "answer_relevance"):
        labelled = [(a["without"] in _RIGHT, a.get("values", {}).get(name, a.get(name))) for a in answers]
        good, bad = ([v for is_right, v in labelled if v is not None and is_right is side] for side in (True, False))
        if good and bad:
            rows.append((name, f"{area(good, bad):.2f}", f"{len(good)} and {len(bad)}"))
    heads = ("value", "area under the curve", "answers with every fact, and others")
    return [table(heads, rows)] if rows else []


def _by_facts(answers: Answers) -> list[str]:
    rows = (
        [what, *(rate([a[side] in names for a in answers]).text for side in ("without", "with"))]
        for what, names in _COUNTED.items()
    )
    faulty = [a for a in answers if a["without"] in _FAULTY]
    right = [a for a in answers if a["without"] not in _FAULTY]
    return [
        table(("by the facts of the bank", "without the guardrail", "with it"), rows),
        _routes("answers that lack a fact", faulty), _routes("answers with every fact", right),
    ]  # fmt: skip


def _routes(what: str, answers: Answers) -> str:
    """A sentence: how many of these answers were delivered whole, in part or corrected, and how many not at all. what:
    the name of the answers."""
    if not answers:
        return f"There were no {what}."
    out = {route: rate([a["route"] == route for a in answers]) for route in _OUT}
    held_back = rate([a["route"] not in _OUT for a in answers])
    return (
        f"Of the {len(answers)} {what}, delivered whole: {out['deliver'].text}; in part: {out['deliver_part'].count}; "
        f"in the book's own words: {out['deliver_corrected'].count}; not delivered: {held_back.text}."
    )


def _by_reading(answers: Answers, path: Path) -> list[str]:
    """The tables on the answers that a person labelled: as they were written, and as they went out (whole, in part or
    corrected); and a sentence: how often the facts of the bank and the person agree on whether an answer is right.

    path: the file of the labels. A label of what went out counts only while that very text still goes out.
    """
    labels = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    out = {a["id"]: a for a in answers if a["route"] in _OUT}
    said = {one["id"]: one["label"] for one in labels if "label" in one}
    given = {
        one["id"]: one["given"] for one in labels
        if "given" in one and one["id"] in out and one["text"] == out[one["id"]].get("given")
    }  # fmt: skip
    read = [(a, said[a["id"]]) for a in answers if a["id"] in said]
    if not read:
        return ["None of them was read by a person yet."]
    rows = []
    for label, meaning in _labels_in_use(said):
        whole = [a["route"] == "deliver" for a, own in read if own == label]
        rows.append((meaning, Rate(count=len(whole), n=len(read)).text, rate(whole).text))
    heads = (f"as {len(read)} of them were read against the chapters", "said", "delivered whole")
    if not given:
        return [table(heads, rows)]
    read_out = [(out[id_], label) for id_, label in given.items()]
    rows_out = ((meaning, rate([own == label for _, own in read_out]).text) for label, meaning in _labels_in_use(given))
    head_out = f"as {len(given)} of the {len(out)} that went out with the guardrail were read"
    same, same_out = (
        rate([(a[side] in _RIGHT) == (label == "right") for a, label in some]).text
        for side, some in (("without", read), ("with", read_out))
    )
    return [
        table(heads, rows), table((head_out, "given out"), rows_out),
        f"Counting words and reading agree on whether an answer is right: of what was said {same}, "
        f"of what went out {same_out}.",
    ]  # fmt: skip


def _labels_in_use(labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """(label, meaning) for the labels that occur in `labels` and for the first three, which are always listed."""
    return [(name, meaning) for n, (name, meaning) in enumerate(LABELS.items()) if n < 3 or name in labels.values()]
