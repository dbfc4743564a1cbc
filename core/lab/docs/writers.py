"""The docs' tables of writers that are language models."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.counts import Rate, rate
from core.lab.docs import measurements
from core.lab.docs.measurements import NOT_YET, changes_since
from core.lab.figure_files import table
from core.lab.training.fitting import area
from core.text.hedges import find_hedges

LABELS = {
    "right": "right: it says what the chapter says",
    "lacks": "it lacks what was asked for",
    "false": "it says something false",
    "unsaid": "it says something true that stands in none of these books",
    "abstains": "it says that there is no answer, or nothing",
}
"""The labels that a person who reads an answer may give it, with their meanings; a table has a line for each in use."""
_FAULTY_OUTCOMES, _RIGHT_OUTCOMES = ("wrong_answer", "half_answer"), ("right_answer", "long_answer")
_OUTCOME_GROUPS = {
    "an answer with every fact": _RIGHT_OUTCOMES,
    "an answer that lacks a fact or states a listed wrong one": _FAULTY_OUTCOMES,
    "no answer: refused, needs clarification or handed over": ("over_refusal", "clarified", "escalated"),
}
_DELIVERY_ROUTES = ("deliver", "deliver_part", "deliver_corrected")

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
    unanswerable = [a for a in stored["answers"] if a not in answerable]
    about = (
        f"{len(answerable)} answerable questions of the reporting half, asked of the writer *{stored['writer']}* on "
        f"{stored['date']}; preset {stored['preset']}.{_judging_sentence(stored)}"
    )
    labels = path.with_name(f"{path.stem}_read.jsonl")
    return "\n\n".join([
        about, *_fact_blocks(answerable), *_reader_blocks(stored["answers"], labels),
        *_unanswerable_sentences(unanswerable), *_separation_tables(stored["answers"]),
    ])  # fmt: skip


def _judging_sentence(stored: Mapping[str, Any]) -> str:
    """A sentence: when the drafts were judged if that was later, and for how many of them the
    best passage is still on the same page; else what has changed since."""
    if "judged" not in stored:
        return changes_since(stored["date"])
    date, page_rate = stored["judged"], rate([a["same_best"] for a in stored["answers"] if "same_best" in a])
    return (
        f" Their drafts were judged anew on {date}: for {page_rate.text} the best passage is on the page that was "
        f"best then.{changes_since(date)}"
    )


def _unanswerable_sentences(answers: Answers) -> list[str]:
    """A sentence: how often a question that the books do not answer is answered nevertheless, without and with the
    guardrail; [] without answers."""
    if not answers:
        return []
    answer_rate = rate([bool(a["said"]) and not find_hedges(a["said"], "") for a in answers])
    counts = {route: sum(a["route"] == route for a in answers) for route in _DELIVERY_ROUTES}
    return [
        f"{len(answers)} questions of that half that the books do not answer: without the guardrail "
        f"{answer_rate.text} are answered; with it {counts['deliver']} whole, {counts['deliver_part']} in part, "
        f"{counts['deliver_corrected']} corrected."
    ]


def _separation_tables(answers: Answers) -> list[str]:
    """A table of values such as the fact check: the area under the curve with which each value separates
    answers that have every fact from the others.

    A value that only one of the two groups has gets no row; [] if there is no row.
    """
    rows = []
    for name in ("certainty", "fact_check", "answer_relevance"):
        values = [(a["without"] in _RIGHT_OUTCOMES, a.get("values", {}).get(name, a.get(name))) for a in answers]
        good, bad = ([v for is_right, v in values if v is not None and is_right is side] for side in (True, False))
        if good and bad:
            rows.append((name, f"{area(good, bad):.2f}", f"{len(good)} and {len(bad)}"))
    heads = ("value", "area under the curve", "answers with every fact, and others")
    return [table(heads, rows)] if rows else []


def _fact_blocks(answers: Answers) -> list[str]:
    rows = (
        [group, *(rate([a[side] in outcomes for a in answers]).text for side in ("without", "with"))]
        for group, outcomes in _OUTCOME_GROUPS.items()
    )
    faulty = [a for a in answers if a["without"] in _FAULTY_OUTCOMES]
    right = [a for a in answers if a["without"] not in _FAULTY_OUTCOMES]
    return [
        table(("by the facts of the bank", "without the guardrail", "with it"), rows),
        _route_sentence("answers that lack a fact", faulty), _route_sentence("answers with every fact", right),
    ]  # fmt: skip


def _route_sentence(what: str, answers: Answers) -> str:
    """A sentence: how many of these answers were delivered whole, in part or corrected, and how many not at all. what:
    the name of the answers."""
    if not answers:
        return f"There were no {what}."
    rates = {route: rate([a["route"] == route for a in answers]) for route in _DELIVERY_ROUTES}
    rest = rate([a["route"] not in _DELIVERY_ROUTES for a in answers])
    return (
        f"Of the {len(answers)} {what}, delivered whole: {rates['deliver'].text}; "
        f"in part: {rates['deliver_part'].count}; in the book's own words: {rates['deliver_corrected'].count}; "
        f"not delivered: {rest.text}."
    )


def _reader_blocks(answers: Answers, path: Path) -> list[str]:
    """The tables on the answers that a person labelled: as they were written, and as they went out (whole, in part or
    corrected); and a sentence: how often the facts of the bank and the person agree on whether an answer is right.

    path: the file of the labels. A label of what went out counts only while that very text still goes out.
    """
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    deliveries = {a["id"]: a for a in answers if a["route"] in _DELIVERY_ROUTES}
    draft_labels = {row["id"]: row["label"] for row in rows if "label" in row}
    delivery_labels = {
        row["id"]: row["given"] for row in rows
        if "given" in row and row["id"] in deliveries and row["text"] == deliveries[row["id"]].get("given")
    }  # fmt: skip
    drafts = [(a, draft_labels[a["id"]]) for a in answers if a["id"] in draft_labels]
    if not drafts:
        return ["None of them was read by a person yet."]
    draft_table = _draft_table(drafts)
    if not delivery_labels:
        return [draft_table]
    delivery_rates = (
        (meaning, rate([own == label for own in delivery_labels.values()]).text)
        for label, meaning in _labels_in_use(delivery_labels.values())
    )
    head = f"as {len(delivery_labels)} of the {len(deliveries)} that went out with the guardrail were read"
    draft_agreement, delivery_agreement = (
        rate([(a[side] in _RIGHT_OUTCOMES) == (label == "right") for a, label in pairs]).text
        for side, pairs in (
            ("without", drafts), ("with", [(deliveries[id_], label) for id_, label in delivery_labels.items()])
        )
    )  # fmt: skip
    return [
        draft_table, table((head, "given out"), delivery_rates),
        f"Counting words and reading agree on whether an answer is right: of what was said {draft_agreement}, "
        f"of what went out {delivery_agreement}.",
    ]  # fmt: skip


def _draft_table(drafts: Sequence[tuple[Mapping[str, Any], str]]) -> str:
    """A row per label: the share of the drafts with it, and how many of these were delivered whole. drafts: each answer
    with its label."""
    rows = []
    for label, meaning in _labels_in_use([own for _, own in drafts]):
        whole = [a["route"] == "deliver" for a, own in drafts if own == label]
        rows.append((meaning, Rate(count=len(whole), n=len(drafts)).text, rate(whole).text))
    return table((f"as {len(drafts)} of them were read against the chapters", "said", "delivered whole"), rows)


def _labels_in_use(labels: Iterable[str]) -> list[tuple[str, str]]:
    """(label, meaning) for the labels that occur in `labels` and for the first three, which are always listed."""
    names = set(labels)
    return [(name, meaning) for n, (name, meaning) in enumerate(LABELS.items()) if n < 3 or name in names]
