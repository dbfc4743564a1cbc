"""When the app has answered a press: no script of it runs any more."""

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
"""Told by the page itself: whoever looks at every frame has a browser draw sixty of them a second."""
PATIENCE = 180_000
"""Milliseconds for one step: the first one loads the models, and the sample."""


def settle(page):
    """Waits until no script has run for a while: what was pressed just now takes a moment to start one."""
    page.evaluate(QUIET, [400, PATIENCE])
