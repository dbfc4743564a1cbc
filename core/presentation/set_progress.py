"""Words for how much of a question set is measured, and for a run that is measuring it."""

from core.presentation.outcome_words import count_of


def progress_words(count: int, missing: int, failure_count: int) -> str:
    """The measured part of a set, as one line of Markdown.

    count: all questions. missing: not measured. failure_count: how many of the missing ones could not be measured.
    """
    if not missing:
        subject = "The question is" if count == 1 else f"All {count:,} questions are"
        return f":green[:material/check_circle: {subject} measured.]"
    count_text = (
        f"**{count - missing:,} of {count_of(count, 'question')}** measured with the current library and models"
    )
    more = f"; {count_of(failure_count, 'question')} could not be measured, as the table under “Questions” says"
    return f":gray[:material/radio_button_unchecked:] {count_text}{more if failure_count else ''}."


def run_words(done_count: int, count: int, rest: str, *, is_stopping: bool, is_held: bool) -> str:
    """The progress of a run: "12 of 40 questions measured, about 3 min left". rest: "" before it can be estimated.

    is_held: True while the run waits for a person who asks.
    """
    count_text = f"{done_count:,} of {count:,} questions measured"
    if is_stopping:
        return f"{count_text}, stopping after this one …"
    if not rest:
        return f"{count_text}, the next one is being measured …"
    return f"{count_text}, waiting for a free processor" if is_held else f"{count_text}, {rest}"


def set_line(count: int, measured_count: int, profile: str, *, of_sample_library: bool = False) -> str:
    """How large a set is, how much of it is measured, and with which library; the models if they are not those that
    ship."""
    if not count:
        return "Empty: add or import questions"
    amount = (
        f"{count_of(count, 'question')}, all measured"
        if count == measured_count
        else f"{measured_count} of {count} measured"
    )
    library = " on the sample chapters alone, not on your library" if of_sample_library else ""
    models = "" if profile == "bundled" else f", {profile} models"
    return f"{amount}{library}{models}"
