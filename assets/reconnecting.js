// An app that was started again knows no part of a page that is still open: until the whole page has run,
// whatever is clicked in a part does nothing. Streamlit has it run only if something was running as the
// connection broke. So a part is called once the connection is back, and if it does not answer, the page runs.

const PATIENCE = 3000; // milliseconds
const BACK = "CONNECTED";

export default function show({ data, setTriggerValue }) {
  window.tellwrightReconnecting ??= new Reconnecting();
  const reconnecting = window.tellwrightReconnecting;
  const call = (number) => setTriggerValue("call", number);
  reconnecting.calls.set(data.who, call);
  reconnecting.heard = data.heard ?? reconnecting.heard;
  return () => reconnecting.calls.get(data.who) === call && reconnecting.calls.delete(data.who);
}

class Reconnecting {
  constructor() {
    this.calls = new Map(); // by who is called: a part of the page, or all of it
    this.heard = 0;
    const app = document.querySelector(".stApp");
    let before = app.dataset.testConnectionState;
    new MutationObserver(() => {
      const now = app.dataset.testConnectionState;
      if (now === BACK && before !== BACK) this.call();
      before = now;
    }).observe(app, { attributeFilter: ["data-test-connection-state"] });
  }

  call() {
    const number = Date.now();
    this.calls.get("part")?.(number);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.heard === number || this.calls.get("page")?.(number), PATIENCE);
  }
}
