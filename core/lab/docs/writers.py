"""The docs' tables of writers that are language models."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.outcomes import rate
from core.lab.docs.dates import changes_since
from core.lab.docs.measured import NOT_YET
from core.lab.docs.measurements import MEASUREMENTS, share
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
_FAULTY = ("wrong_answer", "half_answer")
_COUNTED = {
    "an answer with every fact": ("right_answer", "long_answer"),
    "an answer that lacks a fact or states a listed wrong one": _FAULTY,
    "no answer: refused, needs clarification or handed over": ("over_refusal", "clarified", "escalated"),
}
_OUT = ("deliver", "deliver_part", "deliver_corrected")

Answers = Sequence[Mapping[str, Any]]


def writers_table() -> str:
    """Each writer's answers without and with the guardrail, judged by the facts of the bank and by a person.

    Each writer has a file of answers; beside it is a file with the person's labels: {"id", "label", "note"} per line.
    """
    return "\n\n".join(map(_writer_section, sorted(MEASUREMENTS.glob("writers*.json"), reverse=True))) or NOT_YET


def _writer_section(path: Path) -> str:
    stored = json.loads(path.read_text(encoding="utf-8"))
    answerable = [a for a in stored["answers"] if a.get("expected", "answered") == "answered"]
    others = [a for a in stored["answers"] if a not in answerable]
    head = (
        f"{len(answerable)} answerable questions of the reporting half, asked of the writer *{stored['writer']}* on "
        f"{stored['date']}; preset {stored['preset']}.{_judged(stored)}"
    )
    tables = [*_by_facts(answerable), "", *_by_reading(stored["answers"], path.with_name(f"{path.stem}_read.jsonl"))]
    return "\n".join([head, "", *tables, *_unanswerable(others), *_separation(stored["answers"])])


def _judged(stored: Mapping[str, Any]) -> str:
    """A sentence: when the drafts were judged if that was later, and for how many of them the
    best passage is still on the same page; else what has changed since."""
    if "judged" not in stored:
        return changes_since(stored["date"])
    date, same = stored["judged"], rate([a["same_best"] for a in stored["answers"] if "same_best" in a])
    return (
        f" Their drafts were judged anew on {date}: for {share(same.row())} the best passage is on the page that was "
        f"best then.{changes_since(date)}"
    )


def _unanswerable(answers: Answers) -> list[str]:
    """A sentence: how often a question that the books do not answer is answered nevertheless, without and with the
    guardrail; [] without answers."""
    if not answers:
        return []
    answer_rate = rate([bool(a["said"]) and not any(count_hedges([a["said"]]).values()) for a in answers])
    out = {route: sum(a["route"] == route for a in answers) for route in _OUT}
    return [
        f"\n{len(answers)} questions of that half that the books do not answer: without the guardrail "
        f"{share(answer_rate.row())} are answered; with it {out['deliver']} whole, {out['deliver_part']} in part, "
        f"{out['deliver_corrected']} corrected."
    ]


def _separation(answers: Answers) -> list[str]:
    """A table of values such as consensus and fact check: the area under the curve with which each value separates
    answers that have every fact from the others.

    A value that only one of the two groups has gets no row; [] if there is no row.
    """
    rows = []
    for name in ("consensus", "llm_judge", "certainty", "fact_check", "answer_relevance"):
        labelled_values = [(a["without"], a.get("values", {}).get(name, a.get(name))) for a in answers]
        good, bad = ([v for w, v in labelled_values if v is not None and (w in ("right_answer", "long_answer")) is side]
                     for side in (True, False))  # fmt: skip
        if good and bad:
            rows.append(f"| {name} | {area(good, bad):.2f} | {len(good)} and {len(bad)} |")
    head = ["", "| value | area under the curve | answers with every fact, and others |", "|---|---|---|"]
    return [*head, *rows] if rows else []


def _by_facts(answers: Answers) -> list[str]:
    rows = ["| by the facts of the bank | without the guardrail | with it |", "|---|---|---|"]
    for what, names in _COUNTED.items():
        both = (share(rate([a[side] in names for a in answers]).row()) for side in ("without", "with"))
        rows.append(f"| {what} | {' | '.join(both)} |")
    faulty = [a for a in answers if a["without"] in _FAULTY]
    right = [a for a in answers if a["without"] not in _FAULTY]
    return [*rows, "", _routes("answers that lack a fact", faulty), _routes("answers with every fact", right)]


def _routes(what: str, answers: Answers) -> str:
    """A sentence: how many of these answers were delivered whole, in part or corrected, and how many not at all. what:
    the name of the answers."""
    if not answers:
        return f"There were no {what}."
    out = {route: rate([a["route"] == route for a in answers]).row() for route in _OUT}
    held_back = rate([a["route"] not in _OUT for a in answers]).row()
    return (
        f"Of the {len(answers)} {what}, delivered whole: {share(out['deliver'])}; in part: "
        f"{out['deliver_part']['count']}; in the book's own words: {out['deliver_corrected']['count']}; "
        f"not delivered: {share(held_back)}.\n"
    )


def _by_reading(answers: Answers, path: Path) -> list[str]:
    """The table lines on the answers that a person labelled, as written and as delivered. path: the file of the
    labels."""
    labels = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    given_by_id = {a["id"]: a.get("given") for a in answers if a["route"] in _OUT}
    label_by_id = {one["id"]: one["label"] for one in labels if "label" in one}
    given_label_by_id = {  # what goes out now may be another text than the one that was read
        one["id"]: one["given"] for one in labels if "given" in one and one["text"] == given_by_id.get(one["id"])
    }
    labelled_answers, given_answers = (
        [a for a in answers if a["id"] in label_by_id],
        [a for a in answers if a["id"] in given_label_by_id],
    )
    if not labelled_answers:
        return ["None of them was read by a person yet."]
    rows = [
        f"| as {len(labelled_answers)} of them were read against the chapters | said | delivered whole |",
        "|---|---|---|",
    ]
    for label, meaning in _labels_in_use(label_by_id):
        answers_with_label = [a for a in labelled_answers if label_by_id[a["id"]] == label]
        label_rate, delivery_rate = (
            rate([label_by_id[a["id"]] == label for a in labelled_answers]),
            rate([a["route"] == "deliver" for a in answers_with_label]),
        )
        rows.append(f"| {meaning} | {share(label_rate.row())} | {share(delivery_rate.row())} |")
    return [*rows, *_read_as_given(labelled_answers, given_answers, label_by_id, given_label_by_id, len(given_by_id))]


def _read_as_given(
    labelled_answers: Answers,
    given_answers: Answers,
    label_by_id: Mapping[str, str],
    given_label_by_id: Mapping[str, str],
    out: int,
) -> list[str]:
    """The table lines on what went out (whole, in part or corrected), by the label that a person gave; and a sentence:
    how often the facts of the bank and the person agree on whether an answer is right.

    The arguments that begin with `given` are about the text that went out, the others about the draft. out: number of
    answers that went out, read or not.
    """
    if not given_answers:
        return []
    count = f"{len(given_answers)} of the {out}"
    rows = ["", f"| as {count} that went out with the guardrail were read | given out |", "|---|---|"]
    for label, meaning in _labels_in_use(given_label_by_id):
        rows.append(
            f"| {meaning} | {share(rate([given_label_by_id[a['id']] == label for a in given_answers]).row())} |"
        )
    right = ("right_answer", "long_answer")
    same = [(a["without"] in right) == (label_by_id[a["id"]] == "right") for a in labelled_answers]
    same_out = [(a["with"] in right) == (given_label_by_id[a["id"]] == "right") for a in given_answers]
    return [
        *rows, "",
        f"Counting words and reading agree on whether an answer is right: of what was said {share(rate(same).row())}, "
        f"of what went out {share(rate(same_out).row())}.",
    ]  # fmt: skip


def _labels_in_use(labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """(label, meaning) for the labels that occur in `labels` and for the first three, which are always listed."""
    return [(name, meaning) for n, (name, meaning) in enumerate(LABELS.items()) if n < 3 or name in labels.values()]
