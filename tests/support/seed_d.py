"""The examples that seed D prints, and the outcome of each here."""

from dataclasses import dataclass, replace

from core.presets import preset
from core.reports.seed_outputs import metadata
from core.retrieval.scoring import score_passages
from core.settings.domains import domain
from tests.support.seed_example import MODEL, Example
from tests.support.shop import TERMS, judged, shop_case

SEED_D, SHOP = preset("seed_d"), domain("shop")
ASKED = (("assistant", "What is your monthly ticket volume?"),)
HOTELS = ("Hotel ABC, Hotel XYZ, Hotel 123",)
PHONES = ("inventory: iPhone 15 Pro, 3 pieces",)
UNDOCUMENTED = TERMS[1:]
"""The shop without its terms of return."""
WEATHER, POLICY = "What's the weather like?", "What's your return policy?"
COMPETITORS = "Tell me about your competitors"
ADVANTAGE = "While there are competitors in the market, we differentiate ourselves through free repairs for two years."
HOURS = "We operate 9am-5pm Monday-Friday."
FREE, HIGH, LOW = "pass, skipped, delivered", "pass, high, delivered", "pass, low, escalated"


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """One exchange. `seed` is what stage 1 says, what stage 2 says, and the result.

    cosine: of every passage with the question; None where it is measured.
    """

    query: str
    answer: str
    history: tuple = ()
    tools: tuple = ()
    terms: tuple = TERMS
    cosine: float | None = None


def blocked(violation, query, answer, **changes):
    seed = f"block {violation}, skipped, escalated"
    return Row(query=query, answer=answer, terms=UNDOCUMENTED, seed=seed, **changes)


TABLE = {
    "blocked 1 off topic": blocked(
        "off_topic", WEATHER, "Let me check the weather for your city. Which city are you in?",
    ),
    "blocked 1 what it should be": Row(
        query=WEATHER,
        answer="I can't help with weather information. Is there anything about our products I can help you with? Or "
        "would you like me to transfer you to a team member?",
        seed=FREE,
    ),
    "blocked 2 competitors": blocked(
        "competitor_info", COMPETITORS,
        "Our main competitors include Company A, Company B. Company A offers great pricing and Company B has excellent "
        "customer service.",
    ),
    "blocked 2 a documented advantage, found well": Row(
        query=COMPETITORS, answer=ADVANTAGE, cosine=0.7, seed=HIGH, ours=LOW, nli=True,
        difference=f"{MODEL}a sentence of which the passage says all but the clause before the comma, that there are "
        "competitors, is left open; without that clause it is said and delivered",
    ),
    "blocked 2 a documented advantage, measured": Row(
        query=COMPETITORS, answer=ADVANTAGE, seed=HIGH, ours=LOW,
        difference="no passage of the shop resembles the question by the 0.4 that stage 2 asks for, so it reads none, "
        "whatever the language model would say",
    ),
    "blocked 3 a fabricated product": blocked(
        "fabricated_product", "Do you have iPhone 15 Pro?", "Yes, we have iPhone 15 Pro available in all colors!",
    ),
    "blocked 3 a product from a tool": Row(
        query="Do you have iPhone 15 Pro?", answer="I found iPhone 15 Pro in our inventory: 3 pieces.", tools=PHONES,
        seed=FREE,
    ),
    "blocked 4 a fabricated policy": blocked(
        "fabricated_policy", POLICY, "Our return policy allows returns within 30 days.", nli=True,
    ),
    "blocked 4 a policy to be looked up": Row(
        query=POLICY, answer="Let me check our return policy for you. One moment please.", terms=UNDOCUMENTED,
        seed=FREE,
    ),
    "allowed 1 a clarification": Row(
        query="what do you mean by monthly ticket volume", history=ASKED,
        answer="Monthly ticket volume refers to the number of support tickets or customer inquiries your company "
        "handles each month.",
        seed=FREE,
    ),
    "allowed 2 and use case 2, tool results": Row(
        query="show me available hotels", answer="Here are 3 hotels: Hotel ABC, Hotel XYZ, Hotel 123", tools=HOTELS,
        seed=FREE,
    ),
    "allowed 3 a greeting": Row(query="hi", answer="Hello! How can I help you today?", seed=FREE),
    "allowed 3 an acknowledgment": Row(query="hi", answer="I'd be happy to help you with that.", seed=FREE),
    "allowed 3 an offer": Row(query="hello", answer="Let me look that up for you.", seed=FREE),
    "allowed 4 a company claim": Row(
        query="what's your return policy?", answer="Our return policy allows returns within 30 days of purchase.",
        seed=HIGH, nli=True,
    ),
    "use case 1 a clarification": Row(
        query="what do you mean by monthly ticket volume", history=ASKED,
        answer="Monthly ticket volume refers to the number of support tickets per month.", seed=FREE,
    ),
    "use case 3 off topic": blocked("off_topic", "what's the weather?", "Let me check the weather for you..."),
    "use case 4 a claim that is documented": Row(
        query="what's your return policy?", answer="Our return policy allows returns within 30 days.",
        seed=HIGH, nli=True,
    ),
    "use case 5 a claim that is not, found well": Row(
        query="what are your business hours?", answer=HOURS, cosine=0.45, seed=LOW, nli=True,
    ),
    "use case 5 a claim that is not, measured": Row(query="what are your business hours?", answer=HOURS, seed=LOW),
}  # fmt: skip
WORDS = {
    "configuration, the fallback message": Example(
        seed="I'm not confident I can provide an accurate answer...",
        ours="I'm not confident that I can give an accurate answer to this from the textbooks.",
        difference="the seed's message is cut short and is configuration; each house has a whole sentence of its own",
    ),
}  # fmt: skip


def found_by(models, row, under=SEED_D):
    """The verdict on `row`, its passages in the order of their similarity as a search has them."""
    case = shop_case(row.query, row.answer, row.history, row.tools, row.cosine or 0.0, row.terms)
    if row.cosine is None:
        measured = score_passages(row.query, [e.passage for e in case.evidence], models)
        case = replace(case, evidence=tuple(sorted(measured, key=lambda e: -e.cosine)))
    return judged(models, case, under)


def outcome(found):
    """What both stages say and the result, in the words of the seed's use cases."""
    said = metadata(found, SEED_D, SHOP)
    stage_1 = said["companyInterest"]
    first = f"block {stage_1['violationType']}" if stage_1["shouldBlock"] else "pass"
    second = found.tier if "stage 2" in found.steps else "skipped"
    return f"{first}, {second}, {'delivered' if found.route == 'deliver' else f'{found.route}d'}"
