"""The decision of one check on signals under a preset."""

from core.check import Bound


def decision(check, signals, preset):
    """The decision on one case or on a batch."""
    return check.decide(Bound(**signals), check.bind(preset))
