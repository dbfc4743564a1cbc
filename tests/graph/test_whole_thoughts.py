"""Whole thoughts go out, and nothing that answers another question: with the real models, in a chapter made for it."""

import re

import pytest

from core.case import Question
from core.graph import Explorer
from core.presets import preset
from tests.support.libraries import one_chapter

CHAPTER = (
    "Metals such as gold can be beaten into very thin sheets. This property is called malleability. They can also be "
    "drawn into long wires, which is called ductility. "
    "Ores that hold sulphur are heated strongly in plenty of air, which turns them into oxides. This process is known as "
    "roasting. Carbonate ores are heated strongly with little air instead. "
    "Only one strand of the molecule is copied, and there are two reasons for it. First, if both strands were copied, "
    "they would give two different proteins. Second, the two copies would stick to each other, and no protein could be "
    "made from them. "
    "An alloy is a mixture of a metal with another element. Brass is an example of an alloy, made of copper and zinc. "
    "Baking soda has two main uses. It makes cakes rise in the oven. It is also an ingredient of antacids, which ease "
    "the stomach. "
    "Robert Hooke was the first to see cells, in a thin slice of cork, in 1665. Later Leeuwenhoek saw living cells "
    "through a better lens. Dame Mackenzie drew the first map of the cells of a leaf. "
    "The Godavari is the longest of the rivers of the peninsula. The Ganga rises in a glacier of the Himalaya. "
    "If the echo of a clap is heard after 3 s, the wall stands at a distance of 510 metres. Sound travels 340 metres in "
    "a second in air. "
    "An acid is a substance that tastes sour and turns blue litmus red. A salt is formed when an acid is neutralised. "
    "An operon is a group of genes that are switched on and off together. "
    "Noise is a sound that is unpleasant to hear. Music is made of sounds that are pleasing to the ear. "
    "Oxygen is the gas that green leaves give out in sunlight. Oxygen is used in hospitals to help patients breathe. "
    "The city of Mysore was the capital of the Wodeyar kings. Mysore lies at the foot of the Chamundi hill. "
    "A joint family has several generations who live under one roof. A nuclear family is limited to a couple and their "
    "children."
)
WHOLE = {
    "What is malleability?": "thin sheets.*malleability",
    "What is roasting?": "heated strongly in plenty of air.*roasting",
    "Why is only one strand of the molecule copied?": "First.*Second",
    "Give an example of an alloy.": "Brass",
    "What are the two uses of baking soda?": "cakes.*antacids",
    "Who was the first to see cells?": "Hooke",
    "What did mackenzi draw?": "map of the cells",
    "What is an opron?": "group of genes",
    "What is the difference between noise and music?": "unpleasant.*pleasing|pleasing.*unpleasant",
    "joint family vs nuclear family": "several generations.*couple|couple.*several generations",
}
"""Questions with what a whole answer holds."""
OTHERS = {
    "Which is longer, the Ganga or the Godavari?": "longest",
    "The echo of a clap is heard after 2 s. How far away is the wall?": "510",
    "What's the weather like?": "echo|acid|cells|family",
    "What is the formula of a harmonic family?": "nuclear|joint",
}
"""Questions that the chapter does not answer, with what speaks of something like it."""


@pytest.fixture(scope="module")
def ask(known_models, tmp_path_factory):
    with one_chapter(tmp_path_factory.mktemp("thoughts") / "home", known_models, CHAPTER) as library:
        explorer = Explorer(library, known_models)
        yield lambda query: explorer.ask(Question(query=query), preset("default"))


@pytest.mark.parametrize("query", WHOLE)
def test_a_whole_thought_is_delivered(ask, query):
    _, verdict = ask(query)
    assert verdict.answered and re.search(WHOLE[query], verdict.answer, re.DOTALL)


@pytest.mark.parametrize("query", OTHERS)
def test_what_answers_another_question_is_not_delivered(ask, query):
    _, verdict = ask(query)
    assert not (verdict.answered and re.search(OTHERS[query], verdict.answer))


def test_an_example_is_no_definition_alone_and_a_definition_no_echo(ask):
    assert "mixture of a metal" not in ask("Give an example of an alloy.")[1].answer.split("Brass")[0]
    assert ask("What is roasting?")[1].answer.split()[0] != "This"


def test_a_part_that_the_books_do_not_answer_is_named(ask):
    trace, verdict = ask("What is an acid, what is a base and what is a salt?")
    assert len(trace.parts) == 3 and verdict.route == "deliver_part"
    assert "sour" in verdict.answer and "neutralised" in verdict.answer
    assert re.search(r"do not let me answer.*base", verdict.answer)


@pytest.mark.parametrize(("query", "answer", "holds"), [
    ("Which gas do green leaves give out in sunlight, and what is it used for?", "oxygen", "hospitals"),
    ("Which city was the capital of the Wodeyar kings and where does it lie?", "mysore", "Chamundi"),
])  # fmt: skip
def test_a_later_part_is_asked_with_the_answer_of_the_first(ask, query, answer, holds):
    trace, verdict = ask(query)
    assert answer in trace.parts[1].question.query.lower()
    assert verdict.route == "deliver" and holds in verdict.answer


def test_an_english_word_is_searched_as_it_is_written(ask):
    trace, _ = ask("What's the weather like?")
    assert all("whether" not in round_.case.query for round_ in trace.rounds)
