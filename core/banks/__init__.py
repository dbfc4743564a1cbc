"""Banks of labelled questions: those of the project and those of users, and measuring them in the background."""

from core.banks.files import BANKS, REPORTING, SAMPLE_BANKS, TUNING, half_of, read_bank
from core.banks.rows import EXPECTATIONS, check_labels

__all__ = ["BANKS", "EXPECTATIONS", "REPORTING", "SAMPLE_BANKS", "TUNING", "check_labels", "half_of", "read_bank"]
