"""Banks: labelled questions, those of the project and those that people keep, measured in the background."""

from core.banks.files import read_bank
from core.banks.splits import BANKS, EXPECTED, REPORTING, SAMPLE_BANKS, TUNING, check_labels, half_of

__all__ = ["BANKS", "EXPECTED", "REPORTING", "SAMPLE_BANKS", "TUNING", "check_labels", "half_of", "read_bank"]
