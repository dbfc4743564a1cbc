"""The sample library: three chapters of our own, read without a flaw."""

import json

from core.library import load_sample
from core.library.sample import SAMPLE
from data.sample.build import build


def test_the_sample_loads_once(library):
    first = load_sample(library)
    assert [f.added for f in first] == [True, True, True]
    assert [f.added for f in load_sample(library)] == [False, False, False]
    assert [(d.class_number, d.subject) for d in library.documents()] == [
        (10, "Mathematics"), (7, "Science"), (8, "Science"),
    ]  # fmt: skip


def test_every_chapter_is_read_whole(library):
    load_sample(library)
    for document in library.documents():
        source = (SAMPLE / document.name).with_suffix(".txt").read_text("utf-8")
        text = [line.removeprefix("! ").lstrip("#! ") for line in source.splitlines() if line]
        passages = [p for p in library.passages() if p.document == document.name]
        assert " ".join(p.text for p in passages).split() == " ".join(text).split()
        assert document.pages == 3 and all(p.section for p in passages)


def test_every_pdf_is_what_its_text_says():
    for entry in json.loads((SAMPLE / "library.json").read_text("utf-8")):
        pdf = SAMPLE / entry["file"]
        built = build(pdf.with_suffix(".txt").read_text("utf-8"))
        assert built == pdf.read_bytes(), "run: python data/sample/build.py"
