"""The decisions: from the rounds of a trace to the next step and the verdict. Pure: no model, no file, no clock."""

from core.chain.check_results import CheckResult, judge
from core.chain.facts import band_of, confidence_of
from core.chain.messages import REFUSAL
from core.chain.routing import ROUNDS, Route
from core.chain.verdicts import Step, Verdict, needed_rounds, next_step, overall_confidence, verdict

__all__ = [
    "REFUSAL", "ROUNDS", "CheckResult", "Route", "Step", "Verdict", "band_of", "confidence_of", "judge",
    "needed_rounds", "next_step", "overall_confidence", "verdict",
]  # fmt: skip
