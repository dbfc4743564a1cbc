"""Every word on the Ask page can be told from what lies behind it, by day and by night."""

import pytest

from tests.browser.test_app import ask, look_at

FAINT = """() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgba = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) => [r, g, b].map((v, n) => v * a + under[n] * (1 - a));
    const up = node => node.parentElement ?? node.getRootNode().host ?? null;
    const behind = node => {
        const layers = [], box = node.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        for (let at = node; at; at = up(at)) {  // the number above the knob of a slider does not lie on the knob
            const {left, right, top, bottom} = at.getBoundingClientRect();
            if (x >= left && x <= right && y >= top && y <= bottom) layers.push(rgba(getComputedStyle(at).backgroundColor));
        }
        const page = rgba(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor).slice(0, 3);
        return layers.reverse().reduce((under, layer) => over(layer, under), page);
    };
    const light = c => c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
    const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const seen = node => {
        const box = node.getBoundingClientRect(), style = getComputedStyle(node);
        return box.width > 1 && box.height > 1 && style.visibility === 'visible' && !node.closest('[disabled]');
    };
    const found = [];
    const walk = root => {
        for (const node of root.querySelectorAll('*')) {
            if (node.shadowRoot) walk(node.shadowRoot);
            const own = [...node.childNodes].filter(c => c.nodeType === 3).map(c => c.textContent.trim()).join('');
            if (!own || ['STYLE', 'SCRIPT', 'TITLE', 'NOSCRIPT'].includes(node.tagName.toUpperCase())) continue;
            if (node.ownerSVGElement || !seen(node)) continue;
            let fade = 1;
            for (let at = node; at; at = up(at)) fade *= +getComputedStyle(at).opacity;
            const back = behind(node), [r, g, b, a] = rgba(getComputedStyle(node).color);
            const icon = getComputedStyle(node).fontFamily.includes('Material');
            if (icon || a * fade === 0) continue;
            const share = ratio(light(over([r, g, b, a * fade], back)), light(back));
            if (share < 4.5) found.push(`${own.slice(0, 40)}: ${share.toFixed(2)}`);
        }
    };
    walk(document.body);
    return found;
}"""
"""Words that stand out from what lies behind them by less than 4.5 to 1, as far as they are shown at all.

Icons are no words, and the map of boxes has a test of its own."""


def faint(page):
    """What is too faint once nothing changes any more: colours fade over into those of another scheme."""
    found = page.evaluate(FAINT)
    for _ in range(40):
        page.wait_for_timeout(250)
        before, found = found, page.evaluate(FAINT)
        if found == before == []:
            break
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_stands_out_by_four_and_a_half_to_one(page, scheme):
    page.emulate_media(color_scheme=scheme)
    assert faint(page) == []
    ask(page, "What is photosynthesis?")
    for kind in ("Sentences", "Checks", "With and without", "Break this answer"):
        look_at(page, kind)
        assert (kind, faint(page)) == (kind, [])
