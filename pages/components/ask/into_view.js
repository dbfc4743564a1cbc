export default function ({data}) {
    if (document.broughtIntoView === data.number) return;  // once, even if the page is drawn again
    document.broughtIntoView = data.number;
    const part = document.querySelector(`.st-key-${data.part}`);
    const main = part?.closest('[data-testid=stMain]');
    if (!main) return;
    const {top} = part.getBoundingClientRect();
    if (top < data.margin || top > innerHeight / 2) main.scrollBy(0, top - data.margin);
}
