"""From signals to decisions: one engine on arrays of rows and points. A question is a set of one. Pure."""

from core.decide.check_results import CheckResult, judge
from core.decide.evidence import band_of, confidence_of
from core.decide.messages import REFUSAL
from core.decide.routes import SEARCHES, Route
from core.decide.verdicts import Step, Verdict, needed_rounds, next_step, offered_questions, overall_confidence, verdict

__all__ = [
    "REFUSAL", "SEARCHES", "CheckResult", "Route", "Step", "Verdict", "band_of", "confidence_of", "judge",
    "needed_rounds", "next_step", "offered_questions", "overall_confidence", "verdict",
]  # fmt: skip
