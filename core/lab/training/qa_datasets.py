"""Questions about passages, with the position of their answer: public sets, and our own about our own school passages.

Our own questions are in blocks, one for each passage of data/nli/groups, named by the first digits of its sha256:

    [id]
    A: the answer to the passage's own question, as it stands there
    Q1: a question | its answer, as it stands in the passage        Q2: likewise
    N: a question that the passage nearly answers
    E1: a sentence that echoes Q1 without answering it               E2: likewise
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from core.lab.training.nli_datasets import Group, TrainingError, groups_of, rows
from core.text.sentences import sentences
from core.text.words import content

OWN = Path("data/reading")
_BLOCK = ("A", "Q1", "Q2", "N", "E1", "E2")
_KEPT_BACK = 10
"""One in this many passages of a public set's training half is held out for choosing."""
PUBLIC = {
    "squad2_dev_rest": 10_000, "squad2_train_part": 3_000, "squad2_dev_small_extra": 700,
    "adversarialqa_train": 6_000, "squad1_trainarticles": 3_000, "qed_nq": 2_000, "tydiqa_goldp_en": 1_000,
    "selqa_sent": 1_500,
}  # fmt: skip
"""Maximum questions of each set in one run; of SQuAD 2.0's dev set, only passages of the half for training count."""
UNANSWERED = {"adversarialqa_train": 3_000, "squad1_trainarticles": 3_000, "squad2_train_part": 1_500, "qed_nq": 500}
"""Number of questions of each set that are combined with a similar text that lacks the answer.

Public sets have few such examples, and a reader that rarely sees one assumes that every passage answers.
"""
_NEIGHBOURS = 60
"""Number of rows before and after a question, mostly of the same article, among which the most similar text is
chosen."""


@dataclass(frozen=True, kw_only=True)
class QuestionExample:
    """A question and a text for training or testing a reader.

    span: (start, end) of the answer in the text, in characters; None if the text has no answer. source: the data set.
    """

    question: str
    text: str
    span: tuple[int, int] | None
    source: str

    @property
    def answer(self) -> str:
        return self.text[slice(*self.span)] if self.span else ""


def part_of(passage: str) -> str:
    """The subset of a data set that a passage belongs to, by a hash of the passage: "train", "choose" (choosing a
    model) or "report"."""
    digest = hashlib.sha256(passage.strip().encode()).digest()
    if digest[-1] % 2:
        return "report"
    return "choose" if digest[-2] % _KEPT_BACK == 0 else "train"


def public(data: Path, name: str) -> list[QuestionExample]:
    """The questions of one public set whose answer, if there is one, is verbatim in the passage."""
    return [example for row in rows(data, f"reading/{name}") if (example := _example(row, name))]


def _example(row: dict[str, Any], name: str) -> QuestionExample | None:
    text, question = row["context"], row["question"]
    if not row["answerable"]:
        return QuestionExample(question=question, text=text, span=None, source=name)
    if row.get("granularity") == "sentence":
        return QuestionExample(question=question, text=text, span=(0, len(text)), source=name)
    answer = row["answers"][0] if row["answers"] else ""
    start = row.get("answer_start")
    start = start[0] if isinstance(start, list) and start else start
    if not isinstance(start, int) or text[start : start + len(answer)] != answer:
        start = text.find(answer)
    if not answer or start < 0:
        return None
    return QuestionExample(question=question, text=text, span=(start, start + len(answer)), source=name)


def training(data: Path, random: Random, most: dict[str, int] = PUBLIC) -> list[QuestionExample]:
    """Training questions from the public sets, at most `most` of each set, without questions on passages held out for
    choosing or for reporting."""
    sample = []
    for name, size in most.items():
        some = _to_learn(data, name)
        if name == "selqa_sent":  # as many without an answer as with one
            right, others = ([a for a in some if bool(a.span) == has_answer] for has_answer in (True, False))
            some = [*right, *random.sample(others, min(len(right), len(others)))]
        sample += random.sample(some, min(size, len(some)))
    return sample


def _to_learn(data: Path, name: str) -> list[QuestionExample]:
    """The questions of a public set, without those on passages that are held out for choosing or for reporting."""
    kept_back = {a.text.strip() for a in public(data, "squad2_dev_rest") if part_of(a.text) != "train"}
    return [a for a in public(data, name) if a.text.strip() not in kept_back]


def unanswered(data: Path, random: Random, share: float = 1.0) -> list[QuestionExample]:
    """Examples without an answer: questions of the sets in UNANSWERED, each with another text instead of its passage.

    The text is the passage without the sentence that answers, or the most similar other passage that lacks the answer.
    share: the share of the sizes in UNANSWERED that is made.
    """
    unanswered_examples = []
    for name, size in UNANSWERED.items():
        examples = [a for a in _to_learn(data, name) if a.span]
        for index in random.sample(range(len(examples)), min(round(size * share), len(examples))):
            example = examples[index]
            is_shortened = random.random() < 0.4
            text = " ".join(_without(example.answer, example.text)) if is_shortened else _nearest(examples, index)
            if text:
                unanswered_examples.append(
                    QuestionExample(question=example.question, text=text, span=None, source=f"{name}/without")
                )
    return unanswered_examples


def _nearest(examples: Sequence[QuestionExample], index: int) -> str:
    """The passage among the _NEIGHBOURS rows before and after a question that shares the most words with the question
    and does not contain its answer; "" if there is none."""
    this, words = examples[index], set(content(examples[index].question))
    texts = {a.text for a in examples[max(0, index - _NEIGHBOURS) : index + _NEIGHBOURS]} - {this.text}
    others = [text for text in sorted(texts) if this.answer.lower() not in text.lower()]
    return max(others, key=lambda text: len(words & set(content(text))), default="")


@dataclass(frozen=True, kw_only=True)
class Block:
    """Questions about one of our own passages.

    questions: (question, its answer). near: questions that the passage almost answers. echoes: for each of
    questions[1:], a sentence that repeats the question without answering it.
    """

    group: Group
    questions: tuple[tuple[str, str], ...]
    near: tuple[str, ...]
    echoes: tuple[str, ...]

    def examples(self, others: Sequence[str], random: Random) -> Iterator[QuestionExample]:
        """Yield every question with texts that answer it and texts that do not. A text is the passage alone, or the
        passage among other passages, with or without an echo of the question."""
        for index, (question, answer) in enumerate(self.questions):
            echo = self.echoes[index - 1] if index else ""
            more = [echo] if echo and random.random() < 0.6 else []
            more += [random.choice(others)] if random.random() < 0.3 else []
            yield _answerable_example(question, answer, self.group.passage, more, random)
            if index:
                yield _answerable_example(question, answer, sentence_with(answer, self.group.passage), [], random)
                yield QuestionExample(question=question, text=echo, span=None, source="own/echo")
            if random.random() < 0.5:
                parts = [*([echo] if echo else []), *_without(answer, self.group.passage), random.choice(others)]
                random.shuffle(parts)
                yield QuestionExample(question=question, text=" ".join(parts), span=None, source="own/without")
        for question in (*self.near, self.group.open):
            yield QuestionExample(question=question, text=self.group.passage, span=None, source="own/near")


def _answerable_example(question: str, answer: str, passage: str, more: list[str], random: Random) -> QuestionExample:
    """The question with its passage as text, and the sentences `more` (such as echoes) before or after the passage.
    `answer` becomes the span."""
    parts = [passage, *more]
    random.shuffle(parts)
    text = " ".join(parts)
    start = text.find(passage) + passage.find(answer)
    return QuestionExample(question=question, text=text, span=(start, start + len(answer)), source="own/asked")


def sentence_with(answer: str, passage: str) -> str:
    """The sentence of the passage that contains the answer; the whole passage if the answer spans several."""
    return next((s for s in sentences(passage) if answer in s), passage)


def _without(answer: str, passage: str) -> list[str]:
    return [s for s in sentences(passage) if answer not in s and s not in answer]


def own(folder: Path = OWN, part: str = "train") -> list[Block]:
    """Every block of our own questions, from the files whose names begin with `part` ("train" or "test"). Raises
    TrainingError if a block is faulty."""
    groups = {hashlib.sha256(g.passage.encode()).hexdigest()[:8]: g for g in groups_of(Path("data/nli/groups"))}
    files = sorted(folder.glob(f"{part}_*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no questions ({part}_*.txt); name their folder with --own.")
    blocks = ((file, text) for file in files for text in re.split(r"\n\s*\n", file.read_text("utf-8").strip()))
    return [_block(text, groups, file) for file, text in blocks]


def _block(text: str, groups: dict[str, Group], file: Path) -> Block:
    name, *lines = text.strip().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    group = groups.get(name.strip("[]"))
    questions = [fields[k].split(" | ", 1) for k in ("Q1", "Q2") if " | " in fields.get(k, "")]
    if group is None or set(fields) != set(_BLOCK) or len(questions) != 2:
        raise TrainingError(
            f"Block {name} of {file.name} cannot be read; it needs a known passage and {', '.join(_BLOCK)}."
        )
    pairs = ((group.answered, fields["A"]), *((q, a) for q, a in questions))
    if strange := [a for _, a in pairs if a not in group.passage]:
        raise TrainingError(f"Block {name} of {file.name}: {strange[0]!r:.80} does not stand in its passage.")
    return Block(group=group, questions=pairs, near=(fields["N"],), echoes=(fields["E1"], fields["E2"]))
