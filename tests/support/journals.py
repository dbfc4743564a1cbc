"""A journal in an empty folder, and traces of fake models to write into it."""

from dataclasses import replace

import pytest

from core.case import Question
from core.decide import verdict
from core.journal import Journal
from core.presets import preset
from core.thresholds import Preset
from tests.support.traces import trace_of

DAY = 86_400


def questions(gaps):
    """The questions of rows of the journal."""
    return [row.question for row in gaps]


def stored_decisions(journal):
    """How many decisions of the journal still have their content."""
    with journal._file.reading() as connection:
        return connection.execute("SELECT count(*) FROM contents JOIN decisions USING (id)").fetchone()[0]


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


@pytest.fixture
def make_trace(make_case, models):
    """A trace about arithmetic progressions; fields of its question and of its case are given by name."""

    def make(
        query="What is an arithmetic progression?",
        scores=(0.9, 0.7),
        answer="An arithmetic progression is a list of numbers.",
        **about,
    ):
        question = Question(query=query, answer=answer, **about)
        return trace_of(models, make_case(answer, scores, question=question, query=query))

    return make


@pytest.fixture
def write(journal, make_trace):
    """Writes one decision and gives its number."""

    def write(query="What is an arithmetic progression?", under=Preset(), at=None, **about):
        trace = make_trace(query, **about)
        return journal.record(trace, verdict(trace, under), under, at=at)

    return write


@pytest.fixture
def refused(write):
    """Writes down a question that the books do not cover."""

    def refused(query, **about):
        preset_ = replace(preset("default"), thresholds={"confidence.refine_rounds": 0.0})
        return write(query, preset_, scores=(0.2, 0.1), **about)

    return refused
