"""What a model says of an input is read from the file the next time, to the last digit."""

import sqlite3
from dataclasses import dataclass

import numpy as np
import pytest

from core.lab.figures.output_store import StoredMemory, use_store
from core.models import Memory
from core.models.reader import Answer

ANSWER = Answer(probability=0.1 + 0.2, span=(3, 9), at=(0, 3, 7), starts=(0.1, 0.7, 0.2), answered=-1.5, margin=2.25)


@dataclass
class Model:
    digest: str
    _memory: Memory


class Models:
    def __init__(self, digest):
        self.model = Model(digest, Memory(1))

    def each(self):
        return {"reader": self.model}


@pytest.mark.parametrize("output", [ANSWER, np.float32(1 / 3), np.array([0.1, 0.7, 0.2])], ids=["answer", "one", "row"])
def test_an_output_is_measured_once(output, tmp_path):
    measured = []

    def measure(inputs):
        measured.extend(inputs)
        return [output] * len(inputs)

    for _ in range(2):
        models = Models("a")
        use_store(models, tmp_path / "outputs.sqlite3")
        first, second = models.model._memory.outputs([("q", "one"), ("q", "two")], measure)
        assert np.all(first == output) and np.all(second == output)
        assert type(first) is type(output)
    assert measured == [("q", "one"), ("q", "two")]


def test_another_model_does_not_read_what_this_one_said(tmp_path):
    for digest, number in (("a", 1), ("b", 2)):
        models = Models(digest)
        use_store(models, tmp_path / "outputs.sqlite3")
        assert models.model._memory.outputs(["text"], lambda _, number=number: [np.array(number)]) == [number]


def test_an_input_that_is_new_is_measured_beside_stored_ones():
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE outputs (key BLOB PRIMARY KEY, output BLOB)")
    StoredMemory(database, "one").outputs(["a"], lambda _: [np.array(1.0)])
    asked = []
    outputs = StoredMemory(database, "one").outputs(["b", "a"], lambda inputs: asked.extend(inputs) or [np.array(2.0)])
    assert asked == ["b"] and [float(one) for one in outputs] == [2.0, 1.0]
