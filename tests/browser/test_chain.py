"""The routes of the chain in a browser: their words, their reasons and their paths."""

from tests.support.browser import ask, look_at, paste, settle, slider

ALTERED = (
    "Sound does not travel at the same speed in every medium. "
    "At room temperature the speed of sound in air is about 940 metres per second."
)
"""Two sentences of a sample chapter, the second with a changed number."""


def way(page, example):
    """Ask an example and open its path; return the word of the verdict."""
    said = ask(page, example)
    look_at(page, "Decision path")
    return said


def boxes(page):
    """The texts of the boxes of the path, from top to bottom."""
    page.locator("[data-testid=stGraphVizChart] svg").wait_for()
    return page.locator("[data-testid=stGraphVizChart] .node text").all_text_contents()


def test_the_path_of_an_answer_fits_the_screen_in_both_themes(page):
    assert way(page, "What is photosynthesis?") == "ANSWERED"
    assert boxes(page)[0] == "Message type" and boxes(page)[-1] == "Answered"
    picture = page.get_by_role("figure", name="Decision path of this question")
    assert "It ends: answered." in picture.get_attribute("aria-label")
    steps = page.locator("[data-testid=stMain] ol > li")
    assert "Message type" in steps.first.inner_text() and steps.last.inner_text() == "Answered."
    assert "needs at least 40" in " ".join(steps.all_inner_texts())
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 1000})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(_IN_SCHEME, arg=scheme, polling=50)
            fits_and_can_be_read(page, width)


def test_a_correction_strikes_the_wrong_sentence_and_quotes_the_book_beside_it(page):
    assert paste(page, "How fast does sound travel in air at room temperature?", ALTERED) == "CORRECTED"
    verdict = page.locator(".st-key-verdict")
    assert verdict.locator("del").count() == 1 and "940" in verdict.locator("del").inner_text()
    assert "340" in verdict.inner_text() and "Sound does not travel at the same speed" in verdict.inner_text()
    look_at(page, "Decision path")
    assert {"Answer checks", "Correct it", "Corrected"} <= set(boxes(page))


def test_a_new_round_is_measured_once_and_later_moves_are_only_decided(page):
    sent = []  # messages of the server: on a fast machine the words may disappear before they are painted
    page.once("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame)))
    page.reload()
    page.get_by_role("button", name="Ask your own").click()
    page.get_by_text("Try an example").wait_for()
    way(page, "What is photosynthesis?")
    spun = b"This limit needs another search"
    assert sent and not any(spun in frame for frame in sent)
    limit = slider(page, "Evidence confidence")
    limit.focus()
    page.keyboard.press("End")
    page.get_by_text("Ask again:").first.wait_for()
    settle(page)
    assert any(spun in frame for frame in sent)
    sent.clear()
    for key, gone in (("Home", True), ("End", False), ("Home", True)):
        limit.focus()  # a run that redraws the sidebar may take it
        page.keyboard.press(key)
        page.get_by_text("Ask again:").first.wait_for(state="detached" if gone else "attached")
        settle(page)
    assert sent and not any(spun in frame for frame in sent)


def fits_and_can_be_read(page, width):
    settle(page)
    place = page.locator("[data-testid=stGraphVizChart]").bounding_box()
    assert place["x"] >= 0 and place["x"] + place["width"] <= width
    page.wait_for_function(
        f"() => ({_LEAST_CONTRAST})() >= 4.5", polling=50
    )  # once the change of the theme has finished
    assert page.evaluate(_SMALLEST) >= 9.5


_IN_SCHEME = """scheme => {
    const behind = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor;
    return (behind === 'rgb(255, 255, 255)') === (scheme === 'light');
}"""
_SMALLEST = """() => Math.min(
    ...[...document.querySelectorAll('[data-testid=stGraphVizChart] svg text')]
        .filter(t => t.textContent.trim()).map(t => t.getBoundingClientRect().height)
)"""
"""Returns the least height of a text of the path in pixels."""
_LEAST_CONTRAST = """() => {
    const svg = document.querySelector('[data-testid=stGraphVizChart] svg');
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgb = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = c => rgb(c).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
    const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const page = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor;
    return Math.min(...[...svg.querySelectorAll('text')].map(t => ratio(light(getComputedStyle(t).fill), light(page))));
}"""
"""Returns the least contrast of a text of the path with the page."""
