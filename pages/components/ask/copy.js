export default function ({data, parentElement}) {
    const button = parentElement.querySelector('button');
    button.onclick = async () => {
        await navigator.clipboard.writeText(data.text);
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    };
}
