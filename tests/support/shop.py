"""A small shop, for seed D's examples: its terms as passages, and cases about them."""

from core.case import Case, Question, Trace, Turn
from core.decide import verdict
from core.graph.rounds import measure
from core.retrieval.intent import kind_of_turn
from core.settings import Settings
from core.text.answer_sentences import given_draft
from tests.support.cases import evidence

SHOP = Settings(domain="shop")
TERMS = (
    "Our return policy allows returns within 30 days of purchase. Items must be unused and in their box. "
    "Refunds are paid to the card that was used within five days",
    "We deliver within three working days. Delivery is free for orders above 50 euros. You can follow your parcel in "
    "your account",
    "We sell shirts, shoes and bags. All shirts are made of organic cotton. Sizes run from S to XXL",
    "We differentiate ourselves through free repairs for two years. Repairs are done in our own workshop. Write to "
    "customer support on any day of the month",
)


def shop_case(query, answer, history=(), tools=(), cosine=0.7, terms=TERMS):
    """A case in the shop, all of whose terms were found with this cosine. history: (role, text) pairs."""
    turns = tuple(Turn(role=role, text=text) for role, text in history)
    question = Question(query=query, history=turns, tool_results=tuple(tools), answer=answer)
    evidence_ = tuple(evidence(text, cosine, n) for n, text in enumerate(terms))
    kind = kind_of_turn(question)
    return Case(question=question, query=query, evidence=evidence_, draft=given_draft(question), kind=kind)


def shop_trace(models, case):
    """The first round of `case`, measured in a shop that holds what was found for it."""
    return Trace(question=case.question, rounds=(measure("first", case, models, SHOP),))


def shop_verdict(models, case, preset):
    return verdict(shop_trace(models, case), preset)
