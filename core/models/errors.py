"""The one error of this package."""


class ModelError(ValueError):
    """A model cannot be loaded or used; the message says which, why, and what to do."""
