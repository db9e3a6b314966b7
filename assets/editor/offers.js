// What the app suggests for a text, and how the editor of that text answers it: beside the text, which is not sent again.
// What the writer does is told until the app has heard it: a connection may be lost at that very moment.

const AGAIN = 3000; // milliseconds after which the app should have heard what it was told
const TRIES = 20;
const posts = new Map(); // by the key of the field

export default function show({ data, setTriggerValue }) {
  window.tellwrightOffers ??= new Map(); // for an editor that is not there yet
  const post = posts.get(data.field) ?? new Post(data.field);
  posts.set(data.field, post);
  post.send = (acts) => setTriggerValue("acts", acts);
  post.hear(data.heard);
  const offers = { data, tell: (act) => post.tell(act) };
  window.tellwrightOffers.set(data.field, offers);
  window.tellwrightEditors?.get(data.field)?.suggestions.learn(offers);
  return () => window.tellwrightOffers.delete(data.field);
}

class Post {
  constructor(field) {
    this.field = field;
    this.acts = []; // what the app has yet to hear, each under a number that only grows
    this.newest = 0;
  }

  tell(act) {
    this.newest = Math.max(Date.now(), this.newest + 1);
    this.acts.push({ ...act, number: this.newest, tries: 0 });
    this.deliver();
  }

  hear(number) {
    this.acts = this.acts.filter((act) => act.number > number);
    this.newest = Math.max(this.newest, number);
  }

  // A page that is left says nothing more: see editor.js. What was asked for there is asked for no more.
  deliver(isAgain = false) {
    clearTimeout(this.timer);
    const editor = window.tellwrightEditors?.get(this.field);
    if (!editor) this.acts = [];
    this.acts = this.acts.filter((act) => act.tries < TRIES);
    if (this.acts.length === 0) return;
    this.timer = setTimeout(() => this.deliver(true), AGAIN);
    if (isAgain ? editor.mayBeLeft : editor.isLeft) return;
    for (const act of this.acts) act.tries += 1;
    this.send(this.acts.map(({ tries, ...act }) => act));
  }
}
