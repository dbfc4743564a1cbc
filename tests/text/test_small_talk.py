"""What a sentence does in a talk, and what it is about."""

import pytest

from core.text.small_talk import affirms, beyond_courtesy, form_of, greets, runs, topic_of, without_greeting


@pytest.mark.parametrize(("sentence", "form"), [
    ("Hello!", "courtesy"), ("I'd be happy to help you with that.", "courtesy"), ("One moment please.", "courtesy"),
    ("You're welcome, anytime.", "courtesy"), ("Let me check our return policy for you.", "offer"),
    ("Sure, I can explain acids.", "offer"), ("I can't help with weather information.", "decline"),
    ("Sorry, but I'm not able to help with that film.", "decline"), ("Which city are you in?", "asking"),
    ("Or would you like me to transfer you?", "asking"), ("An acid is sour.", "statement"), ("Yes.", "statement"),
    ("You are right.", "statement"), ("I don't know.", "statement"), ("It is a thing.", "statement"), ("They do.", "statement"),
    ("Isn't it nice that acids are sweet?", "statement"), ("I am glad to be 7.", "statement"),
])  # fmt: skip
def test_the_form_of_a_sentence(sentence, form):
    assert form_of(sentence) == form


@pytest.mark.parametrize(("sentence", "topic"), [
    ("Let me check our return policy for you.", "our return policy for you."), ("Let me check that for you.", "that for you."),
    ("I can tell you that acids are sweet.", None), ("I can show you how acids react.", None), ("Would you like 7 acids?", None),
    ("Can I help you with acids?", "i help you with acids?"),
])  # fmt: skip
def test_an_offer_is_about_a_topic_unless_it_holds_a_clause(sentence, topic):
    found = topic_of(sentence)
    assert (found and found.strip()) == topic


def test_greetings_are_known_and_taken_away():
    assert greets("Good morning sir, what is an acid?") and greets("ok thanks!") and not greets("Hi-fi sound")
    assert without_greeting("Hello there! Thanks a lot. What is an acid?") == "What is an acid?"
    assert beyond_courtesy("Hello! I am happy to help you with acids.") == ["acid"]


def test_yes_and_no_affirm():
    assert affirms("Yes, of course") and affirms("That is right") and not affirms("Of course I can help")


def test_runs_are_neighbours_in_a_set():
    assert runs(["a", "b", "x", "c"], frozenset("abc")) == [["a", "b"], ["c"]]
