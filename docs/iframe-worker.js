// Search on pages opened from the disk. Browsers do not start a Worker from a file: URL, so there, and only there, a
// Worker is a hidden frame: the script runs inside it, and messages go through plain calls.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><title>search</title>";
      frame.addEventListener("load", () => this.start(frame, String(url)), { once: true });
      document.body.appendChild(frame);
    }

    start(frame, url) {
      const inside = frame.contentWindow;
      const send = (target, data) => target.dispatchEvent(new MessageEvent("message", { data }));
      inside.postMessage = (data) => send(this, data);
      inside.importScripts = (...names) => Promise.all(names.map((name) => this.load(inside, new URL(name, url))));
      this.load(inside, url).then(() => {
        this.postMessage = (data) => send(inside, data);
        for (const data of this.waiting) this.postMessage(data);
      });
    }

    load(inside, url) {
      return new Promise((done, failed) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        inside.document.body.appendChild(script);
      });
    }

    postMessage(data) {
      this.waiting.push(data);
    }
  };
}
