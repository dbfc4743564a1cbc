"""The command line writes into the journal only when it is told to, and gives it out again."""

import csv
import io
import json
from argparse import Namespace

import pytest

from core.__main__ import main
from core.decide import verdict
from core.graph import Explorer
from core.journal import Journal
from core.settings import Settings


class Asked:
    """An explorer with one answer to every question, and no library."""

    settings = Settings(passages_fetched=5)
    library = Namespace(documents=lambda: ())
    require_documents = Explorer.require_documents

    def __init__(self, trace):
        self.trace = trace

    def ask(self, _, under):
        return self.trace, verdict(self.trace, under)


@pytest.fixture
def home(tmp_path, make_trace, monkeypatch):
    for command in ("commands", "judge"):
        monkeypatch.setattr(f"core.command.{command}.open_explorer", lambda *_: Asked(make_trace()))
    return tmp_path


def asked(home, *options):
    return main(["ask", "What is an arithmetic progression?", "--home", str(home), "--preset", "strict", *options])


def test_only_with_journal_a_decision_is_written(home, capsys):
    assert asked(home) == 0 and not (home / "journal.sqlite3").exists()
    assert asked(home, "--journal") == 0
    (row,) = Journal(home).rows()
    assert (row.source, row.preset, row.route) == ("command line", "strict", json_route(home, capsys))
    assert Journal(home).open(row.id).settings["passages_fetched"] == 5


def json_route(home, capsys):
    capsys.readouterr()
    asked(home, "--json")
    return json.loads(capsys.readouterr().out)["route"]


def test_judge_writes_each_row_that_it_could_judge(home, tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": 1, "query": "What?"}\nno json\n{"id": 2, "query": "Why?"}\n')
    arguments = ["judge", "--in", str(source), "--out", str(target), "--home", str(home)]
    assert main(arguments) == 0 and not (home / "journal.sqlite3").exists()
    assert main([*arguments, "--journal"]) == 0
    assert len(Journal(home).rows()) == 2 and len(target.read_text().splitlines()) == 3


def test_a_journal_that_cannot_be_written_is_said_once_and_the_answers_are_given(home, tmp_path, capsys):
    (home / "journal.sqlite3").write_text("no database at all\n" * 300)
    assert asked(home, "--journal") == 1
    told = capsys.readouterr()
    assert "ANSWERED" in told.out or "DELIVER" in told.out or "REFUSE" in told.out
    assert told.err.count("nothing is in the journal") == 1 and "move it out of the run-time folder" in told.err
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": 1, "query": "What?"}\n' * 3)
    assert main(["judge", "--in", str(source), "--out", str(target), "--home", str(home), "--journal"]) == 1
    assert capsys.readouterr().err.count("nothing is in the journal") == 1
    assert all("route" in json.loads(line) for line in target.read_text().splitlines())


def test_the_journal_is_given_out(journal, write, refused, tmp_path, capsys):
    write()
    refused("=Who was Napoleon?")
    main(["journal", "--home", str(tmp_path)])
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    assert [line["question"] for line in lines] == ["'=Who was Napoleon?", "What is an arithmetic progression?"]
    which = ["--route", "refuse", "--first", "2026-01-01", "--text", "napoleon"]
    main(["journal", "--home", str(tmp_path), "--json", *which])
    (told,) = json.loads(capsys.readouterr().out)
    assert told["query"] == "=Who was Napoleon?" and told["preset"]["thresholds"]


def test_an_empty_journal_has_no_gap(tmp_path, capsys):
    assert main(["journal", "--gaps", "--json", "--home", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []
