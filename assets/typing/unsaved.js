// Nothing that is typed gets lost. A pause in typing saves a field; so do leaving the page and hiding the
// window. Until the app answers that it has a text, the browser keeps a copy: it is sent again while the page
// lives, and put back, or offered, when the field is next shown.

const PAUSE = 500; // milliseconds without a key after which a field is saved
const COPY = 150; // milliseconds after a key within which the browser has a copy
const AGAIN = 3000; // milliseconds without an answer after which a text is sent again; later more
const SOON = 1000; // milliseconds after which it is sent again to a page that was not yet drawn
const LATER = 5000; // milliseconds after which it is sent again while the library cannot be written
const SETTLED = 150; // milliseconds in which Streamlit has sent what a field was left with
const PATIENCE = 1500; // milliseconds for which a click waits for the app to have the text
const UNDER_WAY = 60_000; // milliseconds in which a text that was sent beside its field may still arrive
const VERSIONS = 30; // of a text that were saved and have no answer yet, by which the app's is known as the writer's own
const TIMES = 20; // that a text is sent again while nothing else happens
const KEPT = 60 * 24 * 3600 * 1000; // milliseconds for which a copy is kept that nobody asks for
const SHOWN = 10_000; // milliseconds for which the page says that something was put back
const PREFIX = "tellwright/unsaved/";
const FIELDS =
  '[data-testid="stTextArea"] textarea, [data-testid="stTextInput"] input:not([type="password"]), .prose-editor .paper';
const FORM = '[data-testid="stForm"]';
const SENDER = '[data-testid="stFormSubmitButton"]';

export default function show({ data, parentElement, setTriggerValue }) {
  window.tellwrightUnsaved ??= new Unsaved(data.writer);
  const unsaved = window.tellwrightUnsaved;
  unsaved.receive(data, parentElement.querySelector(".unsaved"), setTriggerValue);
  return () => unsaved.leave(parentElement);
}

class Unsaved {
  constructor(writer) {
    this.writer = writer; // on a site for several; a copy is never shown to another
    this.typed = new Map(); // what was typed since the page was loaded, and has no final answer, by field
    this.sentAt = new Map(); // when a text was last sent beside its field, by field
    this.bases = new WeakMap(); // what a field held when the writer entered it
    this.tab = sessionStorage.getItem(PREFIX) ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
    sessionStorage.setItem(PREFIX, this.tab);
    this.copies = copiesFound(writer); // from pages that were left, or crashed
    this.notes = [];
    this.handled = 0;
    document.addEventListener("focusin", ({ target }) => this.enter(target), true);
    document.addEventListener("input", (event) => this.take(event), true);
    document.addEventListener("compositionend", (event) => this.take(event), true);
    document.addEventListener("pointerdown", () => this.saveAll(), true);
    document.addEventListener("click", (event) => this.hold(event), true);
    document.addEventListener("visibilitychange", () => document.hidden && this.saveAll());
    window.addEventListener("pagehide", () => this.leavePage());
    window.addEventListener("popstate", () => this.typed.forEach((entry) => this.copy(entry)), true);
    window.addEventListener("online", () => this.sendAgain());
    new MutationObserver(() => this.lookSoon()).observe(document.body, { childList: true, subtree: true });
  }

  // What the app says

  receive(data, place, tell) {
    document.documentElement.lang = data.language; // for fonts, and for whoever has the page read out
    const isNew = data.session !== this.session || this.isAway;
    if (data.session !== this.session) this.handled = 0;
    Object.assign(this, { session: data.session, words: data.words, ignored: data.ignored, place, tell, isAway: false });
    this.hearNew(data.answers);
    if (isNew) this.sendAgain(); // what was typed on a page that has gone
    this.look();
    this.draw();
  }

  // A part of a page that runs by itself brings its answers by itself.
  hearNew(answers) {
    const fresh = answers.filter(({ number }) => number > this.handled);
    fresh.forEach((answer) => this.hear(answer));
    this.handled = Math.max(this.handled, ...answers.map(({ number }) => number));
  }

  leave(parentElement) {
    if (this.place && parentElement.contains(this.place)) Object.assign(this, { tell: null, isAway: true });
  }

  hear({ field, checksum, outcome }) {
    elementOf(field)?.hear?.({ checksum, outcome });
    if (outcome === "dropped") {
      [...this.typed.keys()].filter((name) => name.startsWith(field)).forEach((name) => this.forget(name));
      this.copies.filter((copy) => copy.field.startsWith(field)).forEach((copy) => this.drop(copy));
      return;
    }
    const entry = this.typed.get(field);
    if (!entry || checksumOf(entry.text) !== checksum) return; // of what was typed before
    clearTimeout(entry.again);
    if (outcome === "unknown") return void (entry.again = setTimeout(() => this.send([entry]), SOON));
    if (outcome === "later") return this.sendLater(entry);
    entry.isHeld = true;
    if (outcome === "saved") this.forget(field);
  }

  sendLater(entry) {
    entry.sent = 0; // for as long as it takes
    entry.again = setTimeout(() => this.send([entry]), LATER);
  }

  // What the writer does

  enter(element) {
    if (fieldOf(element)) this.bases.set(element, element.value);
  }

  take({ target: element, isComposing }) {
    const field = fieldOf(element);
    if (!field || !this.words) return;
    const entry = this.typed.get(field) ?? { field, base: this.bases.get(element) ?? "", own: [] };
    this.typed.set(field, entry);
    const label = element.getAttribute("aria-label") ?? "";
    const isPrivate = this.ignored.some((prefix) => field.startsWith(prefix));
    // A form keeps its fields until it is sent.
    const isHeld = isPrivate || Boolean(element.closest(FORM));
    Object.assign(entry, { element, label, text: element.value, isHeld, isPrivate, sent: 0, saved: undefined });
    stop(entry);
    entry.copying = setTimeout(() => this.copy(entry), COPY);
    // To save amid a composition would end what an input method is putting together.
    if (!isComposing) entry.pause = setTimeout(() => this.save(entry), PAUSE);
  }

  // Streamlit sends the text of a field that is left after what a quick click asks for: the page that the
  // click leads to would be without it, or be left again. So the click waits for the text.
  hold(event) {
    const target = event.target.closest?.("button, a[href]");
    if (!target || this.isLettingGo) return;
    this.saveAll();
    if (!this.isSending()) return this.sendForm(target);
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(this.waiting); // of several clicks the last one counts
    this.waiting = setTimeout(() => this.letGo(target), SETTLED / 5);
  }

  letGo(target) {
    if (this.isSending()) return void (this.waiting = setTimeout(() => this.letGo(target), SETTLED / 5));
    const now = target.isConnected ? target : sameAs(target);
    this.isLettingGo = true;
    if (now) this.sendForm(now);
    now?.click();
    this.isLettingGo = false;
  }

  isSending() {
    const since = (entry) => performance.now() - entry.savedAt;
    return [...this.typed.values()].some((entry) => since(entry) < (entry.isHeld ? SETTLED : PATIENCE));
  }

  // The field itself would save too late.
  leavePage() {
    this.typed.forEach((entry) => this.copy(entry));
    this.sendAgain();
  }

  saveAll() {
    this.typed.forEach((entry) => this.save(entry));
  }

  save(entry) {
    if (entry.saved === entry.text) return;
    stop(entry);
    entry.own = [...entry.own, checksumOf(entry.text)].slice(-VERSIONS);
    this.copy(entry);
    entry.saved = entry.text;
    entry.savedAt = performance.now();
    if (entry.element.isConnected) commit(entry.element);
    this.remind(entry);
    this.overtake(entry);
  }

  // The app takes in what was sent beside a field after what the field itself holds, even if it is older.
  overtake(entry) {
    if (performance.now() - this.sentAt.get(entry.field) < UNDER_WAY) this.tellOf([entry]);
  }

  // What a form was sent with is the app's; it shows again what it refuses.
  sendForm(target) {
    const form = target.closest(SENDER)?.closest(FORM);
    this.typed.forEach(({ element, field }) => form?.contains(element) && this.forget(field));
  }

  remind(entry) {
    clearTimeout(entry.again);
    if (!entry.isHeld && entry.sent < TIMES)
      entry.again = setTimeout(() => this.send([entry]), AGAIN * Math.min(4, 1 + entry.sent));
  }

  sendAgain() {
    this.send([...this.typed.values()].filter(({ isHeld }) => !isHeld));
  }

  // The way for what a field could not deliver: its page has gone, or the connection had.
  send(entries) {
    if (!this.tell || entries.length === 0) return entries.forEach((entry) => this.remind(entry));
    this.tellOf(entries);
    for (const entry of entries) {
      this.sentAt.set(entry.field, performance.now());
      entry.sent += 1;
      this.remind(entry);
    }
  }

  tellOf(entries) {
    this.tell?.("typed", entries.map(({ field, text }) => ({ field, text })));
  }

  forget(field) {
    const entry = this.typed.get(field) ?? {};
    stop(entry);
    entry.element?.dispatchEvent(new Event("kept"));
    this.typed.delete(field);
    localStorage.removeItem(nameOf({ field, tab: this.tab }));
  }

  // Copies in the browser

  copy({ field, base, own, text, label, isPrivate }) {
    if (isPrivate) return;
    try {
      const copy = { base, own, text, label, at: Date.now(), writer: this.writer };
      localStorage.setItem(nameOf({ field, tab: this.tab }), JSON.stringify(copy));
    } catch {
      // There is no room, or it is not allowed: the page itself still has the text, and sends it.
    }
  }

  drop(copy) {
    if (!this.typed.has(copy.field) || copy.tab !== this.tab) localStorage.removeItem(nameOf(copy));
    this.copies = this.copies.filter((one) => one !== copy);
    this.draw();
  }

  checksumOf(text) {
    return checksumOf(text);
  }

  // Fields that come into sight

  lookSoon() {
    if (this.isLooking || (this.typed.size === 0 && this.copies.length === 0)) return;
    this.isLooking = true;
    requestAnimationFrame(() => {
      this.isLooking = false;
      this.look();
    });
  }

  look() {
    if (!this.words) return;
    this.typed.forEach((entry) => this.lookAfter(entry));
    this.copies.forEach((copy) => this.lookFor(copy));
  }

  // A field that was drawn anew, or that the app has changed, while it had no final answer.
  lookAfter(entry) {
    const element = elementOf(entry.field);
    if (!element || element.value === entry.text || (element === entry.element && !entry.isHeld)) return;
    if (entry.isHeld) return document.activeElement === element || this.forget(entry.field);
    entry.element = element;
    if (isEarlier(element.value, entry)) return this.putBack(element, entry.text);
    this.copies.push({ ...entry, tab: this.tab, isOffered: true });
    stop(entry);
    this.typed.delete(entry.field);
    this.draw();
  }

  lookFor(copy) {
    const element = elementOf(copy.field);
    if (!element) return;
    if (element.value === copy.text) return this.drop(copy);
    if (copy.tab === this.tab && isEarlier(element.value, copy) && !this.typed.has(copy.field)) {
      this.drop(copy);
      this.putBack(element, copy.text);
      this.note(this.words.put_back.replace("{field}", () => copy.label));
    } else if (!copy.isOffered) {
      copy.isOffered = true;
      setTimeout(() => this.lookSoon(), SOON); // a field that was just drawn may have been empty still
      this.draw();
    }
  }

  putBack(element, text) {
    this.enter(element);
    if (element.put) return element.put(text);
    const prototype = element.tagName === "TEXTAREA" ? HTMLTextAreaElement : HTMLInputElement;
    // React hears of a value only if it is set like this.
    Object.getOwnPropertyDescriptor(prototype.prototype, "value").set.call(element, text);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // What the page says of it

  note(sentence) {
    this.notes.push(sentence);
    setTimeout(() => {
      this.notes.shift();
      this.draw();
    }, SHOWN);
    this.draw();
  }

  draw() {
    if (!this.place?.isConnected) return;
    const offers = this.copies.filter(({ isOffered, field }) => isOffered && elementOf(field));
    this.place.replaceChildren(...this.notes.map((sentence) => made("p", sentence)), ...offers.map((one) => this.offer(one)));
    this.place.hidden = this.notes.length + offers.length === 0;
  }

  offer(copy) {
    const { offer, take, leave } = this.words;
    const card = made("section", "");
    card.append(made("p", offer.replace("{field}", () => copy.label)), made("blockquote", copy.text));
    card.append(
      button(take, () => {
        const element = elementOf(copy.field);
        this.drop(copy);
        if (element) this.putBack(element, copy.text);
      }),
      button(leave, () => this.drop(copy)),
    );
    return card;
  }
}

// Fields are known by the key of their widget; a widget that is drawn anew has an edition at its end.
function fieldOf(element) {
  if (!(element instanceof Element) || !element.matches(FIELDS)) return null;
  const holder = element.closest('[class*="st-key-"]');
  const name = [...(holder?.classList ?? [])].find((one) => one.startsWith("st-key-"));
  return name?.replace(/-edition\d+$/, "") ?? null;
}

function elementOf(field) {
  return [...document.querySelectorAll(FIELDS)].find((element) => fieldOf(element) === field);
}

// A button or link that was drawn anew.
function sameAs(target) {
  const others = [...document.querySelectorAll(target.tagName)];
  return others.find((one) => one.href === target.href && one.textContent === target.textContent);
}

// Streamlit saves a field that is left. This one is not left: the cursor stays where it is.
function commit(element) {
  element.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  if (document.activeElement === element) element.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
}

// What the writer started from, or a version that was saved on the way to what was typed last.
function isEarlier(text, { base, own }) {
  return text === base || (own ?? []).includes(checksumOf(text));
}

function stop({ copying, pause, again }) {
  [copying, pause, again].forEach((timer) => clearTimeout(timer));
}

function nameOf({ field, tab }) {
  return `${PREFIX}${tab}/${field}`;
}

function copiesFound(writer) {
  const found = [];
  for (const name of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
    const [tab, field] = name.slice(PREFIX.length).split("/");
    try {
      const copy = JSON.parse(localStorage.getItem(name));
      if (Date.now() - copy.at > KEPT) localStorage.removeItem(name);
      else if ((copy.writer ?? "") === writer) found.push({ ...copy, tab, field });
    } catch {
      localStorage.removeItem(name);
    }
  }
  return found;
}

// CRC-32 of the UTF-8 bytes, as Python's zlib has it.
function checksumOf(text) {
  let sum = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function made(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function button(label, onClick) {
  const element = made("button", label);
  element.type = "button";
  element.onclick = onClick;
  return element;
}
