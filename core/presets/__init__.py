"""Presets: those that come with the project, those that people save, how they are named, shared and compared."""

from core.presets.named import modes_of, preset, presets, require_whole, values, with_settings

__all__ = ["modes_of", "preset", "presets", "require_whole", "values", "with_settings"]
