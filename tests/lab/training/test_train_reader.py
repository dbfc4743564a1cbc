"""The reader: what it learns from, what it is trained to say, and a run from questions to a model that reads."""

import json
from random import Random

import pytest

from core.lab.training import qa_datasets, train_reader
from core.lab.training.export import as_floats
from core.lab.training.nli_datasets import TrainingError
from core.lab.training.qa_datasets import QuestionExample, own, part_of, public, training, unanswered
from core.models.reader import Reader
from core.models.weights import SHIPPED
from core.text.sentences import sentences
from tests.lab.training.tiny import tiny_base, write_rows


def rod(n, answerable=True):
    about = {"question": f"How long is rod {n}?", "context": f"Rod {n} is made of iron. It is {n + 10} cm long."}
    right = {"answers": [f"{n + 10} cm"], "answerable": True, "answer_start": [about["context"].index(f"{n + 10} cm")]}
    return about | (right if answerable else {"answers": [], "answerable": False, "answer_start": []})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in qa_datasets.PUBLIC:
        write_rows(folder, f"reading/{name}", [rod(n, n % 3 > 0) for n in range(60)])
    return folder


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(SHIPPED / "minilm")


def test_an_answer_is_found_to_the_letter(data):
    asked = public(data, "squad2_dev_rest")
    assert {a.answer for a in asked if a.span} == {f"{n + 10} cm" for n in range(60) if n % 3}
    assert sum(a.span is None for a in asked) == 20


def test_no_passage_of_the_reporting_half_is_learned_from_in_any_set(data):
    learned = {a.text for a in training(data, Random(0))}
    assert learned and {part_of(text) for text in learned} == {"train"}


def test_a_question_left_without_its_answer_keeps_the_passage_or_gets_its_neighbour(data):
    found = unanswered(data, Random(0))
    texts = {a.text for a in training(data, Random(0))}
    assert {a.span for a in found} == {None}
    for asked in found:
        number = asked.question.split()[-1].rstrip("?")
        assert f"{int(number) + 10} cm" not in asked.text
        assert asked.text in texts or asked.text == f"Rod {number} is made of iron."


def test_the_tokens_of_an_answer_are_those_of_its_letters(tokenizer):
    asked = [QuestionExample(question="How long?", text="Rod 3 is 13 cm long.", span=(9, 14), source="x"),
             QuestionExample(question="Who made it?", text="Rod 3 is 13 cm long.", span=None, source="x")]  # fmt: skip
    with_answer, without = train_reader.encoded_questions(asked, tokenizer, 64)
    first, last, answered = with_answer["labels"]
    assert tokenizer.decode(with_answer["input_ids"][first : last + 1]) == "13 cm" and answered == 1
    assert without["labels"] == (0, 0, 0)


def test_an_answer_beyond_what_is_read_is_moved_into_it(tokenizer):
    text = f"{'Iron is heavy. ' * 60}The rod is 13 cm long."
    start = text.index("13 cm")
    (found,) = train_reader.encoded_questions(
        [QuestionExample(question="How long?", text=text, span=(start, start + 5), source="x")], tokenizer, 48
    )
    first, last, _ = found["labels"]
    assert tokenizer.decode(found["input_ids"][first : last + 1]) == "13 cm" and len(found["input_ids"]) <= 48


def test_the_loss_wants_the_span_and_whether_there_is_one():
    import torch

    def logits(start, end, answered):
        found = torch.zeros(1, 4, 3)
        found[0, start, 0] = found[0, end, 1] = 5.0
        found[0, 0, 2] = answered
        return found

    target = torch.tensor([[1, 2, 1]])
    right, elsewhere, denied = (
        float(train_reader.span_loss(logits(*said), target)) for said in ((1, 2, 5.0), (3, 3, 5.0), (1, 2, -5.0))
    )
    assert right < elsewhere and right < denied
    assert float(train_reader.span_loss(logits(0, 0, -5.0), torch.tensor([[0, 0, 0]]))) < 0.1


def test_our_own_questions_stand_on_their_passages():
    blocks = own()
    assert len(blocks) * 5 >= 6_000
    assert all(answer in b.group.passage for b in blocks for _, answer in b.questions)
    assert not {b.group.passage for b in blocks} & {b.group.passage for b in own(part="test")}


def test_every_example_of_a_block_says_the_truth():
    for block in own(part="test"):
        examples = list(block.examples(["Rod 3 is 13 cm long."], Random(1)))
        right = dict(block.questions)
        assert all(a.answer == right[a.question] for a in examples if a.span)
        assert {a.source for a in examples if a.span is None} >= {"own/echo", "own/near"}
        held = [a for a in examples if a.span is None and a.source == "own/without"]
        for asked in held:  # a short answer may stand in another passage, as a word or a number
            answering = [s for s in sentences(block.group.passage) if right[asked.question] in s]
            assert not any(s in asked.text for s in answering)


def test_a_block_whose_answer_does_not_stand_there_is_named(tmp_path):
    (tmp_path / "train_1.txt").write_text("[00000000]\nA: iron\n", encoding="utf-8")
    with pytest.raises(TrainingError, match=r"Block \[00000000\] of train_1\.txt cannot be read"):
        own(tmp_path)
    with pytest.raises(TrainingError, match="holds no questions"):
        own(tmp_path, "test")


@pytest.mark.long
def test_a_reader_is_trained_exported_and_reads(data, tmp_path, tmp_path_factory, capsys):
    import torch
    from transformers import AutoModelForTokenClassification

    base = tiny_base(tmp_path_factory.mktemp("base"))
    out = tmp_path / "reader-tiny"
    train_reader.main(["--data", str(data), "--base", str(base), "--out", str(out), "--share", "0.02", "--frozen", "0"])
    assert "scored" in capsys.readouterr().out and json.loads((out / "weights.json").read_text())["parts"]
    found = Reader(out, "tiny").read("How long is rod 3?", [rod(3)["context"], "It " * 900])
    assert all(0 <= a.probability <= 1 and a.span[0] < a.span[1] for a in found)
    assert sum(found[0].starts) == pytest.approx(1, abs=1e-5)
    trained = AutoModelForTokenClassification.from_pretrained(out / "trained").state_dict()
    folder = as_floats(out, tmp_path / "floats", AutoModelForTokenClassification)
    floats = AutoModelForTokenClassification.from_pretrained(folder).state_dict()
    assert floats.keys() == trained.keys()
    for name, weights in trained.items():  # one of 255 steps is lost of each
        torch.testing.assert_close(floats[name], weights, rtol=0, atol=float(weights.abs().max()) / 120)
