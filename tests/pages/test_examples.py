"""The examples: each ends as its card promises, on the sample with the recorded models."""

import re

from core.decide import confidence_of
from pages.components.ask.confidence import TEST_MODE
from pages.components.ask.conversation import EXAMPLES, fitting
from pages.components.ask.verdict_box import HEADLINES
from pages.components.shared.safe_display import plain
from tests.support.app_pages import drawings, drawn_elements, html_of, lit_up, look_at, press, tiles_of, word


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
    shown = tiles_of(app)["numbers"]
    assert (shown["state"], shown["value"], shown["limit"]) == ("failed", "1 unsupported", "none allowed")
    assert any("Numbers: 1 unsupported, none allowed" in bare(c.value) for c in app.caption)


def test_a_vague_question_is_clarified_with_a_click(app):
    try_case(app, "Vague")
    meanings = [b for b in app.button if (b.key or "").startswith("meaning")]
    assert word(app) == "NEEDS CLARIFICATION" and len(meanings) > 1
    look_at(app, "Decision path")
    assert (
        lit_up(drawings(app)[-1])[:2] == ["Message type", "Clear?"]
        and lit_up(drawings(app)[-1])[-1] == "Needs clarification"
    )
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
    assert "Answered" in lit_up(drawings(app)[-1]) and "Refused" not in lit_up(drawings(app)[-1])
    whole = ["Message type", "Clear?", "One question?", "Answered in part"]
    assert whole in [lit_up(picture) for picture in drawings(app)]
    app.button_group(key="part of the question").set_value("Part 2").run()
    assert not app.exception and "Refused" in lit_up(drawings(app)[-1])
    assert "Write the answer" not in lit_up(drawings(app)[-1])

    next(b for b in app.button if (b.key or "").startswith("cite 1")).click().run()
    assert not app.exception and any(bare(m.value).startswith("**Sound, chapter 10, page") for m in app.markdown)


def test_a_greeting_is_answered_without_a_search(app):
    try_case(app, "A greeting")
    assert not any("Evidence found" in m.value for m in app.markdown) and not html_of(app, "scale")
    look_at(app, "Decision path")
    assert lit_up(drawings(app)[-1]) == ["Message type", "Write the answer", "Stage 1: in scope?", "Answered"]
    assert "claims nothing" in tiles_of(app)["entailment"]["reason"]


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
