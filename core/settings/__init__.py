"""Settings that change a measurement, and the domains of the assistant."""

from core.settings.settings import BOUNDS, JUDGES, STAGE_1, WRITERS, SettingError, Settings

__all__ = ["BOUNDS", "JUDGES", "STAGE_1", "WRITERS", "SettingError", "Settings"]
