export default function () {
    document.drawerCloses?.abort();  // one listener, even if the page is drawn again
    const alive = document.drawerCloses = new AbortController();
    document.addEventListener('click', event => {
        const isPhone = matchMedia('(max-width: 768px)').matches;
        if (!isPhone || !event.target.closest('[data-testid=stSidebarNavLink]')) return;
        setTimeout(() => document.querySelector('[data-testid=stSidebarCollapseButton] button')?.click());
    }, {signal: alive.signal});
    return () => alive.abort();
}
