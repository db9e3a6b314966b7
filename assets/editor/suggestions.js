// What agents suggest, in the text itself: the passage struck out, and beneath it the words for it.
// Nothing changes the text until the writer takes it, and then it is an edit like any other: undo takes it back.

const LEADS = [200, 60, 0]; // characters before a passage by which it is found, the most exact first
const APART = 60; // milliseconds
const WAIT = 8000; // milliseconds in which the app should have the text that it is asked about
const OPENS = /^[\p{L}\p{N}"'“‘«„(¿¡*—–]/u; // what needs a space before it
let suggesting; // the key under which the editor keeps the places of suggestions

class Suggestions {
  constructor(editor) {
    this.editor = editor;
    this.cards = new Map(); // by the id of a suggestion
    this.settled = new Set(); // taken or left here, of which the app has yet to hear
    this.bar = new SelectionBar(this, editor.host);
    this.buttons = [...editor.host.querySelectorAll("[data-asks]")];
    for (const button of this.buttons) button.onclick = () => this.ask(button.dataset.asks, "", this.cursor);
  }

  // What the app knows of suggestions, and how it is told what to do.
  learn(offers = window.tellwrightOffers?.get(this.editor.data.field)) {
    this.offers = offers;
    if (!offers || !this.editor.view) return;
    const { words, about, shown, problem } = offers.data;
    for (const button of this.buttons) {
      button.textContent = words[button.dataset.asks];
      button.title = about;
      button.hidden = false;
    }
    this.bar.label(words, about);
    if (problem && problem.number !== this.problem) this.editor.say(problem.words);
    this.problem = problem?.number;
    this.show(shown.filter(({ id }) => !this.settled.has(id)));
  }

  plugin({ state }) {
    suggesting ??= new state.PluginKey("suggestions");
    return new state.Plugin({
      key: suggesting,
      state: {
        init: () => new Map(),
        apply: (change, places) => change.getMeta(suggesting) ?? moved(places, change.mapping),
      },
      props: { decorations: (now) => this.decorations(now) },
    });
  }

  get places() {
    return suggesting.getState(this.editor.view.state);
  }

  get cursor() {
    const { to } = this.editor.view.state.selection;
    return { from: to, to };
  }

  show(shown) {
    const text = textOf(this.editor.view.state.doc);
    const places = new Map();
    for (const one of shown) {
      const place = this.places.get(one.id) ?? placeIn(text, one);
      if (place) places.set(one.id, place);
      if (!this.cards.has(one.id)) this.cards.set(one.id, new SuggestionCard(this, one.id));
      this.cards.get(one.id).show(one, this.offers.data.words, wordsAt(text, place));
    }
    for (const id of this.cards.keys()) if (!shown.some((one) => one.id === id)) this.cards.delete(id);
    const lost = shown.filter(({ id }) => !places.has(id)).map(({ id }) => this.cards.get(id).element);
    this.editor.host.querySelector(".lost").replaceChildren(...lost);
    this.put(places);
  }

  // The writer has changed the text.
  compare() {
    if (this.cards.size === 0) return;
    const text = textOf(this.editor.view.state.doc);
    for (const [id, card] of this.cards) card.compare(wordsAt(text, this.places.get(id)));
  }

  put(places) {
    const { view } = this.editor;
    view.dispatch(view.state.tr.setMeta(suggesting, places).setMeta("addToHistory", false));
  }

  redraw() {
    this.put(this.places);
  }

  decorations(now) {
    const { Decoration, DecorationSet } = this.editor.pm.view;
    const { spot } = this.bar;
    const found = spot ? [Decoration.inline(spot.from, spot.to, { class: "selected" })] : [];
    for (const [id, { from, to }] of suggesting.getState(now)) {
      const card = this.cards.get(id);
      if (!card) continue;
      if (card.replaces) found.push(Decoration.inline(from, to, { class: "struck" }));
      found.push(Decoration.widget(to, card.element, { side: 1, key: id, stopEvent: () => true, ignoreSelection: true }));
    }
    return DecorationSet.create(now.doc, found);
  }

  // What the writer does

  ask(kind, wish, place) {
    this.tellOfText(() => ({ what: "ask", kind, wish, spot: this.spotOf(place) }));
  }

  askAgain(id, wish) {
    this.tellOfText(() => this.places.has(id) && { what: "again", id, wish, spot: this.spotOf(this.places.get(id)) });
  }

  goOnWith(id, option) {
    this.tellOfText(() => this.places.has(id) && { what: "option", id, option, spot: this.spotOf(this.places.get(id)) });
  }

  take(id) {
    const { view, pm } = this.editor;
    const { from, to } = this.places.get(id);
    const { text } = this.cards.get(id);
    const words = from === to ? spaced(text, view.state.doc, from) : text;
    const slice = new pm.model.Slice(documentOf(view.state.schema, words).content, 1, 1);
    const change = pm.history.closeHistory(view.state.tr.replace(from, to, slice));
    change.setMeta(suggesting, moved(without(this.places, id), change.mapping));
    this.settled.add(id);
    view.dispatch(change.scrollIntoView());
    view.focus();
    this.tell({ what: "take", id });
  }

  leave(id) {
    this.settled.add(id);
    this.cards.get(id).element.remove();
    this.put(without(this.places, id));
    this.editor.view.focus();
    this.tell({ what: "leave", id });
  }

  stop(id) {
    this.tell({ what: "stop", id });
  }

  tell(act) {
    // After what the editor itself has to say: one message can speak for one part of the page only.
    setTimeout(() => this.editor.isLeft || this.offers?.tell(act), APART);
  }

  // The app is asked about the text that it has.
  tellOfText(act, since = performance.now()) {
    if (this.editor.isClosed || !this.offers) return;
    if (this.editor.isKept) return void (act() && this.tell(act()));
    this.editor.save();
    if (performance.now() - since > WAIT) return this.editor.say(this.offers.data.words.not_saved);
    setTimeout(() => this.tellOfText(act, since), 100);
  }

  spotOf({ from, to }) {
    const text = textOf(this.editor.view.state.doc);
    return { start: pointsIn(text.slice(0, from - 1)), end: pointsIn(text.slice(0, to - 1)), sum: checksumOf(text) };
  }
}

// Where a text has a passage: the place nearest to where it was. What is between two paragraphs takes two
// characters in a text and two places in a document, which begins with one: so they differ by one.
function placeIn(text, { quote, before, at }) {
  const near = [...text].slice(0, at).join("").length;
  if (!quote && !before) return { from: 1, to: 1 };
  for (const lead of LEADS.map((count) => before.slice(-count || before.length))) {
    const found = nearest(text, lead + quote, near - lead.length);
    if (found !== null) return { from: found + lead.length + 1, to: found + lead.length + quote.length + 1 };
  }
  const found = quote ? nearest(text, quote, near) : null;
  return found === null ? null : { from: found + 1, to: found + quote.length + 1 };
}

function wordsAt(text, place) {
  return place ? text.slice(place.from - 1, place.to - 1) : null;
}

function nearest(text, words, near) {
  const [back, on] = [text.lastIndexOf(words, Math.max(0, near)), text.indexOf(words, Math.max(0, near))];
  if (back < 0 || on < 0) return Math.max(back, on) < 0 ? null : Math.max(back, on);
  return near - back < on - near ? back : on;
}

// A passage that was deleted is looked for anew.
function moved(places, mapping) {
  if (mapping.maps.length === 0) return places;
  const now = new Map();
  for (const [id, { from, to }] of places) {
    const start = mapping.map(from, from === to ? -1 : 1);
    const end = from === to ? start : mapping.map(to, -1);
    if (from === to || end > start) now.set(id, { from: start, to: end });
  }
  return now;
}

function without(places, id) {
  return new Map([...places].filter(([other]) => other !== id));
}

// A text with the spaces that it needs at a place between others.
function spaced(text, doc, at) {
  const [before, after] = [doc.textBetween(Math.max(0, at - 1), at, "\n"), doc.textBetween(at, Math.min(doc.content.size, at + 1), "\n")];
  const isSpaced = !WITHOUT_SPACES.test(before + text[0]);
  const start = isSpaced && /\S/.test(before) && OPENS.test(text) ? " " : "";
  const end = isSpaced && /\S/.test(after) && OPENS.test(after) ? " " : "";
  return start + text + end;
}

function pointsIn(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
