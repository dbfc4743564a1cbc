"""A PDF is read page by page, by as many processes as are useful; a bad one gets one sentence."""

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.library import Cancelled, LibraryError, Limits, pdf_reader, read_pages
from core.pdf.sandbox import READERS, readers
from core.platform.jobs import report_waits
from tests.support.crafted_pdfs import GOOD, cyclic_form, gutted
from tests.support.pdfs import make_pdf

LONG = make_pdf(*(f"Page {n} of the book." for n in range(1, 12)))


@pytest.fixture
def three(monkeypatch):
    """Even a small file is read by three processes."""
    monkeypatch.setattr(pdf_reader, "_SMALL", 0)
    monkeypatch.setattr(pdf_reader, "processes", lambda: 3)


def texts(found):
    return [" ".join(line.text for line in page.lines) for page in found]


def test_every_page_is_read_in_order():
    first, second = texts(read_pages(GOOD, "good.pdf"))
    assert "light" in first and "sound" in second


def test_several_processes_read_the_same_as_one(three):
    found = read_pages(LONG, "long.pdf")
    assert texts(found) == [f"Page {n} of the book." for n in range(1, 12)]
    assert [p.number for p in found] == list(range(1, 12))


def test_fewer_pages_than_processes_are_read_all_the_same(three):
    assert len(read_pages(GOOD, "good.pdf")) == 2


def test_progress_counts_the_pages(three):
    heard = []
    read_pages(LONG, "long.pdf", on_page=lambda done, of: heard.append((done, of)))
    assert heard == [(n, 11) for n in range(1, 12)]


def cancel_if(is_cancelled):
    if is_cancelled:
        raise Cancelled


def test_reading_can_be_cancelled_at_any_page(three):
    heard = []
    with pytest.raises(Cancelled):
        read_pages(
            LONG,
            "long.pdf",
            on_page=lambda *page: heard.append(page),
            check_cancelled=lambda: cancel_if(len(heard) == 4),
        )
    assert len(heard) == 4


def children():
    """The processes that this thread has started and that still run."""
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


def test_a_listener_that_raises_leaves_no_process_behind(three):
    reading, before = set(), children()

    def stop(done, of):
        reading.update(children() - before)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as held:
        read_pages(LONG, "long.pdf", on_page=stop)
    assert held.tb and reading and not reading & children()


def test_reading_can_be_cancelled_in_the_middle_of_a_page(monkeypatch):
    looks = iter(range(99))
    monkeypatch.setattr(pdf_reader, "_SMALL", 0)
    monkeypatch.setattr(pdf_reader, "_lines", lambda data, name, limits, step, look: endless(look))

    def endless(look):
        from core.pdf.sandbox import printed_lines

        yield from (
            line
            for _, line in printed_lines(b"", [("tests.pdf.programs", {"deed": "sleep"})], Limits(), look)
            if "pid" not in line
        )

    with pytest.raises(Cancelled):
        read_pages(GOOD, "good.pdf", check_cancelled=lambda: cancel_if(next(looks) > 5))


def test_a_refusal_by_one_process_is_the_end_of_all(three):
    with pytest.raises(LibraryError, match="at page 1"):
        read_pages(cyclic_form(), "chapter.pdf", limits=Limits(memory=512))


def test_a_page_that_takes_too_long_is_named(three, monkeypatch):
    def silent(data, programs, limits, look):
        from core.pdf.sandbox import ProgramHalted

        yield 2, {"pages": 11}
        yield 2, {"number": 3, "width": 1, "height": 1, "raw": "x", "boxes": [], "lines": []}
        raise ProgramHalted("slow", 2)

    monkeypatch.setattr(pdf_reader, "printed_lines", silent)
    with pytest.raises(
        LibraryError,
        match=r"takes too long to read at page 6 \(over 30 s of processor time for a page, or 900 s in all\)",
    ):
        read_pages(LONG, "long.pdf")


def test_reading_leaves_the_log_and_the_terminal_alone(caplog, capfd):
    with caplog.at_level(logging.WARNING), pytest.raises(LibraryError):
        read_pages(gutted(), "chapter.pdf")
    assert caplog.records == [] and capfd.readouterr() == ("", "")


def test_the_programs_that_read_all_documents_together_find_no_more_room_than_there_is(monkeypatch):
    monkeypatch.setenv(READERS, "1")
    readers.cache_clear()
    told = []

    def read():
        with report_waits(lambda wait: told.append(wait) or leave.set()):
            return read_pages(GOOD)

    leave = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with readers().take_turn():  # another document is being read
            reading = pool.submit(read)
            assert leave.wait(60) and not reading.done()
        assert len(reading.result()) == 2
    readers.cache_clear()
    assert [wait and wait.place for wait in told][:1] == [1] and told[-1] is None
