"""The routes of the chain in a browser: their words, their reasons and their paths on the map."""

from tests.support.browser_actions import ask, look_at, slider, visible_text, word
from tests.support.browser_waiting import settle

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
    """The texts of the highlighted boxes, from top to bottom."""
    page.locator(".st-key-route_map svg").wait_for()
    return page.locator(".st-key-route_map svg .box:is(.taken, .good, .bad, .back) text").all_text_contents()


def words(page):
    """The labels of the highlighted lines."""
    return page.locator(".st-key-route_map svg > text.taken").all_text_contents()


def paste(page, question, answer):
    page.get_by_role("button", name="Sound in water, 5100 m/s").click()
    visible_text(page)
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_label("Answer to judge").fill(answer)
    page.get_by_label("Answer to judge").press("Control+Enter")
    settle(page)
    page.get_by_role("button", name="Ask", exact=True).click()
    settle(page)
    return word(page)


def test_the_map_of_an_answer_fits_the_screen_in_both_themes(page):
    assert way(page, "What is photosynthesis?") == "ANSWERED"
    assert boxes(page)[0] == "Message type" and "Answered" in boxes(page)
    assert any("≥ 40" in w for w in words(page)) and "one thing asked" in words(page)
    picture = page.get_by_role("img", name="Decision path of this question")
    assert "It ends: answered." in picture.get_attribute("aria-label")
    steps = page.locator(".st-key-route_list ol > li")
    assert "Message type" in steps.first.inner_text() and steps.last.inner_text() == "Answered."
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 1000})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(_IN_SCHEME, arg=scheme, polling=50)
            fits_and_can_be_read(page, width)


def test_a_correction_shows_removed_and_added_words(page):
    said = paste(page, "How fast does sound travel in air at room temperature?", ALTERED)
    assert said == "CORRECTED"
    assert "kept" in page.locator(".st-key-change-1").inner_text()
    change = page.locator(".st-key-change-2")
    assert "940" in change.locator("del").inner_text() and "340" in change.inner_text()
    assert "340" in page.locator(".st-key-verdict").inner_text()
    look_at(page, "Decision path")
    assert {"Answer checks", "Correct it", "Corrected"} <= set(boxes(page))
    assert "Rewritten from the book" in page.locator(".st-key-round-corrected").inner_text()
    assert "This is the answer that is given" in page.locator(".st-key-round-corrected").inner_text()


def test_a_new_round_is_measured_once_and_later_moves_are_only_decided(page):
    sent = []  # messages of the server: on a fast machine the words may disappear before they are painted
    page.once("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame)))
    page.reload()
    way(page, "What is photosynthesis?")
    spun = b"This limit needs another search"
    assert sent and not any(spun in frame for frame in sent)
    limit = slider(page, "Evidence confidence")
    limit.focus()
    page.keyboard.press("End")
    page.locator(".st-key-round-refined-1").wait_for()
    settle(page)
    assert any(spun in frame for frame in sent)
    sent.clear()
    for key, gone in (("Home", True), ("End", False), ("Home", True)):
        limit.focus()  # a run that redraws the sidebar may take it
        page.keyboard.press(key)
        page.locator(".st-key-round-refined-1").wait_for(state="detached" if gone else "attached")
        settle(page)
    assert sent and not any(spun in frame for frame in sent)


def fits_and_can_be_read(page, width):
    settle(page)
    place = page.locator(".st-key-route_map svg").bounding_box()
    assert place["x"] >= 0 and place["x"] + place["width"] <= width
    page.wait_for_function(_CONTRAST_READY, polling=50)
    page.wait_for_function(
        f"() => ({_LEAST_CONTRAST})() >= 4.5", polling=50
    )  # once the change of the theme has finished
    scale = place["width"] / 404
    assert 12 * scale >= 9.5


_IN_SCHEME = """scheme => {
    const behind = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor;
    return (behind === 'rgb(255, 255, 255)') === (scheme === 'light');
}"""
_FIND = """const host = document.querySelector('.st-key-route_map');
    const svg = host.querySelector('svg') ?? [...host.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('svg'))
        .find(Boolean);"""
_CONTRAST_READY = "() => { " + _FIND + " return !!svg; }"
_LEAST_CONTRAST = (
    "() => { "
    + _FIND
    + """
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
    return Math.min(...[...svg.querySelectorAll('text')].map(text => {
        const rect = text.parentNode.querySelector(':scope > rect');
        const behind = rect && text.parentNode !== svg ? getComputedStyle(rect).fill : page;
        return ratio(light(getComputedStyle(text).fill), light(behind));
    }));
}"""
)
"""Returns the least contrast of a text on the map with its background."""
