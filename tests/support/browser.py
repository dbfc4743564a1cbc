"""The app in a browser: how a test waits for it, opens a page as a new visitor, and does what a user does."""

import re

from pages.components.shared.page_run import PAGES

SCREEN = {"width": 1280, "height": 1000}
CRITIC = "Mean of the best three"
QUIET = """([milliseconds, patience]) => new Promise((quiet, tired) => {
    const app = document.querySelector('[data-testid=stApp]');
    let timer = null;
    const end = setTimeout(() => { seen.disconnect(); tired(new Error('the app is still running')); }, patience);
    const look = () => {
        clearTimeout(timer);
        if (app.dataset.testScriptState !== 'notRunning') return;
        timer = setTimeout(() => { seen.disconnect(); clearTimeout(end); quiet(); }, milliseconds);
    };
    const seen = new MutationObserver(look);
    seen.observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
    look();
})"""
"""A script that observes the state in the page; polling every frame makes the browser draw sixty frames a second."""
PATIENCE = 180_000
"""Milliseconds for one step; the first one loads the models and the sample."""


def settle(page):
    """Wait until no script has run for a while, since a press takes a moment to start one."""
    page.evaluate(QUIET, [400, PATIENCE])


def come(page, url):
    """Open `url` as a new visitor: without cookies and without stored data."""
    page.context.clear_cookies()
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.set_viewport_size(SCREEN)
    page.emulate_media(color_scheme="light")
    page.goto(url)


def come_to(page, address, name):
    """Open a page by its address as a new visitor, and wait until it is drawn. name: the page's key in PAGES."""
    come(page, f"{address}/{name}")
    page.get_by_role("heading", name=PAGES[name], exact=True).wait_for()
    settle(page)
    return page


def ask(page, example):
    page.get_by_role("button", name=example).click()
    return visible_text(page)


def visible_text(page):
    """The word of the verdict, after waiting until it is drawn."""
    page.locator(".st-key-verdict").get_by_role("heading").first.wait_for()
    settle(page)
    return word(page)


def word(page):
    text = page.locator(".st-key-verdict").get_by_role("heading").first.inner_text()
    return re.search(r"[A-Z]{3,}[A-Z, ]*$", text.strip())[0]


def look_at(page, kind):
    """Open a section that explains the verdict."""
    page.get_by_role("radio", name=kind, exact=True).click()
    settle(page)


def more_fields(page):
    """Show more fields of the question."""
    page.get_by_role("button", name="More options").click()
    page.get_by_role("textbox", name="A tool's result").wait_for()


def paste(page, question, answer):
    """Judge an answer to a question in a new conversation; return the word of the verdict."""
    fresh = page.get_by_role("button", name="Ask your own").or_(page.get_by_role("button", name="New conversation"))
    if fresh.count():
        fresh.click()
        page.locator(".st-key-verdict").wait_for(state="detached")
        settle(page)
    page.get_by_role("button", name="Check an answer").click()
    page.get_by_label("Answer to judge").fill(answer)
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    return visible_text(page)


def slider(page, label):
    """The slider whose label starts with `label`, among all limits."""
    all_limits(page)
    return page.locator(f"input[type=range][aria-label^='{label}']")


def all_limits(page):
    """Show all limits in the sidebar, not only the main ones."""
    if not page.get_by_label("Search", exact=True).count():
        page.get_by_text("All thresholds").click()
        page.locator("input[type=range][aria-label^='Refined searches']").wait_for(state="attached")
        settle(page)  # a press during the redraw of the sidebar would be lost


def pick(page, label, option):
    """Pick an option of the list with this label."""
    settle(page)  # a rerun closes a list that opens while it draws
    box = page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # a list that opens while its box still scrolls closes again
    box.click()
    page.get_by_role("option", name=option).click()
    settle(page)
