"""Conversations on the Ask page: earlier turns, follow-ups, and the words of another domain."""

from core.decide import verdict
from core.journal import Filter, Journal
from core.presets import preset
from pages.components.ask.verdict_words import LOOSELY
from tests.support.app_pages import ask, press, text_of, word


def test_a_follow_up_is_understood_from_the_earlier_turns(app, home):
    assert not [b for b in app.button if b.key == "new conversation"]
    ask(app, "How fast does sound travel in water?")
    ask(app, "And in steel?")
    understood = "How fast does sound travel in steel?"
    assert f"Understood as: **{understood}**" in text_of(app)
    assert app.button(key="turn 1").label == "How fast does sound travel in water?" and "Answered: " in text_of(app)
    assert Journal(home).rows(Filter(text="in steel"), 1)[0].understood == understood
    app.button(key="turn 1").click().run()  # the first turn again, with its trace
    assert not app.exception and word(app) == "ANSWERED" and "Understood as" not in text_of(app)
    assert [b.label for b in app.button if (b.key or "").startswith("turn ")] == ["And in steel?"]
    ask(app, "Why?")
    assert len(app.session_state["asked"].history) == 4 and "Understood as: **Why (" in text_of(app)
    press(app, "New conversation")
    assert word(app) is None and "What is photosynthesis?" in [b.label for b in app.button]
    ask(app, "And in steel?")
    assert "Understood as" not in text_of(app) and not app.session_state["asked"].history


def test_a_short_reply_answers_a_clarifying_question(app):
    ask(app, "the speed")
    assert word(app) == "NEEDS CLARIFICATION"
    meaning = app.button(key="meaning 0").label.replace("\\", "")
    ask(app, "the first one")
    assert f"Understood as: **The speed ({meaning})?**" in text_of(app) and "Needs clarification: " in text_of(app)


def test_a_tool_result_is_passed_on_and_belongs_to_one_question(app):
    app.text_area(key="tool_result").set_value("calculator: 340 × 5 = 1700")
    ask(app, "What did the calculator give?")
    assert word(app) == "ANSWERED" and "1700" in text_of(app) and "the result of a tool" in text_of(app)
    ask(app, "Good morning!")
    assert app.text_area(key="tool_result").value == "" and "This message is a greeting" in text_of(app)


def test_another_domain_has_its_own_words_and_messages(app):
    app.selectbox(key="domain").set_value("shop").run()
    assert app.title[0].value == "What does the shop say?"
    assert app.text_input(key="question").placeholder == "Ask about products, orders and returns"
    ask(app, "Who wrote the play Hamlet?")
    assert "I don't have enough information to answer this question." in text_of(app) and "NCERT" not in text_of(app)
    decision = verdict(app.session_state["asked"].trace, preset("default"))
    assert decision.explanation == "This question has nothing to do with the shop."
    assert LOOSELY in text_of(app)  # the check of the topic passes, so the page does not say that it failed
