// Find and replace within the chapter. What is found is marked beside the text, never in it, and letters are
// compared one by one, so that a place in what is compared is the same place in the text: as
// `store/texts/finding.py` has it, for the whole book.

const MARKED = 400; // matches that are marked at once, those around the one that the writer is at
const WORDLIKE = /[\p{L}\p{N}\p{M}_]/u;
const WITHOUT_SPACES = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\u{20000}-\u{3ffff}]/u; // as `is_unspaced` has it
const BAR = `
  <input type="text" data-does="find" autocomplete="off" spellcheck="false">
  <output></output>
  <span class="ways">
    <button type="button" data-does="previous">‹</button>
    <button type="button" data-does="next">›</button>
    <label><input type="checkbox" data-does="case"><span></span></label>
    <label><input type="checkbox" data-does="whole"><span></span></label>
  </span>
  <input type="text" data-does="with" autocomplete="off">
  <span class="ways">
    <button type="button" data-does="replace"></button>
    <button type="button" data-does="all"></button>
    <button type="button" data-does="close">×</button>
  </span>`;

class Finder {
  constructor(editor) {
    this.editor = editor;
    this.found = [];
    this.at = -1;
    this.bar = document.createElement("search");
    this.bar.className = "find";
    this.bar.hidden = true;
    this.bar.innerHTML = BAR;
    editor.host.insertBefore(this.bar, editor.page);
    this.opener = document.createElement("button");
    this.opener.type = "button";
    this.opener.dataset.does = "open-find";
    this.opener.onclick = () => this.open();
    editor.host.querySelector('[data-does="alone"]').before(this.opener);
    const does = { previous: () => this.go(-1), next: () => this.go(1), replace: () => this.replace() };
    Object.assign(does, { all: () => this.replaceAll(), close: () => this.close() });
    for (const [name, act] of Object.entries(does)) this.part(name).onclick = act;
    for (const name of ["find", "case", "whole"]) this.part(name).oninput = () => this.look();
    this.bar.onkeydown = (event) => this.press(event);
  }

  part(name) {
    return this.bar.querySelector(`[data-does="${name}"]`);
  }

  label(words) {
    this.words = words;
    this.opener.textContent = words.find;
    for (const name of ["find", "with"]) {
      this.part(name).placeholder = words[`find_${name}`];
      this.part(name).setAttribute("aria-label", words[`find_${name}`]);
    }
    for (const name of ["previous", "next", "close"]) {
      this.part(name).title = words[`find_${name}`];
      this.part(name).setAttribute("aria-label", words[`find_${name}`]);
    }
    for (const name of ["replace", "all"]) this.part(name).textContent = words[`find_${name}`];
    for (const name of ["case", "whole"]) this.part(name).nextElementSibling.textContent = words[`find_${name}`];
  }

  // For the editor: its keys, and what it shows

  plugin({ state }) {
    const finder = this;
    return new state.Plugin({
      props: {
        handleKeyDown: (_, event) => finder.pressInText(event),
        decorations: (now) => finder.marks(now),
      },
    });
  }

  pressInText(event) {
    if (event.key === "Escape" && !this.bar.hidden) {
      event.stopPropagation(); // nor does the page go back from the text alone
      this.close();
      return true;
    }
    if (!isFindKey(event)) return false;
    this.open();
    return true;
  }

  press(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    const isInField = event.target.dataset.does === "find";
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && isInField) this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target.dataset.does === "with") this.replace();
    else if (isFindKey(event)) this.part("find").select();
    else return;
    event.preventDefault();
  }

  open() {
    const { view } = this.editor;
    if (!view) return;
    const { from, to } = view.state.selection;
    const chosen = view.state.doc.textBetween(from, to, "\n");
    if (chosen && !chosen.includes("\n")) this.part("find").value = chosen;
    this.bar.hidden = false;
    this.part("find").focus();
    this.part("find").select();
    this.look();
  }

  close() {
    this.bar.hidden = true;
    this.look();
    this.editor.view?.focus();
  }

  // Looking

  get wanted() {
    const [text, isCase, isWhole] = [this.part("find").value, this.part("case").checked, this.part("whole").checked];
    return { text: isCase ? text : folded(text), isCase, isWhole, key: `${isCase}${isWhole}${text}` };
  }

  look() {
    this.doc = undefined;
    this.redraw();
    if (!this.bar.hidden && this.found.length) this.scroll();
  }

  redraw() {
    const { view } = this.editor;
    view?.dispatch(view.state.tr.setMeta("find", true));
  }

  update({ doc, selection: { from } }) {
    if (this.doc === doc) return;
    this.doc = doc;
    const { text, isCase, isWhole, key } = this.wanted;
    if (key !== this.key) [this.key, this.kept] = [key, new WeakMap()];
    this.found = [];
    if (text && !this.bar.hidden) {
      doc.forEach((paragraph, start) => {
        if (!this.kept.has(paragraph)) this.kept.set(paragraph, placesIn(paragraph.textContent, text, isCase, isWhole));
        for (const place of this.kept.get(paragraph)) this.found.push(start + 1 + place);
      });
    }
    this.length = text.length;
    const next = this.found.findIndex((place) => place >= from);
    this.at = next < 0 && this.found.length ? 0 : next;
    this.tell();
  }

  marks(now) {
    this.update(now);
    const { Decoration, DecorationSet } = this.editor.pm.view;
    const first = Math.max(0, this.at - MARKED / 2);
    const marked = this.found
      .slice(first, first + MARKED)
      .map((from, index) => Decoration.inline(from, from + this.length, { class: first + index === this.at ? "found now" : "found" }));
    return DecorationSet.create(now.doc, marked);
  }

  tell() {
    const { text } = this.wanted;
    const words = this.found.length ? this.words.find_count : text ? this.words.find_none : "";
    const numbers = { at: this.at + 1, count: this.found.length };
    this.bar.querySelector("output").textContent = words.replace(/\{(\w+)\}/g, (_, name) => numbers[name].toLocaleString("en"));
  }

  go(by) {
    if (!this.found.length) return;
    this.at = (this.at + by + this.found.length) % this.found.length;
    this.tell();
    this.scroll();
  }

  scroll() {
    const { view, pm } = this.editor;
    const from = this.found[this.at];
    const selection = pm.state.TextSelection.create(view.state.doc, from, from + this.length);
    view.dispatch(view.state.tr.setSelection(selection));
    view.dom.querySelector(".found.now")?.scrollIntoView({ block: "center" });
  }

  // Replacing

  replace() {
    if (!this.found.length) return;
    const { view, pm } = this.editor;
    const [from, put] = [this.found[this.at], this.part("with").value];
    const change = pm.history.closeHistory(view.state.tr.insertText(put, from, from + this.length));
    view.dispatch(change.setSelection(pm.state.TextSelection.create(change.doc, from + put.length)));
    if (this.found.length) this.scroll();
  }

  // In one step, which is undone as one; each paragraph is changed once, from the last to the first.
  replaceAll() {
    const { view, pm } = this.editor;
    const put = this.part("with").value;
    const grown = (put.length - this.length) * this.found.length;
    if (!this.found.length) return;
    if (grown > 0 && textOf(view.state.doc).length + grown > MOST) return this.editor.say(this.words.too_long);
    const count = this.found.length;
    const change = pm.history.closeHistory(view.state.tr);
    let end = count;
    while (end > 0) {
      const place = view.state.doc.resolve(this.found[end - 1]);
      const [start, paragraph] = [place.start(), place.parent];
      let first = end - 1;
      while (first > 0 && this.found[first - 1] >= start) first -= 1;
      const text = replaced(paragraph.textContent, this.found.slice(first, end).map((at) => at - start), this.length, put);
      change.replaceWith(start, start + paragraph.content.size, text ? view.state.schema.text(text) : []);
      end = first;
    }
    view.dispatch(change);
    this.bar.querySelector("output").textContent = this.words.find_replaced.replace("{count}", () => count.toLocaleString("en"));
  }
}

function isFindKey(event) {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f";
}

// Every letter becomes one of the same length, in UTF-16 and in code points.
function folded(text) {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

function placesIn(text, wanted, isCase, isWhole) {
  const compared = isCase ? text : folded(text);
  const places = [];
  for (let at = compared.indexOf(wanted); at >= 0; ) {
    const isTaken = !isWhole || (isEdge(text, at) && isEdge(text, at + wanted.length));
    if (isTaken) places.push(at);
    at = compared.indexOf(wanted, at + (isTaken ? wanted.length : 1));
  }
  return places;
}

// Whether no word goes on from before a place to behind it; where no spaces part words, every place is an edge.
function isEdge(text, at) {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
  const after = at < text.length ? String.fromCodePoint(text.codePointAt(at)) : "";
  const isOfWord = (one) => WORDLIKE.test(one) && !WITHOUT_SPACES.test(one);
  return !(isOfWord(before) && isOfWord(after));
}

function replaced(text, places, length, put) {
  let [done, from] = ["", 0];
  for (const at of places) {
    done += text.slice(from, at) + put;
    from = at + length;
  }
  return done + text.slice(from);
}
