"""The exercises of a chapter are asked in the background, and keep the teacher's ticks."""

import threading
import time
from dataclasses import replace

import pytest

from core.banks.row import validate_row
from core.chapter.trial import NOT_CLOSE, Trials
from core.graph import Explorer
from core.platform.quotas import QuotaError
from core.presets import preset, with_settings
from tests.support.libraries import one_chapter
from tests.support.pdfs import make_pdf

CHAPTER = make_pdf(
    "Photosynthesis is the process by which green plants make their own food from light.\n\n"
    "Exercises\n1. What is photosynthesis?\n2. Who painted the ceiling of the chapel in Rome?\n"
    "3. State true or false. (T/F)\n4. What do green plants make?"
)
PATIENCE = 60
PRESET = with_settings(preset("default"), ["confidence.mode=watches"])
"""The fake models find every passage weak."""


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, "Snow is frozen water.") as library:
        library.ingest(CHAPTER, "food.pdf", class_number=7)
        yield Explorer(library, models)


@pytest.fixture
def chapter(explorer):
    return next(d for d in explorer.library.documents() if d.name == "food.pdf")


def ended(trial):
    end = time.monotonic() + PATIENCE
    while trial.state == "running":
        assert time.monotonic() < end, "the trial did not end"
        time.sleep(0.02)
    return trial


def start(explorer, chapter, owner="", trials=None, take=lambda **_: None):
    return (trials or Trials()).start(owner, chapter, PRESET, explorer, take)


def test_every_question_is_asked_of_the_chapter_alone(explorer, chapter):
    trial = ended(start(explorer, chapter))
    assert trial.state == "done" and sorted(trial.answers) == trial.to_ask == [0, 1, 3]
    assert [q.left_out for q in trial.left_out] == ["true or false"]
    scopes = {answer.trace.question.scope.documents for answer in trial.answers.values()}
    assert scopes == {("food.pdf",)}


def test_an_answer_names_its_page_and_a_refusal_its_reason(explorer, chapter):
    trial = ended(start(explorer, chapter))
    first, second = trial.answers[0], trial.answers[1]
    assert first.verdict.answered and "make their own food" in first.text and first.pages == ("page 1",)
    assert "[1]" not in first.text
    assert (second.verdict.primary_reason, second.text, second.pages) == ("off_topic", NOT_CLOSE, ())


def test_only_the_topic_is_not_given_as_a_reason_for_a_question_that_the_chapter_prints(explorer, chapter):
    refused = ended(start(explorer, chapter)).answers[1]
    other = replace(refused, verdict=replace(refused.verdict, primary_reason="low_confidence"))
    assert other.text == other.verdict.explanation != NOT_CLOSE != refused.verdict.explanation


def test_ready_are_the_answers_that_are_ticked(explorer, chapter):
    trial = ended(start(explorer, chapter))
    trial.ticks |= {0: True, 1: True}  # the second was refused
    assert trial.ready == 1


def test_the_questions_become_rows_of_a_set_with_what_the_ticks_say(explorer, chapter):
    trial = ended(start(explorer, chapter))
    trial.ticks |= {0: False}
    rows = list(map(validate_row, trial.rows()))
    assert [row["expected"] for row in rows] == ["refused", "answered", "answered"]
    assert rows[0]["query"] == "What is photosynthesis?" and rows[0]["documents"] == ["food.pdf"]


def test_a_trial_that_runs_is_not_begun_twice_and_can_be_stopped(explorer, chapter):
    trials, asked, go_on = Trials(), threading.Event(), threading.Event()

    class Waiting:
        library = explorer.library

        def ask(self, *arguments):
            asked.set()
            go_on.wait(PATIENCE)
            return explorer.ask(*arguments)

    trial = start(Waiting(), chapter, trials=trials)
    assert asked.wait(PATIENCE) and start(Waiting(), chapter, trials=trials) is trial
    trial.stopping.set()
    go_on.set()
    assert ended(trial).state == "stopped" and len(trial.answers) == 1
    assert start(explorer, chapter, trials=trials) is not trial


def test_an_error_of_the_app_ends_a_trial_with_a_sentence(explorer, chapter):
    class Broken:
        library = explorer.library

        def ask(self, *_):
            raise OSError("disk")

    trial = ended(start(Broken(), chapter))
    assert trial.state == "broken" and "disk" in trial.sentence and not trial.answers


def test_owners_see_their_own_trials_and_a_quota_is_asked_first(explorer, chapter):
    trials = Trials()
    own = start(explorer, chapter, "one", trials)
    assert trials.trial("one", chapter.id) is own and trials.trial("two", chapter.id) is None

    def take(*, questions):
        raise QuotaError(f"{questions} are too many.")

    with pytest.raises(QuotaError, match="3 are too many"):
        start(explorer, chapter, "two", trials, take)
    assert trials.trial("two", chapter.id) is None
    ended(own)
