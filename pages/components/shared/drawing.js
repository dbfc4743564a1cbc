const make = (name, attributes, parent) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return parent.appendChild(node);
};
const word = (text, attributes, parent) => { make('text', attributes, parent).textContent = text; };
const drawn = {
    box: ({x, y, width, height, text, look, hover, round}, svg) => {
        const group = make('g', {class: `box ${look}`}, svg);
        if (hover) make('title', {}, group).textContent = hover;
        make('rect', {x, y, width, height, rx: round}, group);
        word(text, {x: x + width / 2, y: y + height / 2, 'text-anchor': 'middle'}, group);
    },
    line: ({points, look}, svg) => {
        const group = make('g', {class: `line ${look}`}, svg);
        make('polyline', {points: points.map(p => p.join(',')).join(' ')}, group);
        const [[a, b], [x, y]] = points.slice(-2), turn = Math.atan2(y - b, x - a) * 180 / Math.PI;
        make('path', {d: 'M0,0 L-8,-4.5 L-8,4.5 Z', transform: `translate(${x},${y}) rotate(${turn})`}, group);
    },
    text: ({x, y, text, look, anchor}, svg) => word(text, {x, y, class: look, 'text-anchor': anchor}, svg),
};
export default function ({data, parentElement}) {
    const {width, height, title, shapes} = data;
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', title);
    svg.style.maxWidth = `${width}px`;
    for (const shape of shapes) drawn[shape.shape](shape, svg);
    parentElement.querySelector('.drawing').replaceChildren(svg);
}
