"""The sheet of a chapter: what was asked, in a page that loads nothing and shows every text as text."""

from dataclasses import replace

from core.case import Question
from core.chapter.questions import PrintedQuestion
from core.chapter.trial import Answer, Trial
from core.decide import verdict
from core.graph import Explorer
from core.library import Document
from core.presets import preset, with_settings
from core.reports.chapter_sheet import last_line, sheet, tally
from tests.support.libraries import one_chapter
from tests.support.plants import PLANTS

PRESET = with_settings(preset("default"), ["confidence.mode=watches"])
"""The fake models find every passage weak."""
HOSTILE = "<script>alert(1)</script>"
DOCUMENT = Document(
    id="d", name="plants.pdf", title=f"Plants {HOSTILE}", class_number=7, pages=1, passages=1, added="", chapter="2"
)


def trial(models, folder, *queries):
    """The trial of these questions and one that is left out, each asked of a book of plants."""
    questions = [PrintedQuestion(number=str(n), printed=q, asked=q, page=1) for n, q in enumerate(queries, 1)]
    left_out = PrintedQuestion(number="9", printed=f"Draw {HOSTILE}", page=2, left_out="something to do")
    done = Trial(document=DOCUMENT, questions=(*questions, left_out), preset=PRESET, state="done")
    with one_chapter(folder, models, PLANTS) as library:
        explorer = Explorer(library, models)
        for n, query in enumerate(queries):
            trace, decided = explorer.ask(Question(query=query), done.preset)
            assert decided == verdict(trace, done.preset)
            done.answers[n] = Answer(trace=trace, verdict=decided)
    return done


def test_each_question_has_its_outcome_its_answer_and_its_tick(models, tmp_path):
    tried = trial(models, tmp_path / "home", "What is photosynthesis?", "Who painted the chapel?")
    tried.ticks[0] = True
    page = sheet(tried, "2026-03-01")
    assert "What is photosynthesis?" in page and "✓ Answered" in page and "✗ Refused" in page and "page 1" in page
    assert "1 of 2 ready for class 7" in page and "Not asked: 1" in page
    assert tally(tried) == "2 asked: 1 answered, 1 refused; 1 not asked"


def test_the_last_line_says_what_is_still_to_be_ticked(models, tmp_path):
    tried = trial(models, tmp_path / "home", "What is photosynthesis?")
    assert last_line(tried) == "0 of 1 ready for class 7; 1 answered and not yet ticked"
    tried.ticks[0] = False
    assert last_line(replace(tried, document=replace(DOCUMENT, class_number=None))) == "0 of 1 ready"


def test_texts_of_books_are_escaped_and_nothing_is_loaded(models, tmp_path):
    page = sheet(trial(models, tmp_path / "home", f"What is photosynthesis? {HOSTILE}"), "today")
    assert HOSTILE not in page and "&lt;script&gt;" in page and "default-src 'none'" in page and "src=" not in page
