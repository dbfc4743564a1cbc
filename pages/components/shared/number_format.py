"""Numbers as they are drawn: where the pages find what the report shares with them."""

from core.chain.number_format import MINUS, MOST, Drawn, beside, compared, decimals_for, number, signed, threshold_value

__all__ = ["MINUS", "MOST", "Drawn", "beside", "compared", "decimals_for", "number", "signed", "threshold_value"]
