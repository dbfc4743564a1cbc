"""What the writer said beside what the passages say, under one preset."""

from tests.support.cases import BOOK
from tests.support.compared_sentences import DENIED, ELSEWHERE, SAID, verdict_on


def test_each_sentence_has_its_state_and_a_contradiction_what_the_passages_say_instead(models, make_case):
    found = verdict_on(models, make_case, f"{SAID} [1] {DENIED} [1] {ELSEWHERE} [1]")
    said, denied, elsewhere = found.sentences
    assert (said.state, said.objection, said.instead) == ("said", "", "")
    assert denied.state == "fails" and denied.objection and denied.instead_passage == 1
    assert denied.instead == BOOK.split(". ")[-1] + "."
    assert elsewhere.state == "fails" and elsewhere.instead == ""


def test_what_goes_out_whole_has_nothing_against_it(models, make_case):
    found = verdict_on(models, make_case, f"{SAID} [1]")
    assert found.route == "deliver" and [s.state for s in found.sentences] == ["said"]


def test_without_an_answer_there_is_nothing_to_set_beside(models, make_case):
    assert verdict_on(models, make_case, None).sentences == ()


def test_support_says_what_its_number_is_made_of_in_the_worst_sentence(models, make_case):
    found = verdict_on(models, make_case, f"{SAID} [1] {DENIED} [1]")
    signals, parts = found.round.signals["support"], found.checks["support"].components
    worst = signals["probability"].argmin()
    told = {part.label: part.value for part in parts}
    assert told["Book agrees"] == signals["says"][worst] and told["Book disagrees"] == signals["denies"][worst]
    assert told["Details without evidence"] == signals["unheld"][worst] and len(told) == len(parts) == 6
    assert all(part.unit and part.value >= 0 for part in parts) and found.checks["numbers"].components == ()
