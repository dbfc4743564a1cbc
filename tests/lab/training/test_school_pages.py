"""Our own school pages can be read, and every example made of them is true of its page."""

from random import Random

import pytest

from core.lab.training.nli_datasets import TrainingError
from core.lab.training.school_pages import PAGES, examples, school_pages

EVERY = [page for part in ("train", "choose", "report") for page in school_pages(part)]


def test_every_page_has_questions_that_it_answers_and_some_that_it_does_not():
    assert len(EVERY) > 150 and all(page.answerable and page.unanswerable for page in EVERY)


def test_every_answer_stands_in_its_page():
    for page in EVERY:
        for asked in page.answerable:
            assert asked.places and max(asked.places) < len(page.sentences)
            assert not asked.short or any(asked.short in page.sentences[n] for n in asked.places)


def test_the_pages_of_a_chapter_belong_to_one_part():
    parts = {}
    for page in EVERY:
        assert parts.setdefault(page.chapter, page.part) == page.part


def test_examples_hold_the_answer_where_they_say_so_and_never_all_of_it_where_they_do_not():
    pages = EVERY[:20]
    answers = {asked.query: page.text(asked.places) for page in pages for asked in page.answerable}
    made = examples(pages, Random(1))
    assert all(one.answer and one.span[0] >= 0 for one in made if one.span)
    assert all(answers.get(one.question, "\n") not in one.text for one in made if not one.span)


def test_a_page_that_cannot_be_read_says_where(tmp_path):
    (tmp_path / "a.txt").write_text("## Heat | Ice\n1. Ice melts.\nQ reason | Why? | x |\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="Heat"):
        school_pages("train", tmp_path)
    with pytest.raises(TrainingError, match="holds no pages"):
        school_pages("train", tmp_path / "none")
    assert PAGES.is_dir()
