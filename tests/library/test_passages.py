"""Pages become passages of whole sentences; exercises stand apart."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.library import Textbook, passages_of
from core.library.passages import sentences_of
from core.pdf.exercises import exercises
from core.pdf.line_types import typed_lines
from core.pdf.paragraphs import parts
from core.pdf.sandbox import LIMITS
from core.pdf.text_cleaning import readable
from tests.support.page_lines import line, page, page_with

BOX = (70.0, 60.0, 500.0, 200.0)
FOX = "The red fox number {} walked slowly over the long wet field in the pale light of the early morning."


def asking(*pages):
    """The texts of the parts that belong to exercises."""
    found = parts(typed_lines(pages))
    return [part.first for part, asks in zip(found, exercises(found), strict=True) if asks]


def test_exercises_begin_with_their_heading_and_end_with_the_next():
    titles = [line(text, place, bold=True, size=14.0) for text, place in (("EXERCISE 5.1", 2), ("5.3 nth Term", 6))]
    lines = ("Light is fast.", titles[0], line("1. Which lists grow?", 4), titles[1], line("The term grows.", 8))
    assert asking(page(*lines)) == ["EXERCISE 5.1", "1. Which lists grow?"]


def test_a_smaller_heading_does_not_end_them():
    lines = (line("Exercises", bold=True, size=14.0), line("Multiple choice", 2, bold=True), line("1. Which one?", 4))
    assert asking(page(*lines)) == ["Exercises", "Multiple choice", "1. Which one?"]


@pytest.mark.parametrize("title", ["Did You Know?", "Do you know", "Summary", "Some more facts"])
@pytest.mark.parametrize("box", [None, 0])
def test_a_title_that_promises_facts_ends_them(title, box):
    named = line(title, 6, bold=True, size=12.0, box=box)
    lines = (line("Exercises", bold=True, size=14.0), line("1. Which one?", 2), named, line("A fort has a dome.", 9))
    assert asking(page(*lines, boxes=(BOX,))) == ["Exercises", "1. Which one?"]


def test_a_box_of_questions_is_an_exercise_and_what_follows_is_not():
    inside = (line("QUESTIONS", size=16.0, box=0), line("1. Why is it blue?", 2, box=0), line("2. Why red?", 3, box=0))
    assert asking(page(*inside, line("The sky scatters light.", 14), boxes=(BOX,)))[-1] == "2. Why red?"


def test_a_question_in_the_text_and_numbered_statements_are_none():
    assert asking(page("How is sound made? A body vibrates.", *(f"{n}. A step to take." for n in range(1, 6)))) == []
    heading = line("The question of energy in a large and very old country", bold=True, size=14.0)
    assert asking(page(heading, line("It is open.", 2))) == []


def test_the_title_of_a_box_may_be_read_behind_its_text():
    inside = (line("1. Why is it blue?", 2, box=0), line("QUESTIONS", 4, size=16.0, box=0))
    assert asking(page(*inside, boxes=(BOX,))) == ["1. Why is it blue?", "QUESTIONS"]


def test_a_summary_that_goes_on_beside_exercises_states_facts():
    first = page(line("SUMMARY", size=13.0, bold=True, box=0), line("Peat is wet,", 2, box=0), boxes=(BOX,))
    heading, box = line("EXERCISES", 0, bold=True, size=16.0), line("and it burns.", 30, box=0)
    second = page(heading, line("1. What is peat?", 2), box, boxes=(BOX,), number=2)
    assert asking(first, second) == ["EXERCISES", "1. What is peat?"]


def test_a_list_that_goes_on_with_the_exercises_behind_an_activity_is_one():
    heading = line("Exercises", bold=True, size=14.0)
    activity = line("Group Activity", 8, bold=True, size=14.0)
    later = (line("3. Explain peat.", 16), line("4. Explain coal.", 18))
    lines = (heading, line("1. What is it?", 2), line("2. Name it.", 4), activity, line("Take a spade.", 10), *later)
    assert asking(page(*lines))[-2:] == ["3. Explain peat.", "4. Explain coal."]


@pytest.mark.parametrize("title", ["Activity", "ACTIVITY", "Group Activity", "Activities and Projects", "For Fun"])
def test_the_steps_of_an_activity_state_nothing_and_what_follows_them_does(title):
    steps = (line("1. Take a spade.", 2), line("2. Dig.", 4))
    lines = (line(title, bold=True, size=14.0), *steps, line("Peat is a soil of plants. It is wet all year.", 8))
    assert asking(page(*lines)) == [title, "1. Take a spade.", "2. Dig."]


def test_clues_of_a_crossword_state_nothing():
    clues = [line(f"{n}. Also known as number {n} ({n + 3})", 2 * n) for n in range(1, 5)]
    assert len(asking(page(*clues))) == 4


@pytest.mark.parametrize("title", ["Notes for the Teacher", "NOTE TO TEACHERS", "Teacher’s Notes", "For the teacher"])
def test_a_page_for_teachers_states_nothing_until_the_next_page_begins(title):
    notes = [line(title, bold=True, size=16.0), line("Chapter 4: Trade", 2, bold=True, size=18.0)]
    first = page(*notes, line("A role-play could compare two factories.", 5))
    second = page(line("Trade", bold=True, size=18.0), line("Ships carried silk to the port.", 3), number=2)
    assert asking(first, second) == [title, "Chapter 4: Trade", "A role-play could compare two factories."]


def test_a_note_to_teachers_within_a_page_ends_with_the_next_heading():
    lines = (
        line("Ships carried silk.", 0), line("Note for teachers", 30, bold=True, size=14.0),
        line("Ask the class to draw a ship.", 32), line("4.2 Ports", 34, bold=True, size=14.0),
        line("Ports grew.", 36),
    )  # fmt: skip
    assert asking(page(*lines)) == ["Note for teachers", "Ask the class to draw a ship."]


@pytest.mark.parametrize("title", ["Notes on trade", "The teacher of the village", "A good teacher"])
def test_a_heading_that_speaks_of_teachers_begins_no_text_for_them(title):
    assert asking(page(line(title, bold=True, size=16.0), line("She taught for long.", 3))) == []


def cut(*pages, **options):
    return cut_of(page_with(*pages), **options).passages


def cut_of(pages, **options):
    return passages_of(pages, document_id="d" * 16, document="chapter.pdf", **options)


def flat(passages):
    return [pair for p in passages for pair in zip(p.sentences, p.pages, strict=True)]


def size(passage):
    return len(passage.text.split())


def test_a_passage_knows_where_it_comes_from():
    place = Textbook(class_number=8, subject="Science", chapter="10")
    (passage,) = cut("Light is fast. Sound is slow.", textbook=place)
    assert (passage.id, passage.document) == ("d" * 16 + ":0000", "chapter.pdf")
    assert (passage.class_number, passage.subject, passage.chapter) == (8, "Science", "10")
    assert passage.sentences == ("Light is fast.", "Sound is slow.") and passage.pages == (1, 1)


def test_sentences_are_never_cut_and_the_limit_is_kept():
    texts = [FOX.format(n) for n in range(40)]
    passages = cut("\n".join(texts[:20]), "\n".join(texts[20:]), words=60)
    assert [s for s, _ in flat(passages)] == texts
    assert max(map(size, passages)) <= 60 and min(map(size, passages[:-1])) > 30


def test_a_sentence_over_a_page_break_stays_one_and_keeps_its_first_page():
    found = flat(cut("Sound is slow. The speed of light\nis much", "greater than that of sound.\nThe end."))
    assert found == [
        ("Sound is slow.", 1), ("The speed of light is much greater than that of sound.", 1), ("The end.", 2),
    ]  # fmt: skip


def test_a_word_broken_by_a_page_break_is_joined():
    assert flat(cut("The chemi-", "cal reaction ends.")) == [("The chemical reaction ends.", 1)]


def test_a_very_long_sentence_is_parted_after_a_pause():
    long = " ".join([*(f"word{n}" for n in range(179)), "pause,", *(f"word{n}" for n in range(100)), "end."])
    passages = cut(long)
    assert [size(p) for p in passages] == [180, 101]
    assert passages[0].text.endswith("pause,") and " ".join(p.text for p in passages) == long


def test_a_long_sentence_stands_alone():
    long = " ".join(f"word{n}" for n in range(120)) + "."
    passages = cut(f"Before it. {long[0].upper() + long[1:]} After it.")
    assert [len(p.sentences) for p in passages] == [1, 1, 1] and size(passages[1]) == 120


def test_a_heading_begins_a_passage_and_names_the_section():
    text = ("Light travels in straight lines", "and casts shadows.", *(FOX.format(n) for n in range(9)))
    first, second = (line(title, place, bold=True) for title, place in (("5.1 What Light Does", 2), ("5.2 Colours", 8)))
    lines = ["Light is fast.", first, *(line(t, 4 + n) for n, t in enumerate(text[:2])), second]
    passages = cut_of([page(*lines, *(line(t, 10 + n) for n, t in enumerate(text[2:])))]).passages
    assert [p.section for p in passages] == ["5.1 What Light Does", *["5.2 Colours"] * (len(passages) - 1)]
    assert passages[0].sentences[1:] == ("5.1 What Light Does", "Light travels in straight lines and casts shadows.")
    assert passages[1].sentences[0] == "5.2 Colours" and len(passages) > 2


def test_a_number_alone_stays_with_its_sentence():
    found = [s for s, _ in flat(cut("1. What is sound?\n2. What is light? (a) A wave. (b) A stone."))]
    assert found == ["1. What is sound?", "2. What is light?", "(a) A wave.", "(b) A stone."]


LINES = st.lists(st.text(alphabet="abcAB1 .,-?!()\u00ad\u0301क।", max_size=40), max_size=12)


@given(pages=st.lists(LINES.map("\n".join), max_size=5), words=st.integers(1, 120))
def test_every_sentence_is_in_exactly_one_passage(pages, words):
    passages = cut(*pages, words=words)
    assert flat(passages) == [(s.text, s.page) for s in sentences_of(page_with(*pages))]
    assert [p.id[-4:] for p in passages] == [f"{n:04d}" for n in range(len(passages))]
    assert all(p.sentences and list(p.pages) == sorted(p.pages) for p in passages)
    assert all(1 <= page <= len(pages) for _, page in flat(passages))


@given(pages=st.lists(LINES.map("\n".join), max_size=2))
def test_no_letter_of_a_short_document_is_lost(pages):
    """Two pages have no running heads; what may go is a lone page number, a hyphen, a space, an echo."""
    assume(all(letters(readable(line)) == letters(line) for page in pages for line in page.splitlines()))
    kept = [sentence for sentence, _ in flat(cut(*pages))]
    assert letters("".join(kept)) == letters("".join(pages))


def letters(text):
    return [c for c in text if c.isalpha()]


@pytest.mark.parametrize("word", ["x" * 199_000, "y" * 1990, "ab" * 9, "x-" * 500, "Xx." * 330])
def test_a_page_of_long_words_is_cut_at_once(word):
    """Looking back at all that was read for each of them would take hours for the most letters a page may have."""
    said = " ".join([word] * max(1, LIMITS.page_letters // (len(word) + 1)))
    assert sum(len(p.text) for p in cut(said)) > 0.9 * len(said)


def test_numbered_questions_without_a_heading_are_an_exercise():
    questions = [f"{n}. Why does number {n} rust?" for n in range(1, 6)]
    assert asking(page("Iron rusts in damp air.", *questions)) == questions


def test_a_numbered_heading_begins_a_passage_and_names_the_section():
    page = "Light is fast.\n5.1 What Light Does\nLight travels in straight lines\nand casts shadows.\n"
    page += "5.2 Colours\nRed.\n"
    passages = cut(page + "\n".join(FOX.format(n) for n in range(9)))
    assert [p.section for p in passages[:2]] == ["5.1 What Light Does", "5.2 Colours"]
    assert passages[0].sentences[1:] == (
        "5.1 What Light Does", "Light travels in straight lines and casts shadows.",
    )  # fmt: skip
    assert passages[1].sentences[0] == "5.2 Colours" and passages[2].section == "5.2 Colours"
