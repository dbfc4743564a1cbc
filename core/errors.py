"""The errors that pages, commands and the service put before people."""


class UserError(ValueError):
    """An error whose message is one sentence: what is wrong, which value, what is allowed, and what to do."""


FOR_PEOPLE = (UserError, UnicodeError)
"""The errors whose message is put before people as it is: ours, and that of a text which cannot be encoded, because a
question, a file or an argument holds half a character."""
