"""Sets of labelled questions: those of the project and those of users, and measuring them in the background."""

from core.banks.project import BANKS, REPORTING, SAMPLE_BANKS, TUNING, for_fitting, read_bank

__all__ = ["BANKS", "REPORTING", "SAMPLE_BANKS", "TUNING", "for_fitting", "read_bank"]
