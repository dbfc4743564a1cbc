"""axe-core finds no serious problem on any page, in both themes and widths: names, roles, labels, contrast."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from pages.components.shared.page_run import PAGES
from pages.components.shared.session import DETAILS
from tests.support.browser import all_limits, ask, look_at, settle

SERIOUS = ("serious", "critical")
WIDE = 1280
_AXE = """async ([serious, past]) => {
    const mild = axe._audit.rules.filter(rule => rule.impact && !serious.includes(rule.impact));
    const found = await axe.run(past.length ? {exclude: past} : document, {
        resultTypes: ['violations'], rules: Object.fromEntries(mild.map(rule => [rule.id, {enabled: false}])),
    });
    return found.violations.filter(one => serious.includes(one.impact))
        .flatMap(one => one.nodes.map(node => [one.id, node.target]));
}"""
"""Skips the rules that never report a problem of that impact."""
SIDEBAR = "[data-testid=stSidebar]"
_FAINT = """() => {
    const word = document.querySelector('.st-key-verdict').appendChild(document.createElement('p'));
    word.textContent = 'faint';
    word.style = 'color: #8a8a8a; background: #9a9a9a';
}"""
_DARK = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor !== 'rgb(255, 255, 255)'"


def serious(page, looks=10, past=()):
    """The serious problems that axe-core finds, with their selectors, once the change of the theme has finished.

    past: selectors of elements that were checked before and have not changed.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for _ in range(looks):
        told = page.evaluate(_AXE, [SERIOUS, list(past)])
        if not told:
            break
        page.wait_for_timeout(500)
    return told


def go(page, name):
    page.get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=name, exact=True).wait_for()
    settle(page)


def at(page, width):
    """Set the width of the screen and wait until the page is drawn."""
    page.set_viewport_size({"width": width, "height": 1000})
    settle(page)
    return page


@pytest.mark.parametrize(("scheme", "width"), [("light", WIDE), pytest.param("dark", 390, marks=pytest.mark.long)])
def test_no_page_has_a_serious_finding(page, scheme, width):
    page.emulate_media(color_scheme=scheme)
    if scheme == "dark":
        page.wait_for_function(_DARK, polling=50)
    all_limits(page)
    assert serious(at(page, width)) == []
    at(page, WIDE).get_by_text("All thresholds").click()  # all limits were checked above
    ask(page, "What is photosynthesis?")
    for kind in DETAILS:
        look_at(page, kind)
        assert (kind, serious(at(page, width), past=() if kind == DETAILS[0] else [SIDEBAR])) == (kind, [])
    look_at(page, DETAILS[0])
    page.evaluate(_FAINT)
    found = serious(page, looks=1, past=[SIDEBAR])
    assert [rule for rule, _ in found] == ["color-contrast"]  # axe-core sees nested elements
    for name in list(PAGES.values())[1:]:
        go(at(page, WIDE), name)
        assert (name, serious(at(page, width))) == (name, [])
