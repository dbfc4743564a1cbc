"""From the rounds of a trace to the next step and the verdict. Pure: no model, no file, no clock."""

from core.chain.check_results import CheckResult, judge
from core.chain.evidence_confidence import ROUNDS, band_of, confidence_of
from core.chain.messages import REFUSAL
from core.chain.refusal_reasons import REASONS
from core.chain.routing import Route
from core.chain.steps import Step, needed, next_step, verdict
from core.chain.verdicts import Verdict

__all__ = [
    "REASONS", "REFUSAL", "ROUNDS", "CheckResult", "Route", "Step", "Verdict", "band_of", "confidence_of", "judge",
    "needed", "next_step", "verdict",
]  # fmt: skip
