"""Settings: what changes a measurement, and the domains whose assistant this can be."""

from core.settings.settings import JUDGES, STAGE_1, WRITERS, SettingError, Settings

__all__ = ["JUDGES", "STAGE_1", "WRITERS", "SettingError", "Settings"]
