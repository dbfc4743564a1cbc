"""Which sentences go out without a fact check, with the sample chapters as the library."""

import pytest

from core.case import Case, Question, Turn
from core.features.stage_one_rules import need_check
from core.retrieval.intent import kind_of_turn
from core.text.answer_sentences import read_answer
from tests.support.sample_text import sample_holdings


def checked(query, answer, said="", told=""):
    """For each sentence of `answer` whether it needs a check. said: the assistant's last turn. told: by a tool."""
    history = (Turn(role="user", text="Tell me."), Turn(role="assistant", text=said)) if said else ()
    question = Question(query=query, history=history, tool_results=(told,) if told else ())
    draft = read_answer(answer, writer="given", given=True)
    case = Case(question=question, query=query, draft=draft, kind=kind_of_turn(question))
    return need_check(case, sample_holdings())


@pytest.mark.parametrize(("query", "answer"), [
    ("hello", "Hello! How can I help you today?"), ("hi", "I'd be happy to help you with that."), ("hi", "Let me look that up for you."),
    ("thanks", "You're welcome! Is there anything else I can help you with?"), ("bye", "Goodbye, see you soon!"),
    ("good morning", "Good morning! What would you like to know from your books?"), ("thanks", "My pleasure!"),
    ("hi, I am Tenzin", "Nice to meet you, Tenzin! Would you like to ask about acids?"), ("thank you", "Anytime. I am here to help."),
    ("how do plants eat", "Let me check that in your books."), ("What's the weather like?", "I can't help with weather information."),
])  # fmt: skip
def test_talk_goes_free(query, answer):
    assert not any(checked(query, answer))


@pytest.mark.parametrize(("query", "answer"), [
    ("hello", "You look as red as litmus in a base."), ("hi", "Let me tell you acids are bitter."),
    ("hi", "I can show you how bases turn blue litmus red."), ("hi", "May I help you with the sour taste of bases?"),
    ("thanks", "Happy to help! All rivers are perennial."), ("hello", "Isn't it nice that light needs a medium?"),
    ("good morning", "Photosynthesis happens at night."), ("hi", "I am acid, and I am slippery."), ("hi", "2 + 2 = 5."),
    ("hey", "What would you like to know about acids that taste sweet?"), ("hi", "Let me look up the Narmada, which flows east."),
    ("hello", "Yes."), ("is it true that acids are sour?", "Yes, that is right."), ("does litmus turn blue", "It does."),
    ("what is an acid?", "It is a thing."), ("Is an acid sour?", "You are right."), ("what is a base?", "I don't know."),
])  # fmt: skip
def test_whatever_states_something_does_not(query, answer):
    assert any(checked(query, answer))


def test_words_of_ones_own_may_be_explained_and_nothing_else():
    said = "It is a doddle, and a bank helps people."
    explained = "A doddle means a nice little job for everybody."
    assert checked("what do you mean by doddle?", explained, said) == [False]
    assert checked("what do you mean by doddle?", explained) == [False]  # the question names what was said before
    assert checked("what do you mean by noodle?", explained) == [True]
    for answer in (
        "A doddle means that lemon juice is a base.", "A bank is the middle of a river.", "A doddle means 7 steps.",
        "A doddle means, as everybody and their uncle would surely whisper, that lemons are basic.",
    ):  # fmt: skip
        assert checked("what do you mean by doddle?", answer, said) == [True]


def test_what_a_tool_gave_may_be_handed_on_and_nothing_be_added():
    hotels = "Hotel ABC, Hotel XYZ, Hotel 123"
    assert checked("show me hotels", "Here are 3 hotels: Hotel ABC, Hotel XYZ, Hotel 123.", told=hotels) == [False]
    assert checked("show me hotels", "Here are 4 hotels: Hotel ABC, Hotel XYZ, Hotel 123.", told=hotels) == [True]
    assert checked("show me hotels", "Hotel ABC stands on the bank of the Narmada.", told=hotels) == [True]
    assert checked("what was the result", "The calculator gave 7 m/s.", told="140 / 20 = 7 m/s") == [False]
    assert checked("what was the result", "The calculator gave 8 m/s.", told="140 / 20 = 7 m/s") == [True]


def test_a_falsehood_about_the_library_is_checked_even_when_a_tool_said_it():
    told = "lookup: lemon juice is slippery"
    assert checked("what did the tool say?", "The lookup says lemon juice is slippery.", told=told) == [True]
