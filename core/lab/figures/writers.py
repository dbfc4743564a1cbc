"""Stores a writer's answers with and without the guardrail: python -m core.lab.figures.writers --home DIR --out FILE.

Asks questions of the reporting half, answerable and others in turn, chosen by a hash of their words, and stores every
answer at once, so that an interrupted run can continue. --home: where the sample library is, or is built.
--judge-stored: judge the stored drafts anew, each as an answer that comes with its question; no writer runs.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from core.banks import REPORTING, read_bank
from core.case import CaseError, with_marks
from core.decide import Verdict, verdict
from core.evaluation.outcomes import question_outcome
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.lab.figure_files import dated, store_figures, stored_figures
from core.library import load_sample
from core.presets import preset
from core.reply.serialization import question_of
from core.settings import WRITERS, Settings
from core.writers.prompts import to_answer

MOST = 60
"""Maximum questions of each kind."""


def sample_questions(*, answerable: bool = True) -> list[dict[str, Any]]:
    """At most MOST questions in the order of their hashes: those that the sample chapters answer, or those that they do
    not."""
    rows = [r for r in read_bank(REPORTING, report=True) if r.get("answer") is None]
    if answerable:
        due = [r for r in rows if r.get("expected") == "answered" and r.get("facts")]
    else:
        due = [r for r in rows if r.get("expected") == "refused" and r["kind"] in ("absent", "off_topic")]
    return sorted(due, key=lambda row: hashlib.sha256(row["query"].encode()).hexdigest())[:MOST]


def answer_row(row: Mapping[str, Any], verdict_: Verdict) -> dict[str, Any]:
    """The row to store for one question: labels, draft, route, delivered answer, and two outcomes: "without" is that of
    the draft if it went out as it is, "with" that of the verdict."""
    draft = verdict_.round.case.draft
    answer_text = with_marks(draft.sentences) if draft else ""
    labels = ("id", "kind", "expected", "query", "class_number", "subject", "document", "facts")
    return {name: row.get(name) for name in labels} | {
        "writer": draft.writer if draft else "", "said": answer_text, "without": question_outcome(row, "deliver", answer_text),
        "route": verdict_.route, "primary_reason": verdict_.primary_reason, "failed": list(verdict_.failed),
        "given": verdict_.answer, "with": question_outcome(row, verdict_.route, verdict_.answer),
        "sentences": [{"text": s.text, "label": s.label, "citations": s.citations} for s in verdict_.sentences],
        "values": {n: verdict_.checks[n].value for n in ("fact_check", "answer_relevance")},
        "certainty": draft.certainty if draft else None,
        "passages": [f"{e.passage.document}, page {e.passage.page}" for e in verdict_.round.case.evidence],
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a run-time folder for the sample library")
    parser.add_argument("--out", type=Path, required=True, help="where the answers are stored")
    parser.add_argument("--writer", choices=WRITERS, default="local")
    parser.add_argument("--judge-stored", action="store_true", help="judge the stored drafts anew")
    options = parser.parse_args(arguments)
    if options.judge_stored:
        explorer = open_explorer(options.home, settings=Settings(writer="extractive"))
        load_sample(explorer.library)
        store_figures(options.out, judge_stored(stored_figures(options.out), explorer))
        return
    explorer = open_explorer(options.home, settings=Settings(writer=options.writer))
    load_sample(explorer.library)
    results = _stored(options.out, options.writer)
    measured_ids = {answer["id"] for answer in results["answers"]}
    in_turn = zip_longest(sample_questions(), sample_questions(answerable=False))
    for row in (row for pair in in_turn for row in pair if row):
        if row["id"] not in measured_ids:
            results["answers"].append(_ask(row, explorer))
            store_figures(options.out, results)


def judge_stored(results: Mapping[str, Any], explorer: Explorer) -> dict[str, Any]:
    """Stored results with each draft judged anew, as an answer that comes with its question, and today's date under
    "judged". "same_best" of an answer: True if the best passage is on the page that was best when its draft was written.

    A question without a draft keeps its row, since there is nothing to judge.
    """
    bank = {row["id"]: row for row in read_bank(REPORTING, report=True)}
    answers = [_judge_again(stored, bank[stored["id"]], explorer) for stored in results["answers"]]
    return {**results, "judged": time.strftime("%Y-%m-%d"), "answers": answers}


def _judge_again(stored: Mapping[str, Any], row: Mapping[str, Any], explorer: Explorer) -> dict[str, Any]:
    if not stored["said"]:
        return dict(stored)
    _, verdict_ = explorer.ask(question_of({**row, "answer": stored["said"]}), preset("default"))
    judged = answer_row(row, verdict_)
    print(f"{row['id']}: {stored['route']} -> {judged['route']}", flush=True)
    of_draft = {name: stored.get(name) for name in ("writer", "said", "certainty", "seconds")}
    # Drafts that are judged twice were written from the pages of the first time.
    pages = stored.get("written_from", stored["passages"])
    without = question_outcome(row, "deliver", stored["said"])
    return {
        **judged, **of_draft, "without": without, "written_from": pages, "same_best": judged["passages"][:1] == pages[:1]
    }  # fmt: skip


def _ask(row: dict[str, Any], explorer: Explorer) -> dict[str, Any]:
    started = time.perf_counter()
    trace, _ = explorer.ask(question_of(dict(row)), preset("default"))
    trace = explorer.write_drafts(trace)  # so that a question refused before writing has a draft too
    answer = answer_row(row, verdict(trace, preset("default")))
    answer |= {"seconds": round(time.perf_counter() - started, 1)}
    print(f"{row['id']}: {answer['without']} -> {answer['route']}, {answer['seconds']} s", flush=True)
    return answer


def _stored(path: Path, writer: str) -> dict[str, Any]:
    """The answers stored for this writer and this prompt; answers to different prompts are never mixed."""
    digest = hashlib.sha256(json.dumps(to_answer("?", (), 0)).encode()).hexdigest()[:16]  # of the prompt's words
    about = {"writer": writer, "preset": "default", "prompt": digest}
    results = stored_figures(path)
    if not results:
        return dated(about | {"answers": []})
    if {name: results.get(name) for name in about} != about:
        raise CaseError(f"{path.name} holds answers to another writer or prompt; name another file for --out.")
    return results


if __name__ == "__main__":
    main()
