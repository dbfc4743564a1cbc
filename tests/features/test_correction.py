"""An answer said again in the words of its passages alone."""

import pytest

from core.case import Draft, Question, Sentence
from core.features.correction import answering_sentences, correction
from core.graph.rounds import measure
from core.text.answer_sentences import has_back_reference, is_self_contained, leans
from core.writers.extractive_writer import ExtractiveWriter
from tests.support.cases import evidence

TRUE = "An arithmetic progression is a list of numbers."
FIXED = "Each term is obtained by adding a fixed number to the term before."


@pytest.fixture
def corrected(make_case, models):
    return lambda answer: correction(measure("first", make_case(answer), models))


def test_every_sentence_is_said_in_the_words_of_the_passage_that_says_it(corrected):
    draft = corrected(f"{TRUE} Each term is obtained by adding 7 to the term before.")
    assert [s.text for s in draft.sentences] == [TRUE, FIXED]
    assert draft.text == f"{TRUE} [1] {FIXED} [1]" and not draft.given


def test_a_sound_sentence_stays_word_for_word_beside_one_that_is_corrected(corrected):
    other_words = "A list of numbers is an arithmetic progression."
    draft = corrected(f"{other_words} Each term is obtained by adding 7 to the term before.")
    assert [s.text for s in draft.sentences] == [other_words, FIXED]


@pytest.mark.parametrize("answer", [
    "Bananas rarely wander through purple corridors.", f"{TRUE} Bananas rarely wander through purple corridors.",
    f"{TRUE} [1]", "",
])  # fmt: skip
def test_what_cannot_be_corrected_or_need_not_be_gives_an_empty_draft(corrected, answer):
    assert corrected(answer).sentences == ()


def test_what_is_said_of_another_thing_corrects_nothing(make_case, models):
    """The book tells how fast sound is in air: an answer about water must not be given that figure."""
    book = evidence("The speed of sound in air is about 340 metres per second. Sound needs a medium", 0.9)
    asked = Question(query="What is the speed of sound in water?")
    case = make_case("In water the speed of sound is 9100 metres per second.", question=asked, evidence=(book,))
    assert correction(measure("first", case, models)).sentences == ()


@pytest.mark.parametrize(("answer", "nothing"), [
    ("I don't know. The passages hold no information on it.", [True, True]), ("I think sound needs a medium.", [False]),
    ("I'm not sure. Sound needs a medium.", [True, False]), ("I don't know. Please ask your teacher.", [True, True]),
    ("Sound needs a medium. Please ask your teacher.", [False]), ("", []),
])  # fmt: skip
def test_the_sentences_of_an_abstention_are_known(make_case, models, answer, nothing):
    assert measure("first", make_case(answer), models).flags("abstains").tolist() == nothing


def test_two_sentences_that_become_the_same_are_said_once(corrected):
    draft = corrected(f"{TRUE[:-1]}, 3. An arithmetic progression is a list of 4 numbers.")
    assert [s.text for s in draft.sentences] == [TRUE]


def test_each_sentence_knows_what_it_became(make_case, models):
    measured = measure("first", make_case(f"{TRUE} Bananas rarely wander through purple corridors."), models)
    assert [(f.stays, f.replacement and f.replacement.text) for f in measured.facts] == [
        (False, TRUE),
        (False, None),
    ]


@pytest.mark.parametrize(("sentence", "alone"), [
    (TRUE, True), ("It is a list of numbers.", False), ("However, sound needs a medium.", False), ("Sound needs air", False),
    ("What is sound made of?", False), ("and sound needs a medium.", False), ("Too short.", False),
    ("At night it takes in oxygen and gives off heat.", False), ("Sound is loud when its amplitude is large.", True),
    ("This makes it louder than before.", False), ("Thistles grow in dry and open places.", True),
])  # fmt: skip
def test_a_sentence_stands_alone_when_it_states_something_and_points_nowhere(sentence, alone):
    assert is_self_contained(sentence) is alone


def test_pointing_back_is_known_by_whole_words():
    assert leans("“It is green.") and leans("The latter is larger.") and not leans("Items are counted.")


def test_only_a_word_for_something_said_before_points_back():
    assert (
        has_back_reference("“It is green.")
        and has_back_reference("Thus, it is green.")
        and has_back_reference("But this is rare.")
    )
    assert has_back_reference("Exchange of this kind is called barter.") and has_back_reference("In this way it grows.")
    assert not has_back_reference("A leaf of the tree shows this colour.")
    assert not has_back_reference("Thus, a leaf is green.") and not has_back_reference("Therefore the leaf is green.")
    assert leans("Thus, a leaf is green.")


ECHO = (
    "If an echo is heard after 3 s, the wall stands at a distance of 510 metres. Sound travels 340 metres in a second"
)
LIST = "The common difference of this list of numbers is 3. Its first term is 2 and each term is larger than the last"
LAMPS = "The bulb lamp is the brightest of the household lamps. A tube lamp needs less current"


@pytest.mark.parametrize(("query", "answer", "book"), [
    ("An echo is heard after 2 s. How far away is the wall?", "The wall is 340 metres away.", ECHO),
    ("An echo is heard after 2 s. How far away is the wall?", "340 metres", ECHO),
    ("What is the 11th term of the list 2, 5, 8?", "32", LIST),
    ("What is the 11th term of the list 2, 5, 8?", "The 11th term is 32.", LIST),
    ("Which is brighter, the bulb lamp or the arc lamp?", "The arc lamp is brighter.", LAMPS),
    ("Can light travel through a vacuum?", "Light can travel through a vacuum.", "Sound cannot travel through a vacuum"),
])  # fmt: skip
def test_no_statement_about_something_else_takes_the_place_of_an_answer(make_case, models, query, answer, book):
    """Neither said again sentence by sentence, nor as what a writer finds in the same passages."""
    found = (evidence(book, 0.9),)
    judged = measure("first", make_case(answer, question=Question(query=query), evidence=found), models)
    assert correction(judged).sentences == ()
    assert answering_sentences(judged, ExtractiveWriter(models).write(query, found)).sentences == ()


@pytest.mark.parametrize(("query", "answer", "book"), [
    ("An echo is heard after 3 s. How far away is the wall?", "The wall is 340 metres away.", ECHO),
    ("What is the common difference of this list?", "The common difference is 5.", LIST),
    ("Which household lamp is the brightest?", "The tube lamp is the brightest.", LAMPS),
])  # fmt: skip
def test_a_statement_about_what_is_asked_takes_the_place_of_a_false_answer(make_case, models, query, answer, book):
    found = (evidence(book, 0.9),)
    judged = measure("first", make_case(answer, question=Question(query=query), evidence=found), models)
    said = Draft(
        text=f"{book.split('. ')[0]}. [1]",
        sentences=(Sentence(text=f"{book.split('. ')[0]}.", citations=(1,)),),
        writer="x",
    )
    assert answering_sentences(judged, said) == said
