"""Questions of a teacher on real chapters, from the folder `teacher` of the data sets.

Chapters are split into two halves: "choose", on which models and weights are chosen, and "report". Facts are regular
expressions that a right answer matches.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_WORDS = 90
"""Maximum words of a right answer."""


@dataclass(frozen=True, kw_only=True)
class TeacherQuestion:
    """A question of a teacher on a chapter.

    kind: its type in the file. facts: patterns that a right answer matches, all of them; () if the chapter does not
    answer the question.
    """

    id: str
    chapter: str
    kind: str
    query: str
    facts: tuple[re.Pattern[str], ...]

    def is_right(self, answer: str) -> bool:
        """True if an answer has every fact and at most MOST_WORDS words."""
        return bool(self.facts) and len(answer.split()) <= MOST_WORDS and all(f.search(answer) for f in self.facts)

    def is_partial(self, answer: str) -> bool:
        """True if an answer has at least one fact."""
        return any(fact.search(answer) for fact in self.facts)


def teacher_questions(data: Path, part: str) -> list[TeacherQuestion]:
    """The questions of one half, "choose" or "report". Chapters belong to the two halves alternately."""
    half = chapters_of(data, part)
    return [
        TeacherQuestion(
            id=row["id"], chapter=row["chapter"], kind=row["type"], query=row["query"],
            facts=tuple(re.compile(fact, re.IGNORECASE | re.DOTALL) for fact in row["facts"] or ()),
        )
        for row in teacher_rows(data) if row["chapter"] in half and row["type"] != "judge"
    ]  # fmt: skip


def chapters_of(data: Path, part: str) -> frozenset[str]:
    """The chapters of one half, "choose" or "report"."""
    chapters = sorted({row["chapter"] for row in teacher_rows(data)})
    return frozenset(chapters[::2] if part == "choose" else chapters[1::2])


def teacher_rows(data: Path) -> Iterator[dict]:
    """Every row of both files: questions, and answers to judge (type "judge", with "good" and "bad")."""
    for name in ("group1", "group2"):
        with (data / "teacher" / f"{name}.jsonl").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
