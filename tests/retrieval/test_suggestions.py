"""Better questions read well, are defined by a book, and are answered when somebody asks them."""

import re

import pytest

from core.case import Question
from core.graph import Explorer
from core.library import Library
from core.presets import preset
from core.retrieval.suggestions import questions_of, suggestions
from core.text.words import STOPWORDS
from tests.support.cases import passage


@pytest.mark.parametrize(("sentence", "asked"), [
    ("A tidal pool is a small basin of sea water among rocks.", ["What is a tidal pool?"]),
    ("Winds that turn with the seasons are called monsoons.", ["What are monsoons?"]),
    ("Harsh sounds are called noise.", ["What is noise?"]),
    ("The share of it that is spent is known as the propensity to spend.", ["What is the propensity to spend?"]),
    ("A gift from the heart is called as dana.", ["What is dana?"]),
    ("The Luni is the river that ends in a desert, and so the Luni has no mouth.", ["What is the Luni?"]),
    ("Rusting is a slow change of iron in damp air.", ["What is rusting?"]),
    ("We say that whatever is left over is called profit.", ["What is profit?"]),
    ("The number of turns in a second is called the frequency of rotation.", ["What is the frequency of rotation?"]),
    ("In the north of Spain, Navarre is a hilly place.", []),
    ("The fact is that plants cannot walk.", []),
    ("The answer is the last line.", []),
    ("Whatever is a gain to one is a loss to another.", []),
    ("What she drew are called if following.", []),
    ("Such sounds are called inaudible.", []),
    ("This process is known as roasting.", []),
    ("Similarly, this is called slaking.", []),
    ("They are called parallels.", []),
    ("Since it is a start, we begin.", []),
    ("The above reaction is an example of slaking.", []),
    ("and two times b is called the mean of both", []),
    ("What is it that is called an echo?", []),
    ("Its spectrum is a band of colours.", []),
    ("Two things are called by one name.", []),
])  # fmt: skip
def test_only_a_noun_phrase_that_a_whole_sentence_defines_is_asked_for(sentence, asked):
    assert questions_of(passage(sentence) if sentence.endswith(".") else _as_it_is(sentence)) == asked


def _as_it_is(sentence):
    found = passage("One.")
    return type(found)(id=found.id, sentences=(sentence,), pages=(1,))


def test_an_exercise_defines_nothing():
    assert questions_of(passage("Harsh sound is called music.", kind="exercise")) == []


WITHOUT_ANSWER = (
    "Which acid is in the sting of an ant?", "How high is the Hirakud Dam?", "How does a bat find its way?",
    "Who discovered chlorophyll?", "In which year was the first dam of India built?", "How heavy is the human eye?",
    "Why do plants turn towards the window?", "At what speed does sound travel in steel?", "Who was the first to mix an acid with a base?",
    "What is the price of a litre of milk?", "Who wrote the play Hamlet?", "What does a lens cost?",
)  # fmt: skip


@pytest.fixture(scope="module")
def explorer(sample_home, known_models):
    library = Library(sample_home("suggestions"), known_models.embedder)
    yield Explorer(library, known_models)
    library.close()


def test_what_is_offered_reads_well_and_is_answered_when_it_is_asked(explorer):
    offered = set()
    for query in WITHOUT_ANSWER:
        best = explorer.retriever.search(query, Question(query=query).scope, 8).evidence[0].passage
        scope = Question(query=query).scope
        offered |= set(suggestions(query, explorer.retriever, scope, best.document, explorer.is_answerable))
    assert len(offered) >= 5
    for question in sorted(offered):
        term = re.fullmatch(r"What (?:is|are) (?:an? |the )?(\w[\w -]*)\?", question)
        assert term and not {term[1].split()[0], term[1].split()[-1]} & STOPWORDS, question
        assert explorer.ask(Question(query=question), preset("default"))[1].answered, question


def test_nothing_is_offered_where_no_book_is_near(explorer):
    scope = Question(query="x").scope
    for query in ("Who wrote the play Hamlet?", "Which film won most prizes?"):
        best = explorer.retriever.search(query, scope, 8).evidence[0].passage.document
        assert suggestions(query, explorer.retriever, scope, best, explorer.is_answerable) == ()


def test_off_the_topic_the_closest_questions_are_offered(explorer):
    trace, found = explorer.ask(Question(query="Who wrote the play Hamlet?"), preset("default"))
    assert not found.answered and 1 <= len(trace.suggestions) <= 3
    assert all(question.startswith("What ") for question in trace.suggestions)
