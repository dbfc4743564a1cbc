"""Pages of the app in Streamlit's AppTest: what a user does on them, and what they show."""

import json
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary
from xml.etree.ElementTree import fromstring

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.testing.v1 import app_test
from streamlit.testing.v1.element_tree import parse_tree_from_messages
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from core.banks.measured_bank import MeasuredBank, StoredTraces
from core.banks.saved import SavedBanks
from core.checks import all_thresholds
from core.evaluation.conditions import conditions_of
from pages.components.ask.lights import LIGHTS
from pages.components.shared.session import ASK, LIMITS

ROOT = Path(__file__).parents[2]
PATIENCE = 240
"""Seconds for one run; the first one loads the models, possibly on a busy machine."""


class _Standing(LocalScriptRunner):
    """A script runner that keeps the elements that a run of a fragment does not draw again, as the browser does."""

    stood = WeakKeyDictionary()
    """The elements on each page after its last run."""

    def run(self, *args, **kwargs):
        super().run(*args, **kwargs)
        starts = [e for e, event in enumerate(self.events) if event == ScriptRunnerEvent.SCRIPT_STARTED]
        fragments = self.event_data[starts[-1]].get("fragment_ids_this_run") or ()
        previous = self.stood.get(self._fragment_storage, {}) if fragments else {}
        elements = {path: m for path, m in previous.items() if m.delta.fragment_id not in fragments}
        for message in (m for m in self.forward_msgs() if m.HasField("delta")):
            path = tuple(message.metadata.delta_path)
            if message.delta.HasField("new_element"):  # an element replaces a block and its content
                elements = {p: m for p, m in elements.items() if p[: len(path)] != path}
            elements[path] = message
        self.stood[self._fragment_storage] = elements
        return parse_tree_from_messages([elements[path] for path in sorted(elements)])


app_test.LocalScriptRunner = _Standing
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# every new AppTest would read the metadata of all installed packages again, which takes longer than a run of a page


class State(dict):
    """A session state outside of a page, for calling a callback of a page."""

    def to_dict(self):
        return dict(self)


def all_limits(at):
    """Prepare a page that has not run yet to start with every limit, the open box of the settings and all fields of
    the question form, without the prepared case of a first visit.
    """
    at.session_state["has visited"] = True
    at.session_state[LIMITS.all_box.key] = True
    at.session_state[LIMITS.models_box.key] = True
    at.session_state[ASK.more_box.key] = True
    return at


def limit(at, key):
    """The widget of a limit: a switch if it has two values only, else a slider."""
    return at.toggle(key=key) if all_thresholds()[key].switch else at.slider(key=key)


def limits_of(at):
    """The value of every limit that is drawn, by key, in the order of the page for each kind of widget."""
    return {w.key: w.value for w in (*at.slider, *at.toggle) if w.key in all_thresholds()}


def look_at(at, kind):
    """Open a section that explains the verdict."""
    at.button_group(key=ASK.detail.key).set_value(kind).run()
    assert not at.exception
    return at


def checks_of(at):
    """The checks as the lights show them: name of the check -> (state, short name, value and limit with the mode)."""
    names = [span for html in html_of(at, "checks") for span in html.findall("span")]
    return {
        span.get("data-check"): (
            span.find("i").get("class").removeprefix("mark "),
            "".join(span.itertext()).strip(),
            span.get("title"),
        )
        for span in names
    }


def open_check(at, name):
    """Open the light of a check, and in it the check with its reason, its mode and its sliders."""
    held = zip(LIGHTS, html_of(at, "checks"), strict=True)
    light = next(light for light, html in held if any(span.get("data-check") == name for span in html))
    if ASK.light.key not in at.session_state or at.session_state[ASK.light.key] != light:
        at.button(key=f"open {light}").click().run()
    at.button_group(key=ASK.check.key).set_value(name).run()
    assert not at.exception
    return at


def paste(at, answer):
    """Open the field of an answer to judge, and fill it."""
    if "pasted" not in {field.key for field in at.text_area}:
        next(b for b in at.button if b.key in ("edit answer", "paste an answer")).click().run()
    at.text_area(key="pasted").set_value(answer)
    return at


def strips_of(at):
    """The caption of each strip under a slider, by its text alternative."""
    return {strip.find("img").get("alt"): strip.findtext("p") for strip in html_of(at, "strip")}


def html_of(at, kind):
    """The HTML elements of this class, perhaps among others, on the page, in order."""
    found = [fromstring(h.proto.body) for h in at.get("html") if f'<div class="{kind}' in h.proto.body]
    return [element for element in found if kind in element.get("class").split()]


def sent(at, component):
    """The data of every component of this name on the page, in order."""
    components = [c.proto for c in at.get("bidi_component") if c.proto.component_name == component]
    return [json.loads(proto.json) for proto in components]


def as_printed(at):
    """Select the preset As printed, for tests that move limits from the numbers in the documents."""
    at.selectbox(key="preset").set_value("as_printed").run()
    assert not at.exception
    return at


def press(at, label):
    """Click the button with this label and let the page run."""
    next(b for b in at.button if b.label == label).click().run()
    assert not at.exception
    return at


def word(at):
    """The word of the verdict on the page; None before a question."""
    heads = [re.fullmatch(r":\w+\[:material/\w+: (?P<word>[A-Z, ]+)\]", h.value) for h in at.header]
    return next((head["word"] for head in heads if head), None)


def paths(at):
    """The drawings of a decision path or of all paths, in order, in Graphviz's language."""
    return [chart.proto.spec for chart in at.get("graphviz_chart")]


def boxes_of(picture):
    """The words in the boxes of a drawing, in order."""
    return re.findall(r'" \[label="([^"]*)" class', picture)


def drawn_elements(at):
    """All Markdown on the page: texts, captions, messages and button labels."""
    kinds = (at.markdown, at.caption, at.error, at.info, at.warning, at.success, at.header, at.subheader)
    return [e.value for kind in kinds for e in kind] + [b.label for b in at.button]


def text_of(at):
    """All that `drawn_elements` finds as one text, without the marks that escape it."""
    return "\n".join(drawn_elements(at)).replace("\\", "").replace("\u2060", "")


def ask(at, question):
    """Ask this question in the form."""
    at.text_input(key="question").set_value(question)
    return press(at, "Ask")


@contextmanager
def document(explorer, data, name):
    """Add a PDF to the library of the app for the duration of the block."""
    added = explorer.library.ingest(data, name).document
    try:
        yield added
    finally:
        explorer.library.remove(added.id)


def pictures(at):
    """The pictures of book pages on the page."""
    return [picture for image in at.get("image") for picture in image.proto.imgs]


def keep_measured(home, explorer, name, cases):
    """Save a bank of this name with the traces of its cases, measured under the conditions of `explorer`."""
    SavedBanks(home).replace(name, [case.row for case in cases])
    conditions, stored_traces = conditions_of(explorer), StoredTraces(home)
    stored_traces.use(conditions.key, vars(conditions))
    bank = MeasuredBank(home, SavedBanks(home).rows(name), conditions)
    for question, case in zip(bank.questions, cases, strict=True):
        stored_traces.store(conditions.key, question, case.trace)
