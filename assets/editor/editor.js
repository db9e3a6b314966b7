// The editor of a chapter: ProseMirror with plain paragraphs, so that its text is exactly what is kept.
// A paragraph ends at an empty line; within it, a line break is a character like any other.
// unsaved.js says when to save and keeps a copy; the other files of this folder but news.js and offers.js are
// appended to this one: see prose_editor.py.

const editors = new WeakMap(); // by the element that holds them
const open = new Map(); // by the key of the field
const sheets = new Map(); // what became of a text that the app has sent, by its edition
const BETWEEN = "\n\n"; // stands between two paragraphs
const MOST = 1_000_000; // characters of a chapter
const REMEMBERED = 20; // versions that were sent and have no answer yet; texts that were left
const LOOKS = 350; // milliseconds after which the page hears in which paragraph the cursor stands
const MIDDLE = 0.42; // of the window's height: there the line stands that is being written
const ROOM = { top: 60, right: 0, bottom: 110, left: 0 }; // pixels around the cursor: the foot hides some
const LEAVING = 10_000; // milliseconds in which a page that is left should have gone
const SETTLING = 500; // milliseconds from a click until the page runs, if it is about to go
let library;

// What a part of a page says after its page was left runs that part on the next page, and the window goes
// blank. So an editor is silent once the writer leaves, for as long as it is there; unsaved.js brings what was
// typed, by another way. That the app shows it once more is no sign that the writer stays: that was on its way.
window.tellwrightLeaving ??= watchLeaving();

function watchLeaving() {
  const seen = { left: -Infinity, clicked: -Infinity };
  document.addEventListener("click", (event) => {
    const way = event.target.closest?.("a[href], button");
    if (!way || way.closest(".prose-editor")) return;
    seen.clicked = performance.now();
    const isElsewhere = way.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isElsewhere || !way.href || way.hasAttribute("download")) return;
    if (new URL(way.href).pathname !== location.pathname) seen.left = seen.clicked;
  });
  window.addEventListener("popstate", () => (seen.left = performance.now()), true);
  return seen;
}

function isRunning() {
  return document.querySelector(".stApp")?.dataset.testScriptState === "running";
}

export default function show({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".prose-editor");
  const editor = editors.get(host) ?? new Editor(host);
  editors.set(host, editor);
  open.set(data.field, editor);
  window.tellwrightEditors = open;
  editor.tell = setStateValue;
  editor.show(data);
  return () => {
    editors.delete(host);
    if (open.get(data.field) === editor) open.delete(data.field);
    editor.close();
  };
}

class Editor {
  constructor(host) {
    this.host = host;
    this.began = performance.now();
    this.page = host.querySelector(".page");
    this.sent = new Map(); // paragraphs of versions that were sent, by their checksum
    this.counter = new WordCounter(host.querySelector(".foot"));
    this.suggestions = new Suggestions(this);
    this.finder = new Finder(this);
    this.margin = new Margin(this);
    this.host.querySelector('[data-does="alone"]').onclick = () => this.writeAlone(!isAlone());
    this.leave = (event) => event.key === "Escape" && isAlone() && this.writeAlone(false);
    document.addEventListener("keydown", this.leave);
    // Streamlit sends what is said at the same moment as one change, of this part of the page only; a tap takes
    // the focus away at the moment of its click. So a text is saved when the finger comes down.
    this.press = ({ target }) => {
      if (this.view && !this.isKept && !this.host.contains(target)) this.save();
    };
    document.addEventListener("pointerdown", this.press, true);
  }

  async show(data) {
    this.data = data;
    if (!this.view) this.page.replaceChildren(preview(data.text)); // to read, until the editor is there
    this.counter.label(data.words);
    this.finder.label(data.words);
    this.margin.label(data.words);
    this.host.querySelector('[data-does="alone"]').textContent = isAlone() ? data.words.together : data.words.alone;
    try {
      this.pm = await loaded(data.library);
    } catch {
      return this.say(data.words.not_loaded);
    }
    if (this.isClosed) return;
    if (!this.view) this.begin();
    else if (data.edition !== this.edition) this.take();
  }

  // The window keeps what became of a text, so that undoing goes on where a page was left.
  begin() {
    const { view } = this.pm;
    this.edition = this.data.edition;
    const sheet = sheets.get(this.edition);
    this.known = sheet?.known ?? this.data.text.split(BETWEEN);
    this.page.replaceChildren();
    this.view = new view.EditorView(this.page, {
      state: sheet?.state.reconfigure({ plugins: this.plugins() }) ?? this.stateOf(this.data.text),
      plugins: [this.finder.plugin(this.pm), this.margin.plugin(this.pm)],
      dispatchTransaction: (change) => this.change(change),
      scrollThreshold: ROOM,
      scrollMargin: ROOM,
      clipboardTextSerializer: (slice) => slice.content.textBetween(0, slice.content.size, BETWEEN),
      handlePaste: (_, event) => this.paste(event.clipboardData),
      handleDrop: (_, event, __, isMoved) => !isMoved && this.paste(event.dataTransfer),
      attributes: {
        class: "paper",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": this.data.label,
        "data-placeholder": this.data.placeholder,
        spellcheck: "true",
      },
    });
    const field = this.view.dom;
    // What unsaved.js asks of every field.
    Object.defineProperty(field, "value", { get: () => textOf(this.view.state.doc) });
    field.put = (text) => this.put(text);
    field.hear = (answer) => this.hear(answer);
    field.addEventListener("focusout", () => this.save());
    field.addEventListener("focus", () => this.suggestions.bar.follow());
    field.addEventListener("kept", () => this.counter.settle(true));
    this.counter.learn(window.tellwrightNews?.get(this.data.field));
    this.counter.count(this.view.state.doc);
    this.suggestions.learn();
    this.margin.learn(window.tellwrightNotes?.get(this.data.field));
  }

  // Another text than this window's: by an agent, another window, or an older version. It stands in a field
  // of its own, so that what was just typed in the old one is offered, as of any field that was drawn anew.
  take() {
    const isAtIt = this.view.hasFocus();
    const { doc, selection } = this.view.state;
    this.sent.clear();
    this.sum = undefined;
    this.view.destroy();
    this.begin();
    if (!isAtIt) return;
    this.turnTo(carried(selection.head - 1, textOf(doc), textOf(this.view.state.doc)));
    this.view.focus();
  }

  // Puts the cursor behind so many characters: BETWEEN is as long as the end and the start of a paragraph.
  turnTo(place) {
    const { state } = this.view;
    const there = this.pm.state.TextSelection.near(state.doc.resolve(place + 1));
    this.view.dispatch(state.tr.setSelection(there));
  }

  stateOf(text) {
    const doc = documentOf(schemaOf(this.pm), text);
    return this.pm.state.EditorState.create({ doc, plugins: this.plugins() });
  }

  plugins() {
    const { history, keymap, commands } = this.pm;
    const ownLine = (now, dispatch) => {
      dispatch?.(now.tr.insertText("\n").scrollIntoView());
      return true;
    };
    return [
      history.history(),
      keymap.keymap({
        "Mod-z": history.undo,
        "Mod-y": history.redo,
        "Shift-Mod-z": history.redo,
        "Shift-Enter": ownLine,
      }),
      keymap.keymap(commands.baseKeymap),
      paper(this.pm),
      noted(this.pm),
      this.suggestions.plugin(this.pm),
    ];
  }

  change(change) {
    const before = this.view.state;
    this.view.updateState(before.apply(change));
    if (change.docChanged) {
      this.counter.count(this.view.state.doc);
      this.counter.settle(false);
      this.suggestions.compare();
      this.announce();
    }
    if (change.docChanged || change.selectionSet) this.suggestions.bar.follow();
    if (isAlone() && (change.docChanged || change.selectionSet)) this.centre();
    if (change.docChanged || change.selectionSet) this.lookSoon();
  }

  lookSoon() {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => (this.mayBeLeft ? this.lookSoon() : this.look()), LOOKS);
  }

  look() {
    if (this.isClosed) return;
    const paragraph = this.view.state.selection.$head.index(0);
    if (paragraph === this.at) return;
    this.at = paragraph;
    this.tell("at", paragraph);
  }

  // ProseMirror changes a text in ways of its own, of which a field would tell.
  announce() {
    const { dom, composing } = this.view;
    dom.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: composing }));
  }

  put(text) {
    const { state } = this.view;
    const { content } = documentOf(state.schema, text);
    const start = state.doc.content.findDiffStart(content);
    if (start === null) return;
    const ends = state.doc.content.findDiffEnd(content);
    const overlap = start - Math.min(ends.a, ends.b, start);
    const [end, last] = [ends.a + overlap, ends.b + overlap];
    this.view.dispatch(state.tr.replace(start, end, state.schema.node("doc", null, content).slice(start, last)));
  }

  paste(clipboard) {
    const text = pastedText(clipboard);
    if (!text) return true; // a picture, or nothing at all
    const { state } = this.view;
    if (textOf(state.doc).length + text.length > MOST) {
      this.say(this.data.words.too_long);
      return true;
    }
    const { Slice } = this.pm.model;
    const pasted = documentOf(state.schema, text).content;
    this.view.dispatch(state.tr.replaceSelection(new Slice(pasted, 1, 1)).scrollIntoView());
    return true;
  }

  // Saving: what has changed of the text that the app surely has

  save() {
    if (this.isLeft) return;
    const now = paragraphsOf(this.view.state.doc);
    const text = now.join(BETWEEN);
    const sum = checksumOf(text);
    const isSame = this.sum === sum || (this.sum === undefined && this.isKept);
    this.sum = sum;
    if (isSame) return;
    this.sent.set(sum, now);
    if (this.sent.size > REMEMBERED) this.sent.delete(this.sent.keys().next().value);
    this.tell("edit", { ...difference(this.known, now), base: checksumOf(this.known.join(BETWEEN)), sum });
  }

  // Whether the writer is on the way to another page.
  get isLeft() {
    const { left } = window.tellwrightLeaving;
    return left > this.began && performance.now() - left < LEAVING;
  }

  // Whether what was clicked last may be about to take the writer to another page.
  get mayBeLeft() {
    const since = performance.now() - window.tellwrightLeaving.clicked;
    return this.isLeft || since < SETTLING || (since < LEAVING && isRunning());
  }

  // Whether the app has the text as it is.
  get isKept() {
    const now = paragraphsOf(this.view.state.doc);
    return now.length === this.known.length && now.every((paragraph, at) => paragraph === this.known[at]);
  }

  hear({ checksum, outcome }) {
    if (outcome !== "saved" || !this.sent.has(checksum)) return;
    this.known = this.sent.get(checksum);
    for (const sum of this.sent.keys()) {
      this.sent.delete(sum);
      if (sum === checksum) break;
    }
  }

  // Only the text, and the line that is being written in the middle of the window

  writeAlone(isOn) {
    document.body.classList.toggle("writes-alone", isOn);
    this.host.querySelector('[data-does="alone"]').textContent = isOn ? this.data.words.together : this.data.words.alone;
    this.view?.focus();
    if (isOn) this.centre();
  }

  centre() {
    requestAnimationFrame(() => {
      if (this.isClosed) return;
      const line = this.view.coordsAtPos(this.view.state.selection.head);
      this.host.scrollBy({ top: line.top - MIDDLE * window.innerHeight });
    });
  }

  say(words) {
    const note = this.host.querySelector(".note");
    note.textContent = words;
    note.hidden = !words;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (note.hidden = true), 12_000);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.looking);
    document.removeEventListener("keydown", this.leave);
    document.removeEventListener("pointerdown", this.press, true);
    if (!this.view) return;
    sheets.set(this.edition, { state: this.view.state, known: this.known });
    if (sheets.size > REMEMBERED) sheets.delete(sheets.keys().next().value);
    this.view.destroy();
    if (isAlone() && open.size === 0) document.body.classList.remove("writes-alone");
  }
}

function isAlone() {
  return document.body.classList.contains("writes-alone");
}

function loaded(address) {
  library ??= import(new URL(address, document.baseURI)).then(({ pm }) => pm);
  library.catch(() => (library = undefined)); // it is tried again
  return library;
}

// Where a place in a text is in another version of it: among the same words, or where those that changed begin.
function carried(place, before, now) {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start += 1;
  if (place <= start) return place;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end += 1;
  return place < before.length - end ? start : place + now.length - before.length;
}

// The least that turns the paragraphs of one version into those of another.
function difference(before, now) {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start += 1;
  let [last, end] = [before.length, now.length];
  while (last > start && end > start && before[last - 1] === now[end - 1]) [last, end] = [last - 1, end - 1];
  return { start, count: last - start, added: now.slice(start, end) };
}

// CRC-32 of the UTF-8 bytes, as Python's zlib has it.
function checksumOf(text) {
  return window.tellwrightUnsaved.checksumOf(text);
}
