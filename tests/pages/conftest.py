"""One app with its own home, the bundled models and the sample chapters, shared by the tests of the pages."""

import json
import re
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary
from xml.etree.ElementTree import fromstring

import pytest
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import parse_tree_from_messages
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from core.banks.measured_bank import KeptTraces, MeasuredBank, conditions_of
from core.banks.saved import SavedBanks
from core.models import profile
from core.presets.saved import SavedPresets
from pages.components.shared.resources import _opened
from pages.components.shared.session import DETAILS_FIELD
from pages.components.shared.settings_box import MODELS_BOX
from tests.recorded import recorded_models

ROOT = Path(__file__).parents[2]
PATIENCE = 240
"""Seconds for one run: the first one loads the models, on a machine that may be busy."""


class _Standing(LocalScriptRunner):
    """Keeps what a run that draws a part of the page leaves standing, as the browser does."""

    stood = WeakKeyDictionary()
    """What stood on each page after its last run."""
    last = ()
    """What the last run of any page has drawn."""

    def run(self, *args, **kwargs):
        super().run(*args, **kwargs)
        type(self).last = tuple(m for m in self.forward_msgs() if m.HasField("delta"))
        starts = [e for e, event in enumerate(self.events) if event == ScriptRunnerEvent.SCRIPT_STARTED]
        parts = self.event_data[starts[-1]].get("fragment_ids_this_run") or ()
        before = self.stood.get(self._fragment_storage, {}) if parts else {}
        stands = {place: m for place, m in before.items() if m.delta.fragment_id not in parts}
        for message in type(self).last:
            place = tuple(message.metadata.delta_path)
            if message.delta.HasField("new_element"):  # what was a block there is none any more
                stands = {p: m for p, m in stands.items() if p[: len(place)] != place}
            stands[place] = message
        self.stood[self._fragment_storage] = stands
        return parse_tree_from_messages([stands[place] for place in sorted(stands)])


app_test.LocalScriptRunner = _Standing


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    """The models say what they once said; the tests of the models, the commands and the browser have the real ones."""
    real = profile._loaded
    monkeypatch.setattr(profile, "_loaded", lambda name: recorded_models() if name == "bundled" else real(name))


@pytest.fixture(scope="session")
def home(sample_home):
    """A run-time folder that only these tests use."""
    return sample_home("pages")


@pytest.fixture
def start(home, monkeypatch):
    """Opens a page of the app as a new person would: nothing moved, nothing asked."""

    def start(script="app.py", folder=home, user=None):
        monkeypatch.setenv("GUARDRAIL_HOME", str(folder))
        at = all_limits(AppTest.from_file(str(ROOT / script), default_timeout=PATIENCE))
        at.user = user or {}
        at.run()
        assert not at.exception
        return at

    return start


@pytest.fixture
def app(start):
    return start()


@pytest.fixture
def explorer(app, home):
    """The very explorer that the app uses."""
    return _opened(str(home), "bundled")


@pytest.fixture
def model_calls(explorer, monkeypatch):
    """A list to which every call of the embedder or the entailer adds a name."""
    calls = []
    for model, method in ((explorer.models.embedder, "encode"), (explorer.models.entailer, "probabilities")):

        def counted(texts, original=getattr(model, method), name=method):
            calls.append(name)
            return original(texts)

        monkeypatch.setattr(model, method, counted)
    return calls


def all_limits(at):
    """A page that is not run yet, so that it begins with every limit, not with the main five alone, and with what
    re-runs the models open."""
    at.session_state["limits shown"] = "All"
    at.session_state[MODELS_BOX] = True
    return at


def look_at(at, kind):
    """Open one kind of what explains the verdict."""
    at.button_group(key=DETAILS_FIELD).set_value(kind).run()
    assert not at.exception
    return at


def lines_of_checks(at):
    """The lines of the table of checks by their names, as they are sent."""
    look_at(at, "Checks")
    return {
        line["name"].partition(",")[0]: line for line in sent(at, "guardrail.checks")[-1]["lines"] if "name" in line
    }


def strips_of(at):
    """What the pictures under the sliders are said to show, to those who cannot see them, each with the words below."""
    return {strip.find("img").get("alt"): strip.findtext("p") for strip in html_of(at, "strip")}


def html_of(at, kind):
    """What the page draws as HTML of this class, in its order."""
    return [fromstring(h.proto.body) for h in at.get("html") if f'<div class="{kind}"' in h.proto.body]


def sent(at, component):
    """What every component of this name on the page is made of, in their order."""
    components = [c.proto for c in at.get("bidi_component") if c.proto.component_name == component]
    return [json.loads(proto.json) for proto in components]


def as_printed(at):
    """Pick the preset As printed, for a test that moves limits from the numbers of the documents."""
    at.selectbox(key="preset").set_value("as_printed").run()
    assert not at.exception
    return at


def press(at, label):
    """Click the button with this label and let the page run."""
    next(b for b in at.button if b.label == label).click().run()
    assert not at.exception
    return at


def word(at):
    """The word of the verdict on the page, or None before a question."""
    heads = [re.fullmatch(r":\w+\[:material/\w+: (?P<word>[A-Z, ]+)\]", h.value) for h in at.header]
    return next((head["word"] for head in heads if head), None)


def drawings(at):
    """What the pictures of boxes and lines on the page are made of, in their order."""
    return sent(at, "guardrail.drawing")


def lit_up(picture):
    """The words of the boxes that a question took, in their order from top to bottom."""
    return [s["text"] for s in picture["shapes"] if s["shape"] == "box" and s["look"] not in ("", "pale", "passed")]


def drawn_last():
    """The kinds of what the last run of a page has drawn, the blocks around it among them."""
    kinds = [(m.delta.WhichOneof("type"), m.delta.new_element.WhichOneof("type")) for m in _Standing.last]
    return ["block" if kind == "add_block" else element for kind, element in kinds]


def drawn(at):
    """Everything that the page draws as Markdown: texts, captions, messages and labels."""
    kinds = (at.markdown, at.caption, at.error, at.info, at.warning, at.success, at.header, at.subheader)
    return [e.value for kind in kinds for e in kind] + [b.label for b in at.button]


@contextmanager
def document(explorer, data, name):
    """A PDF in the library of the app, for as long as the block lasts."""
    added = explorer.library.ingest(data, name).document
    try:
        yield added
    finally:
        explorer.library.remove(added.id)


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """What is saved in a run-time folder that only this test uses."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    return SavedPresets(tmp_path)


def pictures(at):
    """The pictures of pages that are on screen."""
    return [picture for image in at.get("image") for picture in image.proto.imgs]


def keep_measured(home, explorer, name, cases):
    """A bank of this name, its cases kept as measured under the conditions of `explorer`."""
    SavedBanks(home).replace(name, [case.row for case in cases])
    conditions, kept = conditions_of(explorer), KeptTraces(home)
    kept.use(conditions.key, vars(conditions))
    bank = MeasuredBank(home, SavedBanks(home).rows(name), conditions)
    for question, case in zip(bank.questions, cases, strict=True):
        kept.put(conditions.key, question, case.trace)
