"""A search that broke has a cause: the command line, the service and the journal say so, and none says evidence of 0."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.__main__ import main
from core.case import Question
from core.decide import verdict
from core.graph import Explorer
from core.journal import Filter, Journal
from core.journal.export import csv_of, json_of
from core.library import LibraryError
from core.reply.reply import Reply, reply_of
from core.thresholds import Preset
from tests.support.libraries import one_chapter

GONE = "The Chroma server at x does not answer; start it."
QUERY = "What is photosynthesis?"


@pytest.fixture(params=[LibraryError, RuntimeError])
def explorer(models, tmp_path, monkeypatch, request):
    with one_chapter(tmp_path / "home", models, "Photosynthesis is how green plants make food.") as library:

        def gone(*_):
            raise request.param(GONE)

        monkeypatch.setattr(library, "nearest", gone)
        yield Explorer(library, models)


def test_the_row_has_neither_a_confidence_nor_a_band(explorer):
    trace, found = explorer.ask(Question(query=QUERY), Preset())
    assert (found.route, found.primary_reason, found.confidence, found.band) == ("refuse", "model_failure", None, None)
    assert all(c.cause == "error" for c in found.checks.values())
    row = json.loads(json.dumps(reply_of(trace, found, Preset()).row(), allow_nan=False))
    assert row["confidence"] is row["band"] is row["rounds"][0]["confidence"] is None and row["passages"] == []


def test_a_person_at_a_terminal_reads_that_it_broke(explorer, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("core.command.commands.open_explorer", lambda *_: explorer)
    assert main(["ask", QUERY, "--home", str(tmp_path / "home")]) == 0
    said = capsys.readouterr().out
    assert "the search broke" in said and GONE in said and "/100" not in said


def test_the_service_says_null(explorer):
    from core.service.questions import Questions
    from core.service.schema import Stage

    questions = Questions(explorer, lambda *_: None)

    async def heard():
        return [event async for event in questions.events(Question(query=QUERY), Preset())]

    with ThreadPoolExecutor(1) as thread:  # a browser's test leaves a running loop in this one
        told = thread.submit(asyncio.run, heard()).result()
    reply = Reply.model_validate(told[-1][1])
    assert reply.confidence is reply.band is reply.rounds[0].confidence is None
    done = [Stage.model_validate(what) for kind, what in told if kind == "stage" and what["state"] == "done"]
    assert done and all(stage.confidence is None for stage in done)


def test_the_journal_keeps_that_nobody_has_seen_it(explorer, tmp_path):
    trace, found = explorer.ask(Question(query=QUERY), Preset())
    journal = Journal(tmp_path / "journal")
    journal.record(trace, found, Preset())
    (kept,) = journal.rows()
    assert kept.confidence is None and verdict(journal.open(kept.id).trace, Preset()).confidence is None
    assert json.loads(json_of(journal, Filter()))[0]["confidence"] is None and ",0.0," not in csv_of(journal, Filter())
