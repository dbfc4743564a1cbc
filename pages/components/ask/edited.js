// Marks the page while a field differs from the question that was judged; the style sheet then greys the verdict.
export default function ({data}) {
    const root = document.documentElement;
    const differs = ([name, text]) => {
        const field = document.querySelector(`.st-key-${name} :is(input, textarea)`);
        return field && field.value !== text;
    };
    const look = () => root.toggleAttribute('data-edited', Object.entries(data).some(differs));
    document.addEventListener('input', look);
    look();
    const again = setInterval(look, 300);  // a field may receive its text from the server after this, without an event
    return () => {
        document.removeEventListener('input', look);
        clearInterval(again);
        root.removeAttribute('data-edited');
    };
}
