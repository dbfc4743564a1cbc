"""A sample library with questions that it can answer, for the figures that need one."""

from pathlib import Path

from core.case import Question
from core.graph import Explorer
from core.library import load_sample
from core.query.rewriting import questions_of
from core.startup import open_explorer


def sample_explorer(home: Path) -> Explorer:
    """An explorer over the sample chapters, with the bundled models."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    return explorer


def sample_questions(explorer: Explorer, count: int) -> list[Question]:
    """Questions that the library's own passages define the answer to, in reading order."""
    found = dict.fromkeys(q for p in explorer.library.passages() for q in questions_of(p))
    return [Question(query=q) for q in list(found)[:count]]
