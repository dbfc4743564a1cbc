"""The rows of the ablation and their grades: questions and given answers of halves on which nothing was chosen, and cases
that once ended wrongly, for which rules were written.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from core.banks import BANKS, REPORTING, read_bank
from core.banks.project import for_fitting
from core.case import Case
from core.decide import Verdict, verdict
from core.evaluation.outcomes import FAIR, Outcome, outcome
from core.graph import Explorer
from core.lab.bench.samples import library_of
from core.lab.figures.chapter_pdfs import build
from core.lab.figures.chapters import says_more
from core.lab.training.teacher_questions import TeacherQuestion, chapters_of, teacher_questions, teacher_rows
from core.library import Library, load_sample
from core.models.profile import Models
from core.presets import preset
from core.question import CaseError
from core.reply.serialization import question_of

SAMPLE = ("pairs", "answerable", "two_part", "absent", "faulty", "history", "attacks", "vague", "off_topic")
_WANTED = re.compile(r"- (?P<id>[\w.]+): `.*` -> (?P<want>[DN])\b")
"""A case and whether it should be delivered (D) or not (N), in the README of the cases."""
_EARLY = {
    "26": "D", "28": "DD", "29": "DDDDDD", "30": "DDD", "33": "NN", "35": "NND", "36": "NNNN", "36b": "DD", "38": "DDDD",
    "39": "NND", "40": "NN", "41": "DD", "42": "DDD", "43": "D", "46": "D", "47": "DD",
}  # fmt: skip
"""The same for the files of the first cases, by the number in their name: a letter for each row."""


class Grade(StrEnum):
    """The outcome of a row."""

    OWN_RIGHT = "own right"
    OWN_IN_PART = "own in part"
    OWN_WRONG = "own wrong"
    OWN_REFUSED = "own refused"
    ABSENT_ANSWERED = "absent answered"
    ABSENT_REFUSED = "absent refused"
    AS_IT_STANDS = "given as it stands"
    CHANGED = "given changed"
    REFUSED = "given refused"
    ALTERED_OUT = "altered out"
    ALTERED_HELD = "altered held"
    OTHER_GOOD = "other good"
    OTHER_BAD = "other bad"
    CASE_AS_WANTED = "case as wanted"
    CASE_OTHERWISE = "case otherwise"
    NOT_READ = "not read"


_OWN_ANSWERS = {
    "right_answer": Grade.OWN_RIGHT, "half_answer": Grade.OWN_IN_PART, "long_answer": Grade.OWN_IN_PART,
    "wrong_answer": Grade.OWN_WRONG,
}  # fmt: skip
_GIVEN_ANSWERS = {"deliver": Grade.AS_IT_STANDS, "refuse": Grade.REFUSED}


@dataclass(frozen=True)
class Row:
    """A question, perhaps with an answer to judge. name: of its set, with its number. grade: gives the grade of a verdict
    on it."""

    name: str
    question: Mapping[str, Any]
    grade: Callable[[Verdict], Grade]

    @property
    def draw(self) -> int:
        """A number by which some rows are drawn; both answers of a pair have the same."""
        return crc32(self.question["query"].encode())

    def ask(self, explorer: Explorer) -> dict[str, str]:
        """Ask it under the default preset: {"grade", "answer"}."""
        default = preset("default")
        try:
            trace, _ = explorer.ask(question_of(dict(self.question)), default)
        except CaseError as error:
            return {"grade": Grade.NOT_READ, "answer": str(error)}
        decided = verdict(trace, default)
        return {"grade": self.grade(decided), "answer": decided.answer if decided.answered else decided.route}


def sample_rows() -> list[Row]:
    """The reporting half of the sample banks."""
    rows = [(kind, n, row) for kind in SAMPLE
            for n, row in enumerate(read_bank(REPORTING / f"{kind}.jsonl", report=True))]  # fmt: skip
    return [Row(f"sample-{kind}-{n}", row, lambda v, row=row: _sample_grade(outcome(row, v))) for kind, n, row in rows]


def _sample_grade(result: Outcome) -> Grade:
    """The grade of a row of the sample banks by its outcome. Answers that were written with a fault, and questions that
    want a part or a question back, are "other": good from a fair outcome on."""
    expected = result.expected
    if expected in ("supported", "altered"):
        return _given_grade(expected, result.route, result.falsehood)
    if result.judged or expected in ("part", "clarified"):
        return Grade.OTHER_GOOD if result.worth >= FAIR else Grade.OTHER_BAD
    if expected == "refused":
        return Grade.ABSENT_ANSWERED if result.name == "wrong_answer" else Grade.ABSENT_REFUSED
    return _OWN_ANSWERS.get(result.name, Grade.OWN_REFUSED)


def _given_grade(expected: str, route: str, is_false: bool) -> Grade:
    """The grade of a given answer. expected: "supported" or "altered". is_false: True if what is delivered of an altered
    answer holds its false statement."""
    if expected == "altered":
        return Grade.ALTERED_OUT if is_false else Grade.ALTERED_HELD
    return _GIVEN_ANSWERS.get(route, Grade.CHANGED)


def chapter_rows() -> list[Row]:
    """The pairs of a supported and an altered answer on textbook chapters, on which nothing was fitted."""
    rows = [row for row in read_bank(BANKS / "chapter_pairs.jsonl") if not for_fitting(row["query"])]
    twins = {row["pair"]: row["answer"] for row in rows if row["expected"] == "supported"}

    def grade(row: Mapping[str, Any], v: Verdict) -> Grade:
        is_false = row["expected"] == "altered" and v.answered and says_more(v, twins[row["pair"]])
        return _given_grade(row["expected"], v.route, is_false)

    return [Row(f"chapters-{row['id']}", row, lambda v, row=row: grade(row, v)) for row in rows]


def teacher_report_rows(data: Path) -> list[Row]:
    """The questions and given answers of a teacher on the chapters of the half "report"."""
    asked = [Row(f"teacher-{q.id}", {"query": q.query}, partial(_teacher_grade, q))
             for q in teacher_questions(data, "report")]  # fmt: skip
    half = chapters_of(data, "report")
    judged = [row for row in teacher_rows(data) if row["type"] == "judge" and row["chapter"] in half]
    for label, expected in (("good", "supported"), ("bad", "altered")):
        asked += [
            Row(f"teacher-{row['id']}-{label}", {"query": row["query"], "answer": row[label]},
                lambda v, expected=expected: _given_grade(expected, v.route, v.route == "deliver"))
            for row in judged
        ]  # fmt: skip
    return asked


def _teacher_grade(question: TeacherQuestion, v: Verdict) -> Grade:
    """The grade of a teacher's question by the facts of its reference answer; without facts, the chapters are silent."""
    if not question.facts:
        return Grade.ABSENT_ANSWERED if v.answered else Grade.ABSENT_REFUSED
    if not v.answered:
        return Grade.OWN_REFUSED
    if question.is_right(v.answer):
        return Grade.OWN_RIGHT
    return Grade.OWN_IN_PART if question.is_partial(v.answer) else Grade.OWN_WRONG


def case_rows(data: Path) -> list[Row]:
    """The answers with contexts that once ended wrongly, and of which the README says that they should be delivered, or
    that they should not; where it allows several ends, the first of them counts.

    Raises ValueError if a file of the first cases has another number of rows than labels.
    """
    readme = (data / "cases" / "README.md").read_text(encoding="utf-8").splitlines()
    wanted = {match["id"]: match["want"] for line in readme if (match := _WANTED.match(line))}
    rows = []
    for file in sorted((data / "cases").glob("*.jsonl")):
        cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        labels = _EARLY.get(file.name.partition("_")[0], "")
        if labels and len(labels) != len(cases):
            raise ValueError(
                f"{file.name} has {len(cases)} rows and _EARLY {len(labels)} labels for it; give each row its letter."
            )
        for n, row in enumerate(cases):
            name = row.pop("id", f"{file.stem}-{n}")
            want = wanted.get(name) or labels[n : n + 1]
            if row.get("contexts") and want:
                rows.append(Row(f"cases-{name}", row, partial(_case_grade, want == "D")))
    return rows


def _case_grade(is_wanted: bool, v: Verdict) -> Grade:
    """The grade of a case. is_wanted: True if its answer should be delivered whole."""
    return Grade.CASE_AS_WANTED if (v.route == "deliver") == is_wanted else Grade.CASE_OTHERWISE


def counts_of(grades: Sequence[str]) -> dict[str, int]:
    """{grade: number of rows with it}."""
    return {grade: grades.count(grade) for grade in sorted(set(grades))}


class _WithoutSuggestions(Explorer):
    """An explorer that suggests no better questions, which no grade depends on and which take longest."""

    def _suggestions(self, case: Case) -> tuple[str, ...]:
        return ()


def explorers_and_rows(models: Models, home: Path, data: Path | None) -> Iterator[tuple[Explorer, list[Row]]]:
    """Yield each library under `home` with the rows that are asked on it; a library is built when its turn comes.

    data: the folder of the data sets; without it, only the sample is asked.
    """
    sample = Library(home / "sample", models.embedder)
    load_sample(sample)
    yield _WithoutSuggestions(sample, models), sample_rows()
    if data is None:
        return
    yield _WithoutSuggestions(None, models), case_rows(data)
    teacher = library_of(home / "teacher", sorted((data / "ncert").glob("*.pdf")), models.embedder)
    yield _WithoutSuggestions(teacher, models), teacher_report_rows(data)
    chapters = library_of(home / "chapters", build(data, home / "pdfs"), models.embedder)
    yield _WithoutSuggestions(chapters, models), chapter_rows()
