"""A sentence is held to be no surer than the passage that it comes from."""

import pytest

from core.text.certainty import surer_than

SURER = (
    ("Rain always falls here in June.", "Rain usually falls here in June."),
    ("The spring never dries up.", "The spring rarely dries up."),
    ("Every monsoon the river floods the fields.", "The river often floods the fields in the monsoon."),
    ("The fort was definitely built by a chief.", "The fort was probably built by a local chief."),
    ("The beads came from the coast.", "The beads may have come from the coast."),
    ("The wall kept out the floods.", "Some historians believe that the wall kept out the floods."),
    ("The bowl was used for oil.", "Perhaps the bowl was used for oil."),
    ("The village had exactly 300 huts.", "The village had nearly 300 huts."),
    ("The painting shows a queen.", "The painting is thought to show a queen."),
    ("Owls certainly hunt by hearing.", "Owls mostly hunt by hearing."),
    ("Entry to the fort is free.", "Entry to the fort is free if you come before nine."),
    ("The lamp glows.", "The lamp glows only when the switch is closed."),
    ("The pump runs.", "Unless the tank is full, the pump runs."),
    ("A member can vote.", "A member can vote provided that the fee is paid."),
    ("Milk turns sour if it is warm.", "Milk turns sour if it is warm and left open."),
    ("The wire glows when it is thin.", "The wire glows when it is thin and carries a strong current."),
    ("Fire burns when there is fuel.", "Fire burns only when there is fuel and oxygen."),
    ("All birds of the marsh can fly.", "Most birds of the marsh can fly."),
    ("Only a few of the seeds sprout.", "Each seed sprouts within a week."),
    ("Not all of the steps are dry.", "All steps are dry."),
    ("Every well holds sweet water.", "Some of the wells hold sweet water."),
    ("The gate opens if the guard or the clerk agrees.", "The gate opens only if both the guard and the clerk agree."),
)
AS_SURE = (
    ("Rain usually falls here in June.", "Rain usually falls here in June."),
    ("The beads may have come from the coast.", "The beads may have come from the coast."),
    ("The fort was perhaps built by a chief.", "The fort was probably built by a local chief."),
    ("Metals always conduct heat.", "Metals always conduct heat."),
    ("All birds have feathers.", "All birds have feathers, and most birds can fly."),
    ("Some seeds sprout.", "Each seed sprouts within a week."),
    ("All frogs can swim.", "Some fish cannot swim, and frogs can."),
    ("Only some wells dry up.", "Only some wells dry up, and all wells are deep."),
    ("Every cell has a membrane.", "All cells have a membrane."),
    ("The village had 300 huts.", "The village had about 300 huts."),
    ("Leaves are green.", "Leaves are usually green because of chlorophyll."),
    ("It rains in June.", "It often rains in June."),
    ("The moon never turns its far side to us.", "We cannot see the far side of the moon."),
    ("Sound travels at exactly 340 m/s.", "Sound travels at 340 m/s."),
    ("A closed switch makes the lamp glow.", "The lamp glows only when the switch is closed."),
    ("The town was ruled by a queen.", "The town was ruled by a queen when the railway came."),
    ("The seed needs water and warmth.", "The seed grows if it gets water and warmth."),
    ("Water freezes at 0 °C.", "If water is cooled to 0 °C, it freezes."),
    ("It is the Fair Act of 1811.", "If the cheque is unpaid, the drawer is punished under the Fair Act of 1811."),
    ("Milk turns sour in warm weather if it is left open.", "Milk turns sour if it is warm and left open."),
)


@pytest.mark.parametrize(("sentence", "line"), SURER)
def test_a_sentence_without_the_doubt_of_its_passage_is_surer(sentence, line):
    assert surer_than(sentence, line)


@pytest.mark.parametrize(("sentence", "line"), AS_SURE)
def test_a_sentence_as_sure_as_its_passage_is_held(sentence, line):
    assert not surer_than(sentence, line)


def test_a_condition_that_the_question_names_needs_no_second_mention():
    line = "The fee is nil if the books come back within a week."
    assert surer_than("The fee is nil.", line, "What does the library take?")
    assert not surer_than("The fee is nil.", line, "What is the fee if books come back within a week?")
