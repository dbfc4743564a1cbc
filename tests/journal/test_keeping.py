"""What the journal keeps, how long, and how much of it."""

import time

import pytest

from core.journal import Filter, JournalError, Retention, entry
from core.journal import journal as writing
from tests.support.journals import DAY, questions, stored_decisions


def test_questions_can_be_kept_out(journal, write, refused, tmp_path):
    journal.set_retention(Retention(questions=False))
    secret = "What is Zanzibar's lyrebird?"
    number = refused(secret)
    write(answer="The lyrebird is a list of numbers.")
    assert [(r.question, r.answer, r.document, r.page) for r in journal.rows()] == [(None, None, None, None)] * 2
    assert journal.lacking() == [] and journal.rows(Filter(text="lyrebird")) == []
    assert journal.rows()[1].reason in entry.COVERAGE and sum(journal.by_day().values()) >= 1
    with pytest.raises(JournalError, match="Questions were kept out of the journal then, so this decision cannot"):
        journal.open(number)
    held = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"lyrebird" not in held and b"Zanzibar" not in held


def test_too_old_decisions_are_not_shown_and_go(journal, write, monkeypatch):
    now = time.time()
    for days in range(60):
        write(f"Question {days}?", at=now - DAY * (days + 0.5))
    assert len(journal.rows()) == 60
    monkeypatch.setattr("core.journal.journal.Journal.tidy", lambda _: None)
    journal.set_retention(Retention(days=10))
    assert len(journal.rows()) == 10 == len(journal.lacking()) + 10 == sum(journal.counts().values())
    monkeypatch.undo()
    write("New?")
    assert stored_decisions(journal) == 61 - 20  # a little at a time
    journal.tidy()
    assert stored_decisions(journal) == 11
    assert questions(journal.rows())[-1] == "Question 9?"


def test_of_too_many_the_oldest_go(journal, write, monkeypatch):
    monkeypatch.setattr(writing, "MOST", 5)
    for n in range(9):
        write(f"Question {n}?")
    assert questions(journal.rows()) == [f"Question {n}?" for n in range(8, 3, -1)]


def test_a_file_that_is_too_large_lets_the_oldest_go(journal, write, monkeypatch):
    for n in range(50):
        write(f"Question {n}?")
    monkeypatch.setattr(writing, "MOST_ON_DISK", 10_000)
    write("New?")
    assert len(journal.rows()) == 31
    assert "Question 0?" not in questions(journal.rows()) and questions(journal.rows())[0] == "New?"


def test_emptied_means_gone_from_the_disk(journal, write, tmp_path):
    for _ in range(30):
        write("What is Zanzibar's lyrebird?")
    assert b"Zanzibar" in b"".join(p.read_bytes() for p in tmp_path.iterdir())
    journal.empty()
    assert journal.rows() == [] and stored_decisions(journal) == 0
    assert b"Zanzibar" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert (tmp_path / "journal.sqlite3").stat().st_size < 100_000
    write("Again?")
    assert questions(journal.rows()) == ["Again?"]


def test_a_trace_beyond_all_measure_is_left_out(journal, write, monkeypatch):
    monkeypatch.setattr(entry, "MOST_BYTES", 1000)
    number = write()
    assert len(journal.rows()) == 1
    with pytest.raises(JournalError, match="too long to be kept, so this decision cannot be opened"):
        journal.open(number)


def test_text_of_any_kind_survives(journal, write):
    texts = [
        "half \ud83d a character",
        "nul \0 within",
        "'; DROP TABLE decisions; --",
        "=1+1",
        "\u2028",
        "  folded \n ",
    ]
    for text in texts:
        number = write(text)
        assert journal.open(number).trace.question.query == text
    assert questions(journal.rows())[::-1] == [t.replace("\ud83d", "?") for t in texts]
    assert len(journal.rows(Filter(text="half \ud83d"))) == 1
