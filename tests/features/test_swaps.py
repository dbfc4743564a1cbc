"""Which sentences of an answer swap roles against the passages, alone or beside their neighbour."""

from core.case import Case, Evidence, Passage, Question
from core.features.support import swaps_of
from core.text.answer_sentences import read_answer

PAYING = ("The payer enters an address, types the sum and approves it with a secret PIN.", "Nobody else sees the PIN.")
FLAT = ("Lions hunt deer.", "Eagles build nests.")


def swaps(answer, sentences):
    passage = Passage(id="p", sentences=sentences, pages=(1,) * len(sentences))
    evidence = (Evidence(passage=passage, cosine=0.9, related=0.9, hybrid=0.9, answers=0.9, kept=(0, 1)),)
    return swaps_of(
        Case(question=Question(query="Q?"), query="Q?", evidence=evidence, draft=read_answer(answer, writer="w"))
    )


def test_two_sentences_that_pair_things_the_other_way_round_are_a_swap():
    assert set(swaps("Lions build nests. Eagles hunt deer.", FLAT)) == {0, 1}


def test_a_sentence_that_points_back_speaks_of_the_same_thing_and_swaps_nothing():
    assert swaps("A PIN is not needed to enter an address. It is the payer who approves the sum.", PAYING) == {}
