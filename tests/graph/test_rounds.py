"""What is answered to a turn that asks nothing of the books."""

import pytest

from core.case import Question, Turn
from core.graph.rounds import MOST_SENTENCES, blend_hybrid_score, reply, within_reach
from core.retrieval.retriever import SearchResult
from core.settings import Settings
from tests.support.cases import evidence

GREETING = "Hello! Please ask me a question."
LAST = Turn(role="assistant", text="The general term is the nth term. Brine is salt water. Sound travels.")
MARKED = Turn(role="assistant", text="Brine is salt water. [2] Sound travels [1]. Salt is in brine [2, 3].")


@pytest.mark.parametrize(("query", "kind", "history", "tools", "said"), [
    ("thanks", "small_talk", (), (), GREETING),
    ("What did you mean by the general term?", "about_last_turn", (LAST,), (), "The general term is the nth term."),
    ("What did you mean?", "about_last_turn", (LAST,), (), LAST.text),
    ("What do you mean by brine?", "about_last_turn", (MARKED,), (), "Brine is salt water. Salt is in brine."),
    ("show me the hotels", "tool_result", (), ("Hotel A. Hotel B.",), "Hotel A. Hotel B."),
])  # fmt: skip
def test_a_reply_only_repeats(query, kind, history, tools, said):
    draft = reply(Question(query=query, history=history, tool_results=tools), kind, GREETING)
    assert (draft.text, draft.writer, draft.given) == (said, "reply", False)


def test_a_reply_is_short():
    told = " ".join(f"Room {n} is free." for n in range(9))
    assert len(reply(Question(query="?", tool_results=(told,)), "tool_result", GREETING).sentences) == MOST_SENTENCES


@pytest.mark.parametrize(("of_the_second", "read"), [
    ({"cosine": 0.45, "answers": 0.1}, {0, 1}),
    ({"cosine": 0.35, "answers": 0.5}, {0, 1}),  # a heading lies closer, what stands under it answers
    ({"cosine": 0.35, "answers": 0.4}, {0}),
])  # fmt: skip
def test_a_writer_reads_what_is_close_and_what_rather_answers(of_the_second, read):
    found = (evidence("Rust", 0.9), evidence("Iron that lies in damp air becomes rusty.", 0.9, 1, **of_the_second))
    assert {n for n, e in enumerate(within_reach(found, *Settings().reach("first"))) if e.kept} == read


def test_the_hybrid_score_is_mixed_in_as_far_as_the_setting_says():
    one, other = evidence("Iron rusts.", 0.9, 0, hybrid=0.1), evidence("Rust is red.", 0.6, 1, hybrid=0.8)
    found = SearchResult(evidence=(one, other), closest=None)
    assert blend_hybrid_score(found, 0.0, in_order=True) is found
    half = blend_hybrid_score(found, 0.5, in_order=True).evidence
    assert [round(e.answers, 6) for e in half] == [0.7, 0.5] and half[0].passage is other.passage
    assert blend_hybrid_score(found, 0.5).evidence[0].passage is one.passage  # a caller's contexts keep their order
