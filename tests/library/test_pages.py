"""A PDF is read page by page; a bad one gets one sentence that names it and says what to do."""

import io
import logging

import pytest
from fpdf import FPDF
from PIL import Image
from pypdf import PdfWriter

from core.library import LibraryError, Limits, read_pages
from tests.library.conftest import make_pdf, rewritten

GOOD = make_pdf("The first page speaks of light.", "The second page speaks of sound.")


def png():
    out = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(out, "png")
    return out.getvalue()


def pictures_only():
    pdf = FPDF()
    pdf.add_page()
    pdf.image(io.BytesIO(png()), w=40)
    return bytes(pdf.output())


def locked(user):
    return rewritten(GOOD, lambda w: w.encrypt(user_password=user, owner_password="owner", algorithm="AES-256"))


def without_pages():
    out = io.BytesIO()
    PdfWriter().write(out)
    return out.getvalue()


def gutted():
    """A PDF whose two ends are whole and whose middle is not."""
    return GOOD[:20] + b"\xff" * (len(GOOD) - 60) + b"\nstartxref\n7\n%%EOF\n"


def test_every_page_is_read_in_order():
    first, second = read_pages(GOOD, "good.pdf")
    assert "light" in first and "sound" in second


def test_progress_counts_the_pages():
    heard = []
    read_pages(GOOD, "good.pdf", on_page=lambda page, pages: heard.append((page, pages)))
    assert heard == [(1, 2), (2, 2)]


def test_a_pdf_with_an_empty_password_is_open_to_all():
    assert read_pages(locked(""), "open.pdf") == read_pages(GOOD, "good.pdf")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (png(), "is no PDF file"),
        (b"plain text, renamed", "is no PDF file"),
        (GOOD[: len(GOOD) // 2], "is cut off"),
        (gutted(), "is damaged"),
        (locked("secret"), "is protected by a password"),
        (without_pages(), "has no pages"),
        (pictures_only(), "run OCR on it first"),
        (make_pdf(""), "no text"),
    ],
    ids=["empty", "png", "text", "cut", "gutted", "locked", "no pages", "pictures", "blank"],
)
def test_a_bad_file_is_refused_in_one_sentence_with_its_name(data, says):
    with pytest.raises(LibraryError, match=says) as refusal:
        read_pages(data, "chapter.pdf")
    sentence = str(refusal.value)
    assert sentence.startswith("chapter.pdf ") and sentence.endswith(".") and "\n" not in sentence


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(megabytes=0.0001), "at most 0.0001"),
        (Limits(pages=1), "has 2 pages, at most 1"),
        (Limits(seconds=0), "takes too long"),
        (Limits(page_seconds=0), "takes too long"),
    ],
    ids=["bytes", "pages", "seconds", "page seconds"],
)
def test_every_limit_is_kept(limits, says):
    with pytest.raises(LibraryError, match=says):
        read_pages(GOOD, "chapter.pdf", limits=limits)


def test_reading_leaves_the_log_and_its_settings_alone(caplog, capfd):
    before = logging.getLogger("pypdf").level
    with caplog.at_level(logging.WARNING), pytest.raises(LibraryError):
        read_pages(gutted(), "chapter.pdf")
    assert caplog.records == [] and logging.getLogger("pypdf").level == before
    assert capfd.readouterr() == ("", "")
