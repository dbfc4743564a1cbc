"""How every page is set, what stands above its first line, and who may do what on it."""

import streamlit as st

from core.access import LISTS, ROLES, AccessError, role
from core.pdf.sandbox import readers
from core.quotas import QUOTAS
from pages.components.shared.safe_display import plain, show
from pages.components.shared.sign_in import sign_out, signing_in

_STYLE = """<style>
[data-testid=stMainBlockContainer] { padding: 4.25rem 2.5rem 3rem; max-width: 1240px; }
[data-testid=stMainBlockContainer] h1 { font-size: 1.75rem; padding: 0; }
[data-testid=stSidebarHeader] { height: 2.25rem; margin-bottom: 0; padding-top: 0; padding-bottom: 0; }
[data-testid=stSidebarUserContent] { padding-top: 0; }
.st-key-verdict h2 { font-size: 1.4rem; padding: 0; }
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] * { opacity: 1; }
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] p { color: light-dark(#4a5363, #b3bcc9); }
[data-testid=stBaseButton-primary], [data-testid=stBaseButton-primaryFormSubmit],
[data-testid^=stBaseButton-primary] p { color: light-dark(#ffffff, #14181f); }
input::placeholder, textarea::placeholder { color: light-dark(#5a6370, #a3adba); opacity: 1; }
[class*=st-key-turn-] button { min-height: 1.6rem; padding-block: 0; }
.st-key-other-turns-shown [data-testid=stCaptionContainer] p { white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding: 4rem 1rem 2rem; } }
</style>"""


def set_page() -> None:
    """Sets it; once a run, by the app."""
    st.html(_STYLE)


def let_in() -> None:
    """The page ends here with one sentence where a variable is wrong, and for a stranger with the way to sign in."""
    try:
        asks = ROLES[role()]
        _ = readers(), [quota.most for quota in QUOTAS.values()]
    except AccessError as error:
        show(error)
        st.stop()
    if not asks.enters:
        mode_line()
        signing_in()
        st.stop()


def mode_line() -> None:
    """What whoever has opened a page may do here, and in a school how to leave."""
    now = role()
    said = f":material/{'lock_open' if now == 'open' else 'lock'}: {plain(ROLES[now].means)}"
    if now not in LISTS:
        st.caption(said)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said)
        sign_out()
