export default function ({data}) {
    if ((document.openedSection ?? null) === data.opened) return;  // once, even if the page is drawn again
    document.openedSection = data.opened;
    const row = document.querySelector('.st-key-sections');
    if (data.opened && row?.getBoundingClientRect().top > innerHeight / 2) row.scrollIntoView();
}
