"""axe-core finds nothing serious on any page, wide by day and narrow by night: names, roles, labels, contrast."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.components.shared.session import DETAILS, PAGES
from tests.browser.test_app import all_limits, ask, look_at
from tests.browser.test_banks import go
from tests.browser.waiting import settle

SERIOUS = ("serious", "critical")
WIDE = 1280
ONLY_FINDINGS = {"resultTypes": ["violations"]}
_FAINT = """() => {
    const word = document.querySelector('.grid').appendChild(document.createElement('p'));
    word.textContent = 'faint';
    word.style = 'color: #8a8a8a; background: #9a9a9a';
}"""
_DARK = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor !== 'rgb(255, 255, 255)'"


def serious(page, looks=10):
    """What axe-core finds of that gravity, and where, once nothing fades over into the colours of another scheme."""
    for _ in range(looks):
        found = Axe().run(page, options=ONLY_FINDINGS).response["violations"]
        told = [(f["id"], node["target"]) for f in found if f["impact"] in SERIOUS for node in f["nodes"]]
        if not told:
            break
        page.wait_for_timeout(500)
    return told


def at(page, width):
    """The page on a screen of this width, drawn."""
    page.set_viewport_size({"width": width, "height": 1000})
    settle(page)
    return page


@pytest.mark.parametrize(("scheme", "width"), [("light", WIDE), pytest.param("dark", 390, marks=pytest.mark.long)])
def test_no_page_has_a_serious_finding(page, scheme, width):
    page.emulate_media(color_scheme=scheme)
    if scheme == "dark":
        page.wait_for_function(_DARK)
    all_limits(page)
    assert serious(at(page, width)) == []
    at(page, WIDE).get_by_role("radio", name="Main five", exact=True).click()  # all were looked at
    ask(page, "What is photosynthesis?")
    for kind in DETAILS:
        look_at(page, kind)
        assert (kind, serious(at(page, width))) == (kind, [])
    look_at(page, DETAILS[0])
    page.evaluate(_FAINT)
    assert [rule for rule, _ in serious(page, looks=1)] == ["color-contrast"]  # it sees what lies that deep
    for name in list(PAGES.values())[1:]:
        go(at(page, WIDE), name)
        assert (name, serious(at(page, width))) == (name, [])
