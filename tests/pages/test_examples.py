"""The examples: each ends as its card promises, on the sample with the recorded models."""

import re

from core.decide import confidence_of
from pages.components.ask.conversation import EXAMPLES, fitting
from pages.components.ask.lights import TEST_MODE
from pages.components.ask.verdict_words import HEADLINES
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK
from tests.support.app_pages import (
    boxes_of,
    checks_of,
    drawn_elements,
    html_of,
    look_at,
    open_check,
    paths,
    pictures,
    press,
    word,
)


def test_before_any_question_there_are_six_examples(app):
    shown = {b.label for b in app.button}
    assert len(EXAMPLES) == 6 and {plain(e.title) for e in EXAMPLES} <= shown
    assert {plain(e.watch) for e in EXAMPLES} <= set(drawn_elements(app))
    assert word(app) is None


def try_case(app, name):
    """Ask an example and check that it ends on a route of its card."""
    (example,) = (e for e in EXAMPLES if e.case == name)
    press(app, plain(example.title))
    assert {h.value for h in app.header} & {HEADLINES[route] for route in example.routes}
    promise = {"Answered": ("deliver",), "Refused": ("refuse",)}.get(example.watch.split()[0].rstrip(":"))
    assert promise in (None, example.routes)


def test_the_altered_number_is_caught_by_the_check_on_numbers(app):
    try_case(app, "An altered number")
    assert checks_of(app)["numbers"] == ("failed", "Numbers", "1 unsupported, none allowed. Block")
    (chips,) = [g for g in app.button_group if g.key == ASK.check.key]
    assert any("Numbers :small[1 unsupported, none allowed]" in bare(chip) for chip in chips.options)


def test_a_vague_question_is_clarified_with_a_click(app):
    try_case(app, "Vague")
    meanings = [b for b in app.button if (b.key or "").startswith("meaning")]
    assert word(app) == "NEEDS CLARIFICATION" and len(meanings) > 1
    look_at(app, "Decision path")
    assert boxes_of(paths(app)[-1]) == ["Message type", "Clear?", "Needs clarification"]
    wanted = bare(meanings[0].label)
    meanings[0].click().run()
    assert not app.exception and app.text_input(key="question").value.endswith(f"({wanted})?")
    assert word(app) not in (None, "NEEDS CLARIFICATION")


def test_each_half_of_a_question_has_a_verdict_and_passages_of_its_own(app):
    try_case(app, "Two questions in one")
    parts = [m.value for m in app.markdown if m.value.startswith("**Part ")]
    assert ["ANSWERED" in p for p in parts] == [True, False] and "REFUSED" in parts[1]
    assert any("The books do not let me answer this part" in bare(d) for d in drawn_elements(app))
    text = next(m.value for m in app.markdown if m.value.startswith("“"))
    marks = set(re.findall(r"\[(\d+)\]", bare(text)))
    assert marks == {b.key.removeprefix("cite 0 ") for b in app.button if (b.key or "").startswith("cite 0 ")} != set()
    look_at(app, "Decision path")
    assert "Answered" in boxes_of(paths(app)[-1]) and "Refused" not in boxes_of(paths(app)[-1])
    whole = ["Message type", "Clear?", "One question?", "Each part alone", "Each part alone", "Answered in part"]
    assert whole in [boxes_of(picture) for picture in paths(app)]
    app.button_group(key="part of the question").set_value("Part 2").run()
    assert not app.exception and "Refused" in boxes_of(paths(app)[-1])
    assert "Write the answer" not in boxes_of(paths(app)[-1])

    next(b for b in app.button if (b.key or "").startswith("cite 1")).click().run()
    assert not app.exception and " of Sound, chapter 10: " in pictures(app)[0].alt


def test_a_greeting_is_answered_without_a_search(app):
    try_case(app, "A greeting")
    assert not any("Evidence found" in m.value for m in app.markdown) and not html_of(app, "scale")
    look_at(app, "Decision path")
    assert boxes_of(paths(app)[-1]) == ["Message type", "Write the answer", "Stage 1: in scope?", "Answered"]
    open_check(app, "entailment")
    assert any("states nothing" in bare(m.value) for m in app.markdown)


def test_in_test_mode_both_stages_only_report(app):
    try_case(app, "In the library")
    for check in ("interest", "fact_grounding"):
        app.selectbox(key=f"{check}.mode").set_value("watches").run()
    assert [i.value for i in app.info if TEST_MODE in bare(i.value)]
    app.selectbox(key="preset").set_value("seed_a").run()  # there they watch because it is not about them
    assert not app.exception and not app.info


def bare(text):
    """The visible text of escaped Markdown."""
    return text.replace("\\", "").replace("\u2060", "")


def test_the_off_syllabus_case_has_next_to_no_evidence(app):
    try_case(app, "Off the topic")
    assert max(map(confidence_of, app.session_state["asked"].trace.rounds)) < 5


def test_a_library_without_the_sample_offers_its_own_questions():
    class Library:
        def documents(self):
            return ()

        def passages(self):
            from tests.support.cases import passage

            return (passage("An arithmetic progression is a list of numbers. The end"),)

    needs_nothing = [e.title for e in EXAMPLES if not e.needs]
    assert [e.title for e in fitting(Library().documents(), Library().passages)] == [
        "What is an arithmetic progression?",
        *needs_nothing,
    ]
