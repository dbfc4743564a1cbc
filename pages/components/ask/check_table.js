// Every text is set as text, never as markup. Open rows stay open while limits move.
const add = (parent, name, look = '', text = '') => {
    const node = parent.appendChild(document.createElement(name));
    if (look) node.className = look;
    if (text) node.textContent = text;
    return node;
};
const mark = (parent, {look, plain, state}) => {
    const node = add(parent, 'span', `mark ${look}`);
    node.title = `${plain}: ${state}`;
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', node.title);
};
const bar = (cell, {value, limit, stricter}, look) => {
    const root = add(cell, 'div', 'bar');
    const bad = add(root, 'i', 'zone');
    bad.style.left = stricter === 'lower' ? `${limit}%` : 0;
    bad.style.width = `${stricter === 'lower' ? 100 - limit : limit}%`;
    add(root, 'i', 'limit').style.left = `${limit}%`;
    add(root, 'i', `value ${look}`).style.left = `${value}%`;
};
const line = (body, one, open) => {
    const row = add(body, 'tr', one.look);
    const name = add(row, 'td', 'plain');
    const button = add(name, 'button');
    mark(button, one);
    add(button, 'span', '', one.plain);
    button.title = one.name;
    add(row, 'td', 'state', one.state);
    add(row, 'td', 'number', one.value ?? '').title = one.unit ?? '';
    add(row, 'td', 'asked', one.limit ?? '').title = one.unit ?? '';
    const scale = add(row, 'td', 'ruler');
    if (one.bar) bar(scale, one.bar, one.fails ? 'failed' : 'passed');
    add(row, 'td', `number ${one.fails ? 'failed' : ''}`, one.margin ?? '');
    add(row, 'td', 'why', one.why);
    const more = add(body, 'tr', 'more');
    const said = add(more, 'td', '', [one.name, one.unit, ...one.more].filter(Boolean).join(' · '));
    said.colSpan = 7;
    const show = () => {
        more.hidden = !open.has(one.name);
        button.setAttribute('aria-expanded', String(!more.hidden));
    };
    button.onclick = () => { open.has(one.name) ? open.delete(one.name) : open.add(one.name); show(); };
    show();
};
export default function ({data, parentElement}) {
    const root = parentElement.querySelector('.checks');
    const open = root.opened ??= new Set();
    root.replaceChildren();
    const table = add(root, 'table');
    table.setAttribute('aria-label', data.title);
    const head = add(add(table, 'thead'), 'tr');
    const titles = ['check', 'state', 'value', 'limit', 'on its scale', 'margin', 'why'];
    for (const title of titles) add(head, 'th', '', title);
    const body = add(table, 'tbody');
    for (const one of data.lines) {
        if (!one.group) line(body, one, open);
        else add(add(body, 'tr', 'group'), 'th', '', one.group).colSpan = 7;
    }
}
