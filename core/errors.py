"""The errors that pages, commands and the service put before people."""


class UserError(ValueError):
    """An error whose message is one sentence: what is wrong, which value, what is allowed, and what to do."""
