"""One slider and a line of text in a fragment: the least that Streamlit can take for a move."""

import streamlit as st


@st.fragment
def line() -> None:
    value = st.slider("One number", 0.0, 1.0, 0.6, 0.01)
    with st.container(key="watched"):
        st.text(f"The number is {value:.2f}.")


line()
