"""A file name says where it belongs, and cannot lead anywhere else."""

import pytest

from core.library import Textbook, safe_name, textbook


@pytest.mark.parametrize(
    ("name", "class_number", "subject", "chapter"),
    [
        ("jemh105.pdf", 10, "Mathematics", "5"),
        ("jesc101.pdf", 10, "Science", "1"),
        ("hesc110.pdf", 8, "Science", "10"),
        ("iess203.pdf", 9, "Social Science", "3"),
        ("keph102.pdf", 11, "Physics", "2"),
        ("lebo113", 12, "Biology", "13"),
        ("KECH204.PDF", 11, "Chemistry", "4"),
        ("jemh105 (1).pdf", 10, "Mathematics", "5"),
        ("jemh1ps.pdf", 10, "Mathematics", ""),
        ("jesc1an.pdf", 10, "Science", ""),
        ("jemh1a1.pdf", 10, "Mathematics", ""),
    ],
)
def test_ncert_names_hold_class_subject_and_chapter(name, class_number, subject, chapter):
    assert textbook(name) == Textbook(class_number=class_number, subject=subject, chapter=chapter)


@pytest.mark.parametrize("name", ["notes.pdf", "", "jexx105.pdf", "jemh105b.pdf", "zemh105.pdf", "my jemh105.pdf"])
def test_other_names_say_nothing(name):
    assert textbook(name) == Textbook(class_number=None, subject="", chapter="")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("chapter.pdf", "chapter.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\book.pdf", "book.pdf"),
        ("a\x00b\nc.pdf", "a b c.pdf"),
        ("\u202efdp.exe", "fdp.exe"),
        ("...hidden.pdf", "hidden.pdf"),
        ("अध्याय.pdf", "अध्याय.pdf"),
        ("", "document.pdf"),
        ("..", "document.pdf"),
        ("folder/", "document.pdf"),
        ("<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"),
        ("'; rm -rf *; '.pdf", "'; rm -rf *; '.pdf"),
        ("x" * 999 + ".pdf", "x" * 86 + "~60520a4c~" + "x" * 20 + ".pdf"),
    ],
)
def test_a_name_becomes_a_safe_one(name, safe):
    assert safe_name(name) == safe


def test_long_names_that_differ_anywhere_stay_different():
    long = "a chapter with a very long name " * 5
    names = {safe_name(f"{long}part {part}{end}.pdf") for part in ("one", "two") for end in ("", " of the second half")}
    assert len(names) == 4 and all(len(name) == 120 for name in names)
