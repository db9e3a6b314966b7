// Notes in the margin: where they stand, and the field in which one is written. The app keeps them; what it
// says of them goes past the text, as news.js does it.

const NOTE = "tellwright/note/"; // what is being noted, so that it outlasts a reload
const QUOTED = 400; // characters of a quote
const NOTE_FORM = `
  <p class="about"></p>
  <textarea rows="3" maxlength="4000"></textarea>
  <div class="ways"><button type="button" data-does="keep"></button><button type="button" data-does="drop"></button></div>`;

class Margin {
  constructor(editor) {
    this.editor = editor;
    this.notes = [];
    this.form = document.createElement("div");
    this.form.className = "note-form";
    this.form.hidden = true;
    this.form.innerHTML = NOTE_FORM;
    const foot = editor.host.querySelector(".foot");
    foot.prepend(this.form);
    this.area = this.form.querySelector("textarea");
    this.opener = document.createElement("button");
    this.opener.type = "button";
    this.opener.dataset.does = "note";
    this.opener.onclick = () => this.open();
    foot.querySelector('[data-does="alone"]').before(this.opener);
    this.form.querySelector('[data-does="keep"]').onclick = () => this.keep();
    this.form.querySelector('[data-does="drop"]').onclick = () => this.close();
    this.area.oninput = () => sessionStorage.setItem(this.name, this.area.value);
    this.form.onkeydown = (event) => this.press(event);
  }

  get name() {
    return NOTE + this.editor.data.field;
  }

  label(words) {
    this.words = words;
    this.opener.textContent = words.note;
    this.opener.title = words.note_about;
    this.area.setAttribute("aria-label", words.note);
    this.area.placeholder = words.note_placeholder;
    this.form.querySelector('[data-does="keep"]').textContent = words.note_keep;
    this.form.querySelector('[data-does="drop"]').textContent = words.note_drop;
  }

  plugin({ state }) {
    const handleKeyDown = (_, event) => {
      if (!(event.ctrlKey || event.metaKey) || !event.altKey || event.code !== "KeyM") return false;
      this.open();
      return true;
    };
    return new state.Plugin({ props: { handleKeyDown } });
  }

  press(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.keep();
  }

  open() {
    const { view } = this.editor;
    if (!view) return;
    view.domObserver.flush(); // a key may come before the browser has told of what was chosen
    const { $from, from, to } = view.state.selection;
    const chosen = view.state.doc.textBetween(from, Math.min(to, $from.end())).trim().slice(0, QUOTED);
    this.about = { at: $from.index(0), quote: chosen.split("\n")[0] };
    const beginning = $from.parent.textContent.trim().slice(0, 80);
    this.form.querySelector(".about").textContent = this.about.quote || beginning;
    this.area.value = sessionStorage.getItem(this.name) ?? "";
    this.form.hidden = false;
    this.area.focus();
  }

  keep() {
    const text = this.area.value.trim();
    if (!text) return this.close();
    this.editor.save(); // so that the paragraph is known
    const key = [...crypto.getRandomValues(new Uint8Array(11))].map((one) => one.toString(16).padStart(2, "0")).join("");
    this.sent = key;
    this.editor.tell("note", { key, ...this.about, text });
    this.close();
  }

  close() {
    this.form.hidden = true;
    this.editor.view?.focus();
  }

  // `notes` are those of the chapter that are open: key, at, quote.
  learn(notes) {
    if (!notes) return;
    this.notes = notes;
    if (this.sent && notes.some(({ key }) => key === this.sent)) {
      sessionStorage.removeItem(this.name);
      this.sent = undefined;
    }
    this.show();
  }

  // Never while letters are being composed, which would end that.
  show() {
    const { view } = this.editor;
    const told = JSON.stringify(this.notes);
    if (!view || (view === this.shownIn && told === this.shown)) return;
    if (view.composing) return void view.dom.addEventListener("compositionend", () => setTimeout(() => this.show()), { once: true });
    [this.shownIn, this.shown] = [view, told];
    view.dispatch(view.state.tr.setMeta("notes", notesIn(this.editor.pm.view, view.state.doc, this.notes)));
  }
}

// Where notes stand moves with the text until the app says it anew.
function noted({ state, view }) {
  return new state.Plugin({
    state: {
      init: () => view.DecorationSet.empty,
      apply: (change, shown) => change.getMeta("notes") ?? shown.map(change.mapping, change.doc),
    },
    props: {
      decorations(now) {
        return this.getState(now);
      },
    },
  });
}

function notesIn({ Decoration, DecorationSet }, doc, notes) {
  const counts = new Map();
  const found = [];
  const starts = [];
  doc.forEach((_, start) => starts.push(start));
  for (const { at, quote } of notes) {
    if (starts[at] === undefined) continue;
    counts.set(at, 1 + (counts.get(at) ?? 0));
    const place = quote ? doc.child(at).textContent.indexOf(quote) : -1;
    const from = starts[at] + 1 + place;
    if (place >= 0) found.push(Decoration.inline(from, from + quote.length, { class: "noted-words" }));
  }
  for (const [at, count] of counts)
    found.push(Decoration.node(starts[at], starts[at] + doc.child(at).nodeSize, { class: "noted", "data-notes": count }));
  return DecorationSet.create(doc, found);
}
