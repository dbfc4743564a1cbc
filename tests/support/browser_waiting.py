"""Wait until the app has finished its work: no script is running."""

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
