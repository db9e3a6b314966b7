// What is seen of suggestions: a bar at the selection that asks for them, and a card for each.

const OFFERED = ["rewrite", "expand", "shorten", "dialogue", "show", "voice"];
const GAP = 8; // pixels between the selection and its bar
const NARROW = 640; // pixels of a window in which the bar stands at its foot

class SelectionBar {
  constructor(suggestions, host) {
    this.suggestions = suggestions;
    this.host = host;
    this.element = host.querySelector(".selection-bar");
    this.element.addEventListener("mousedown", (event) => event.target.tagName === "INPUT" || event.preventDefault());
    this.field = this.element.querySelector("input");
    this.form = this.element.querySelector("form");
    this.about = this.element.querySelector(".about");
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.ask(this.kind, this.field.value);
    };
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.element.addEventListener("focusin", () => this.keep());
    this.element.addEventListener("focusout", ({ relatedTarget }) => this.element.contains(relatedTarget) || this.follow());
  }

  label(words, about) {
    if (this.words) return void (this.about.textContent = about);
    this.words = words;
    const buttons = OFFERED.map((kind) => clickable(words[kind], () => this.choose(kind)));
    this.element.querySelector(".kinds").replaceChildren(...buttons);
    this.form.querySelector("button").textContent = words.ask;
    this.about.textContent = about;
    this.want("as asked");
    this.follow(); // A passage may have been chosen before the app has said what it offers for it.
  }

  // What the bar is about: it is kept while the writer types in it.
  follow() {
    const { view } = this.suggestions.editor;
    if (!view || !this.words || this.element.contains(document.activeElement)) return;
    const { from, to, empty } = view.state.selection;
    const wasKept = this.spot;
    const isWanted = !empty && view.hasFocus() && !view.composing && /\S/.test(view.state.doc.textBetween(from, to, "\n"));
    this.spot = null;
    if (wasKept) this.suggestions.redraw();
    this.element.hidden = !isWanted;
    if (isWanted) this.stand(view.coordsAtPos(to));
    else this.want("as asked");
  }

  stand({ bottom, left }) {
    const frame = this.host.getBoundingClientRect();
    const room = frame.width - this.element.offsetWidth;
    const isNarrow = window.innerWidth <= NARROW;
    const top = bottom - frame.top + this.host.scrollTop + GAP;
    Object.assign(this.element.style, isNarrow ? { top: "", left: "" } : { top: `${top}px`, left: `${Math.max(0, Math.min(left - frame.left, room))}px` });
  }

  choose(kind) {
    if (kind !== "voice") return this.ask(kind, this.field.value);
    this.want(kind);
    this.field.focus();
  }

  want(kind) {
    this.kind = kind;
    this.field.placeholder = this.words[kind === "voice" ? "whose_voice" : "as asked"];
    this.field.setAttribute("aria-label", this.field.placeholder);
  }

  // The selection stays to be seen while the cursor is in the bar.
  keep() {
    const { from, to } = this.suggestions.editor.view.state.selection;
    this.spot = { from, to };
    this.suggestions.redraw();
  }

  ask(kind, wish) {
    if (kind === this.kind && !wish.trim()) return this.field.focus();
    const { from, to } = this.suggestions.editor.view.state.selection;
    this.suggestions.ask(kind, wish, { from, to });
    this.close();
  }

  close() {
    const { view } = this.suggestions.editor;
    const { to } = view.state.selection;
    this.field.value = "";
    this.spot = null;
    this.element.hidden = true;
    view.focus();
    const { TextSelection } = this.suggestions.editor.pm.state;
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, to)));
  }
}

class SuggestionCard {
  constructor(suggestions, id) {
    this.suggestions = suggestions;
    this.id = id;
    this.element = document.createElement("div");
    this.element.className = "suggestion";
    this.element.contentEditable = "false";
    this.element.setAttribute("role", "group");
    const part = (kind, name) => this.element.appendChild(Object.assign(document.createElement(kind), { className: name }));
    this.head = part("div", "head");
    this.body = part("div", "body");
    this.options = part("ol", "options");
    this.doubt = part("div", "doubt");
    this.does = part("div", "does");
    this.form = part("form", "again");
    this.field = this.form.appendChild(document.createElement("input"));
    this.send = this.form.appendChild(clickable("", () => {}));
    this.send.type = "submit";
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.suggestions.askAgain(this.id, this.field.value);
      this.field.value = "";
    };
  }

  // `passage` is what now stands where the suggestion belongs; null if that place is gone.
  show(one, words, passage) {
    this.text = one.text;
    this.replaces = one.quote.length > 0 && passage !== null;
    Object.assign(this, { one, words });
    const isReady = !one.coming && one.text !== "" && passage !== null;
    this.element.setAttribute("aria-label", one.label);
    this.element.setAttribute("aria-busy", String(one.coming));
    this.head.textContent = one.coming ? `${one.label} · ${one.doing}` : one.label;
    this.body.textContent = one.coming && one.partial ? one.partial : one.text;
    this.body.hidden = !this.body.textContent;
    this.compare(passage);
    this.list(one, words, passage);
    this.does.replaceChildren(...this.buttons(one, words, isReady));
    this.form.hidden = one.coming || passage === null;
    this.field.placeholder = words.again_note;
    this.field.setAttribute("aria-label", words.again_note);
    this.send.textContent = words.again;
  }

  // Says what has become of the passage, and what is to be said of the answer.
  compare(passage) {
    const { quote, doubt } = this.one;
    const moved = passage === null ? this.words.lost : quote && passage !== quote ? this.words.changed : "";
    this.doubt.textContent = [moved, doubt].filter(Boolean).join(" ");
    this.doubt.hidden = !this.doubt.textContent;
  }

  list({ options, coming }, words, passage) {
    const items = options.map((option, at) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("span"), { textContent: option }));
      if (!coming && passage !== null) item.append(clickable(words.write_this, () => this.suggestions.goOnWith(this.id, at)));
      return item;
    });
    this.options.replaceChildren(...items);
    this.options.hidden = items.length === 0;
  }

  buttons({ coming, text }, words, isReady) {
    if (coming) return [clickable(words.stop, () => this.suggestions.stop(this.id))];
    const leave = clickable(words.leave, () => this.suggestions.leave(this.id));
    if (isReady) return [clickable(words.take, () => this.suggestions.take(this.id), "first"), leave];
    return text ? [clickable(words.copy, () => navigator.clipboard?.writeText(text)), leave] : [leave];
  }
}

function clickable(words, onClick, name = "") {
  return Object.assign(document.createElement("button"), { type: "button", textContent: words, className: name, onclick: onClick });
}
