export default function ({data, setTriggerValue}) {
    document.dropAnywhere?.abort();  // one listener, even if the page is drawn again
    const alive = document.dropAnywhere = new AbortController();
    const box = () => document.querySelector('[data-testid=stFileUploaderDropzoneInput]');
    const light = document.documentElement.classList;
    const hasFiles = event => event.dataTransfer?.types.includes('Files') && box();
    const refuse = files => {
        const large = [...files].filter(file => file.size > data.most).map(({name, size}) => ({name, size}));
        if (large.length) setTriggerValue('too_large', large);
    };
    const heard = {
        dragover: event => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            light.add('dropping');
        },
        dragleave: event => { if (!event.relatedTarget) light.remove('dropping'); },
        drop: event => {
            light.remove('dropping');
            if (!hasFiles(event)) return;
            if (event.target.closest('[data-testid=stFileUploaderDropzone]')) return refuse(event.dataTransfer.files);
            event.preventDefault();
            box().files = event.dataTransfer.files;
            box().dispatchEvent(new Event('change', {bubbles: true}));
        },
        change: event => { if (event.target === box()) refuse(event.target.files); },
    };
    for (const [name, listener] of Object.entries(heard))
        document.addEventListener(name, listener, {capture: true, signal: alive.signal});
    return () => {
        light.remove('dropping');
        alive.abort();
        if (document.dropAnywhere === alive) delete document.dropAnywhere;
    };
}
