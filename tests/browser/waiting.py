"""When the app has answered a press: no script of it runs any more."""

QUIET = """milliseconds => {
    const running = document.querySelector('[data-testid=stApp]').dataset.testScriptState !== 'notRunning';
    if (running || window.quietSince === null) window.quietSince = performance.now();
    return performance.now() - window.quietSince >= milliseconds;
}"""


def settle(page):
    """Waits until no script has run for a while: what was pressed just now takes a moment to start one."""
    page.evaluate("() => { window.quietSince = null; }")
    page.wait_for_function(QUIET, arg=400)
