"""What a user does on the Library page in a browser."""

import base64

from tests.support.browser_waiting import settle

WUG = "A wug is a small bird that sings in the morning. It builds its nest from dry grass and feathers."
_DROP = """files => {
    const dropped = new DataTransfer();
    for (const {name, data} of files)
        dropped.items.add(new File([Uint8Array.from(atob(data), c => c.charCodeAt(0))], name));
    for (const kind of ['dragover', 'drop'])
        document.querySelector('h1').dispatchEvent(
            new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: dropped}));
}"""


def visited(page):
    """Open the Library page from another page."""
    page.get_by_role("link", name="Library").click()
    return ready(page)


def ready(page):
    """Wait until files can be dropped on the Library page."""
    page.get_by_role("combobox", name="Find a document").wait_for()
    page.wait_for_function("document.dropAnywhere", polling=50)
    settle(page)
    return page


def drop(page, **files):
    """Drop files on the title of the page, far from the upload box."""
    page.evaluate(_DROP, [{"name": f"{n}.pdf", "data": base64.b64encode(d).decode()} for n, d in files.items()])
