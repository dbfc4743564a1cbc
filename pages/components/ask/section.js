export default function ({data}) {
    const shown = JSON.stringify(data);
    if (document.shownSection === shown) return;  // once, even if the page is drawn again
    document.shownSection = shown;
    const row = document.querySelector('.st-key-sections');
    if (data.opened && row?.getBoundingClientRect().top > innerHeight / 2) row.scrollIntoView();
}
