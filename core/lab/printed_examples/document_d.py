"""The examples that source document D prints, and the outcome of each here.

The document prints no passages, so the passages here are the terms of an invented shop. Their cosine with the question
is measured, unless an example sets it. Where the document has a placeholder in brackets, the text is filled in.
"""

from core.lab.printed_examples.example import MODEL, Example, scored

TERMS = (
    "Our return policy allows returns within 30 days of purchase. Items must be unused and in their box. "
    "Refunds are paid to the card that was used within five days.",
    "We deliver within three working days. Delivery is free for orders above 50 euros. You can follow your parcel in "
    "your account.",
    "We sell shirts, shoes and bags. All shirts are made of organic cotton. Sizes run from S to XXL.",
    "We differentiate ourselves through free repairs for two years. Repairs are done in our own workshop. Write to "
    "customer support on any day of the month.",
)
"""The terms of an invented shop, one passage each."""
ASKED = (("assistant", "What is your monthly ticket volume?"),)
HOTELS = ("Hotel ABC, Hotel XYZ, Hotel 123",)
PHONES = ("inventory: iPhone 15 Pro, 3 pieces",)
UNDOCUMENTED = TERMS[1:]
"""The same terms without the first one, which is on returns."""
WEATHER, POLICY = "What's the weather like?", "What's your return policy?"
COMPETITORS = "Tell me about your competitors"
ADVANTAGE = "While there are competitors in the market, we differentiate ourselves through free repairs for two years."
HOURS = "We operate 9am-5pm Monday-Friday."
FREE, HIGH, LOW = "pass, skipped, delivered", "pass, high, delivered", "pass, low, escalated"


def row(printed: str, terms: tuple[str, ...] = TERMS, cosine: float | None = None, **fields: object) -> Example:
    """An example of source document D: one exchange of a question and an answer.

    printed: the result of stage 1, the result of stage 2, and the end, such as "pass, high, delivered". cosine: that of
    every passage with the question; None to measure it.
    """
    return Example(printed=printed, contexts=scored(terms, cosine), **fields)


def blocked(violation: str, query: str, answer: str, **fields: object) -> Example:
    """An exchange that stage 1 blocks for this violation, so that stage 2 is skipped."""
    return row(f"block {violation}, skipped, escalated", UNDOCUMENTED, query=query, answer=answer, **fields)


TABLE = {
    "blocked 1 off topic": blocked(
        "off_topic", WEATHER, "Let me check the weather for your city. Which city are you in?",
    ),
    "blocked 1 what it should be": row(
        query=WEATHER,
        answer="I can't help with weather information. Is there anything about our products I can help you with? Or "
        "would you like me to transfer you to a team member?",
        printed=FREE,
    ),
    "blocked 2 competitors": blocked(
        "competitor_info", COMPETITORS,
        "Our main competitors include Company A, Company B. Company A offers great pricing and Company B has excellent "
        "customer service.",
    ),
    "blocked 2 a documented advantage, found well": row(
        query=COMPETITORS, answer=ADVANTAGE, cosine=0.7, printed=HIGH, ours=LOW, nli=True,
        difference=f"{MODEL}the passage says the sentence except its first clause, that there are competitors, so the "
        "model leaves it open; without that clause the sentence goes out",
    ),
    "blocked 2 a documented advantage, with the measured score": row(
        query=COMPETITORS, answer=ADVANTAGE, printed=HIGH, ours=LOW,
        difference="no passage of the shop resembles the question by the 0.4 that stage 2 asks for, so it reads none, "
        "whatever the language model would say",
    ),
    "blocked 3 a fabricated product": blocked(
        "fabricated_product", "Do you have iPhone 15 Pro?", "Yes, we have iPhone 15 Pro available in all colors!",
    ),
    "blocked 3 a product from a tool": row(
        query="Do you have iPhone 15 Pro?", answer="I found iPhone 15 Pro in our inventory: 3 pieces.", tools=PHONES,
        printed=FREE,
    ),
    "blocked 4 a fabricated policy": blocked(
        "fabricated_policy", POLICY, "Our return policy allows returns within 30 days.", nli=True,
    ),
    "blocked 4 a policy to be looked up": row(
        query=POLICY, answer="Let me check our return policy for you. One moment please.", terms=UNDOCUMENTED,
        printed=FREE,
    ),
    "allowed 1 a clarification": row(
        query="what do you mean by monthly ticket volume", history=ASKED,
        answer="Monthly ticket volume refers to the number of support tickets or customer inquiries your company "
        "handles each month.",
        printed=FREE,
    ),
    "allowed 2 and use case 2, tool results": row(
        query="show me available hotels", answer="Here are 3 hotels: Hotel ABC, Hotel XYZ, Hotel 123", tools=HOTELS,
        printed=FREE,
    ),
    "allowed 3 a greeting": row(query="hi", answer="Hello! How can I help you today?", printed=FREE),
    "allowed 3 an acknowledgment": row(query="hi", answer="I'd be happy to help you with that.", printed=FREE),
    "allowed 3 an offer": row(query="hello", answer="Let me look that up for you.", printed=FREE),
    "allowed 4 a company claim": row(
        query="what's your return policy?", answer="Our return policy allows returns within 30 days of purchase.",
        printed=HIGH, nli=True,
    ),
    "use case 1 a clarification": row(
        query="what do you mean by monthly ticket volume", history=ASKED,
        answer="Monthly ticket volume refers to the number of support tickets per month.", printed=FREE,
    ),
    "use case 1 a clarification, no earlier turn": row(
        query="what do you mean by monthly ticket volume", printed=FREE,
        answer="Monthly ticket volume refers to the number of support tickets per month.",
    ),
    "use case 3 off topic": blocked("off_topic", "what's the weather?", "Let me check the weather for you..."),
    "use case 4 a claim that is documented": row(
        query="what's your return policy?", answer="Our return policy allows returns within 30 days.",
        printed=HIGH, nli=True,
    ),
    "use case 5 a claim that is not, found well": row(
        query="what are your business hours?", answer=HOURS, cosine=0.45, printed=LOW, nli=True,
    ),
    "use case 5 a claim that is not, with the measured score": row(
        query="what are your business hours?", answer=HOURS, printed=LOW,
    ),
    "configuration, the fallback message": row(
        query="what are your business hours?", answer=HOURS, changes=("fact_grounding.escalation=0",), message=True,
        printed="I'm not confident I can provide an accurate answer...",
    ),
}  # fmt: skip
