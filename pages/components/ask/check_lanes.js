// Every text is set as text, never as markup. The tile that is open stays open while limits move.
const add = (parent, name, look = '', text = '') => {
    const node = parent.appendChild(document.createElement(name));
    if (look) node.className = look;
    if (text) node.textContent = text;
    return node;
};
const shown = (slider, number) => Number(number).toFixed(slider.decimals);
const heading = tile => {
    const state = tile.state_text[0].toUpperCase() + tile.state_text.slice(1);
    return tile.state === 'passed' ? `${state}: ${tile.requirement}` : `${state}. Required: ${tile.requirement}`;
};
const bar = (parent, margin) => {
    const root = add(parent, 'span', 'margin');
    if (margin === null) return;
    const fill = add(root, 'i', margin < 0 ? 'under' : 'over');
    fill.style.width = `${Math.max(50 * Math.abs(margin), 2)}%`;
};
const switchOrSlider = (parent, slider, move) => {
    const label = add(parent, 'label', slider.is_switch ? 'toggle' : 'slide');
    label.title = slider.help;
    const input = document.createElement('input');
    input.dataset.focus = slider.key;
    if (slider.is_switch) {
        input.type = 'checkbox';
        input.checked = slider.value >= 1;
        input.onchange = () => move(slider.key, input.checked ? 1 : 0);
        label.append(input);
        add(label, 'span', '', slider.label);
        return;
    }
    const head = add(label, 'span', '', `${slider.label} (${slider.unit})`);
    const number = add(label, 'output', '', shown(slider, slider.value));
    Object.assign(input, {type: 'range', min: slider.low, max: slider.high, step: slider.step});
    input.value = slider.value;
    input.setAttribute('aria-label', head.textContent);
    input.oninput = () => { number.textContent = shown(slider, input.value); };
    input.onchange = () => move(slider.key, Number(input.value));
    label.append(input);
};
const modes = (parent, tile, all, move) => {
    const group = add(parent, 'div', 'modes');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', `What ${tile.name} does`);
    for (const {value, label} of all) {
        const button = add(group, 'button', '', label);
        button.dataset.focus = `${tile.mode_slider.key} ${value}`;
        button.setAttribute('aria-pressed', String(value === tile.mode_slider.value));
        button.onclick = () => { if (value !== tile.mode_slider.value) move(tile.mode_slider.key, value); };
    }
};
const detail = (parent, tile, all, move) => {
    const root = add(parent, 'div', `detail ${tile.state}`);
    root.id = 'detail-of-a-check';
    const text = add(root, 'div', 'text');
    const title = add(text, 'p', 'title');
    add(title, 'span', `mark ${tile.state}`);
    add(title, 'strong', '', heading(tile));
    add(title, 'code', '', tile.check);
    add(text, 'p', '', tile.reason);
    if (tile.sentence) add(text, 'blockquote', '', tile.sentence).title = 'The sentence that decided';
    if (tile.bars.length) {
        const bars = add(text, 'div', 'parts');
        for (const one of tile.bars) {
            add(bars, 'span', '', one.label);
            add(add(bars, 'span', 'part'), 'i').style.width = `${100 * one.share}%`;
            add(bars, 'span', 'number', one.text);
        }
    }
    for (const flip of tile.flips) add(text, 'p', 'flip', flip);
    const hand = add(root, 'div', 'hand');
    modes(hand, tile, all, move);
    for (const slider of tile.sliders) switchOrSlider(hand, slider, move);
    if (!tile.sliders.length) add(hand, 'p', 'flip', 'A rule without a limit: none is allowed.');
};
export default function ({data, parentElement, setTriggerValue}) {
    const root = parentElement.querySelector('.lanes');
    const move = (key, value) => setTriggerValue('moved', {key, value});
    const focus = root.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const draw = keep => {
        root.replaceChildren();
        root.setAttribute('role', 'group');
        root.setAttribute('aria-label', data.title);
        for (const {title, about, tiles} of data.lanes) {
            const lane = add(root, 'div', 'lane');
            add(lane, 'h3', '', title).title = about;
            const row = add(lane, 'div', 'tiles');
            for (const tile of tiles) {
                const open = tile.check === root.opened;
                const button = add(row, 'button', `tile ${tile.state} ${tile.blocks ? 'blocks' : 'monitors'}`);
                button.dataset.focus = button.dataset.check = tile.check;
                button.title = heading(tile);
                button.setAttribute('aria-label', tile.label);
                button.setAttribute('aria-expanded', String(open));
                const head = add(button, 'span', 'name');
                add(head, 'span', `mark ${tile.state}`);
                add(head, 'span', '', tile.name);
                add(button, 'span', 'value', tile.value);
                const foot = add(button, 'span', 'limit', tile.limit);
                if (tile.mode !== 'Block') add(foot, 'em', tile.limit ? 'after' : '', tile.mode);
                bar(button, tile.margin);
                button.onclick = () => { root.opened = open ? '' : tile.check; draw(tile.check); };
            }
            const chosen = tiles.find(tile => tile.check === root.opened);
            if (chosen) detail(lane, chosen, data.modes, move);
        }
        if (keep) root.querySelector(`[data-focus="${CSS.escape(keep)}"]`)?.focus({preventScroll: true});
    };
    draw(focus);
}
