"""How every page is set, what stands above its first line, and the mode in which the app runs."""

import streamlit as st

from core.access import MODES, AccessError, mode
from core.pdf.sandbox import readers
from core.quotas import QUOTAS
from pages.components.shared.safe_display import plain, show

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


def mode_line() -> None:
    """What whoever opens a page may do here; the page ends here with one sentence where a variable is wrong."""
    try:
        now = mode()
        _ = readers(), [quota.most for quota in QUOTAS.values()]
    except AccessError as error:
        show(error)
        st.stop()
    st.caption(f":material/{'lock_open' if now == 'open' else 'lock'}: {plain(MODES[now])}")
