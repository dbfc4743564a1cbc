// Marks the page while a field differs from the question that was judged; the style sheet then greys the verdict.
// One timer lasts as long as the page: Streamlit calls this again for every question, without an end of the call before,
// and a field may receive its text from the server later, without an event.
export default function ({data}) {
    const root = document.documentElement, isFirst = !root.judged;
    root.judged = data;
    const differs = ([name, text]) => {
        const field = document.querySelector(`.st-key-${name} :is(input, textarea)`);
        return field && field.value !== text;
    };
    const look = () => root.toggleAttribute('data-edited', Object.entries(root.judged).some(differs));
    look();
    if (isFirst) {
        document.addEventListener('input', look);
        setInterval(look, 300);
    }
}
