// The board of chapters and storylines. A card is moved by dragging it (on a touch screen by its
// grip), or with the arrow keys when it has the focus. A move shows at once; every message to the
// page names all moves that it has not confirmed yet, so none of several fast ones is lost.

const DRAG_BEGINS = 5; // pixels
const EDGE = 48; // pixels from an edge at which the board scrolls
const STEP = 14; // pixels a frame

const boards = new WeakMap();

export default function show({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".board");
  const board = boards.get(frame) ?? new Board(frame);
  boards.set(frame, board);
  board.tell = setTriggerValue;
  board.receive(data);
  return () => {
    board.letGo();
    boards.delete(frame);
  };
}

class Board {
  constructor(frame) {
    this.frame = frame;
    this.tray = frame.querySelector(".tray");
    this.scroll = frame.querySelector(".scroll");
    this.grid = frame.querySelector(".grid");
    this.said = frame.querySelector(".said");
    this.pending = []; // moves that the page has not confirmed
    this.number = 0;
    frame.onclick = (event) => this.open(cardAt(event));
    frame.onkeydown = (event) => this.press(event);
    frame.onpointerdown = (event) => this.takeHold(event);
  }

  receive(data) {
    this.data = data;
    this.number = Math.max(this.number, data.handled);
    this.pending = this.pending.filter(({ number }) => number > data.handled);
    this.cards = data.cards.map((card) => ({ ...card }));
    this.label();
    this.pending.forEach((move) => this.place(move));
    if (!this.held?.ghost) this.draw(); // nothing moves during a drag
  }

  // Words come with the data, in the language of the page.
  label() {
    const { by_mouse, by_finger, unplaced } = this.data.words;
    this.frame.querySelector(".by-mouse").textContent = by_mouse;
    this.frame.querySelector(".by-finger").textContent = by_finger;
    this.tray.setAttribute("aria-label", unplaced);
    this.tray.querySelector("h4").textContent = unplaced;
  }

  say(sentence, facts) {
    return this.data.words[sentence].replace(/\{(\w+)\}/g, (_, fact) => facts[fact]);
  }

  // What is where

  place({ part, chapter, before }) {
    const at = this.cards.findIndex(({ id }) => id === part);
    if (at < 0) return;
    const [card] = this.cards.splice(at, 1);
    card.chapter = chapter;
    card.late = null;
    const next = this.cards.findIndex(({ id }) => id === before);
    this.cards.splice(next < 0 ? this.cards.length : next, 0, card);
  }

  of(chapter) {
    return this.cards.filter((card) => card.chapter === chapter);
  }

  move(part, chapter, before = null) {
    this.number += 1;
    const move = { number: this.number, part, chapter, before };
    this.pending.push(move);
    this.place(move);
    this.tell("moved", this.pending);
    this.draw();
    const beside = this.of(chapter);
    const place = beside.findIndex(({ id }) => id === part) + 1;
    this.said.textContent =
      chapter === null
        ? this.data.words.unplaced
        : this.say("position", { chapter, place, count: beside.length });
  }

  open(element) {
    if (element) this.tell("opened", element.dataset.part);
  }

  // With the keyboard

  press(event) {
    const element = cardAt(event);
    const card = element && this.cards.find(({ id }) => id === element.dataset.part);
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    const does = {
      Enter: () => this.open(element),
      " ": () => this.open(element),
      ArrowLeft: () => this.stepAside(card, -1),
      ArrowRight: () => this.stepAside(card, 1),
      ArrowUp: () => this.stepInOrder(card, -1),
      ArrowDown: () => this.stepInOrder(card, 1),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  stepAside(card, by) {
    if (card.told) return;
    const open = [null, ...this.data.chapters.filter(({ closed }) => !closed).map(({ number }) => number)];
    const from = card.chapter === null ? 0 : open.indexOf(card.chapter);
    const to = open[from + by];
    if (to !== undefined && from >= 0) this.move(card.id, to);
  }

  stepInOrder(card, by) {
    if (card.told || card.chapter === null) return;
    const beside = this.of(card.chapter);
    const to = beside.indexOf(card) + by;
    if (to < 0 || to >= beside.length) return;
    const before = by < 0 ? beside[to] : beside[to + 1];
    this.move(card.id, card.chapter, before?.id ?? null);
  }

  // With the mouse or a finger

  takeHold(event) {
    const element = cardAt(event);
    const byGrip = event.target.closest(".grip");
    if (!element || event.button || element.classList.contains("told")) return;
    if (event.pointerType !== "mouse" && !byGrip) return; // elsewhere a finger scrolls
    const { left, top } = element.getBoundingClientRect();
    const hand = new AbortController();
    const { signal } = hand;
    this.held = { element, hand, x: event.clientX, y: event.clientY, left, top };
    const on = (name, does) => window.addEventListener(name, does, { signal });
    on("pointermove", (moved) => this.carry(moved));
    on("pointerup", () => this.drop());
    on("pointercancel", () => this.letGo());
    on("keydown", ({ key }) => key === "Escape" && this.letGo());
  }

  carry({ clientX, clientY }) {
    const { held } = this;
    const [right, down] = [clientX - held.x, clientY - held.y];
    if (!held.ghost && Math.hypot(right, down) < DRAG_BEGINS) return;
    if (!held.ghost) this.lift();
    held.at = [clientX, clientY];
    held.ghost.style.transform = `translate(${held.left + right}px, ${held.top + down}px)`;
    this.aim();
  }

  lift() {
    const { held } = this;
    held.ghost = held.element.cloneNode(true);
    held.ghost.classList.add("ghost");
    held.ghost.style.width = `${held.element.offsetWidth}px`;
    held.element.classList.add("lifted");
    this.frame.append(held.ghost);
    const follow = () => {
      if (!held.hand.signal.aborted) {
        this.bringIntoSight(held.at);
        requestAnimationFrame(follow);
      }
    };
    requestAnimationFrame(follow);
  }

  aim() {
    const { held } = this;
    this.unmark();
    const under = this.frame.getRootNode().elementFromPoint(...held.at);
    const column = under?.closest("[data-chapter]");
    held.target = undefined;
    if (!column || column.classList.contains("closed")) return;
    const chapter = column.dataset.chapter ? Number(column.dataset.chapter) : null;
    const over = under.closest(".card");
    held.target = { chapter, before: null };
    column.classList.add("target");
    if (!over || over === held.element || chapter === null) return;
    const { top, height } = over.getBoundingClientRect();
    const isBefore = held.at[1] < top + height / 2;
    over.classList.add(isBefore ? "before" : "after");
    const others = this.of(chapter).filter(({ id }) => id !== held.element.dataset.part);
    const at = others.findIndex(({ id }) => id === over.dataset.part);
    held.target.before = others[isBefore ? at : at + 1]?.id ?? null;
  }

  bringIntoSight([x, y]) {
    const box = this.scroll.getBoundingClientRect();
    const outer = scrollerAround(this.frame);
    if (y > box.top && y < box.bottom) {
      if (x > box.right - EDGE) this.scroll.scrollLeft += STEP;
      if (x < box.left + EDGE) this.scroll.scrollLeft -= STEP;
      if (y > box.bottom - EDGE) this.scroll.scrollTop += STEP;
      if (y < box.top + EDGE * 2) this.scroll.scrollTop -= STEP;
    }
    if (y > window.innerHeight - EDGE) outer.scrollTop += STEP;
    if (y < EDGE * 2) outer.scrollTop -= STEP;
  }

  drop() {
    const { element, ghost, target } = this.held;
    this.letGo();
    if (!ghost) return; // it was a click
    // The click that follows a drag opens nothing.
    const swallow = (event) => event.stopPropagation();
    this.frame.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => this.frame.removeEventListener("click", swallow, { capture: true }));
    if (target) this.move(element.dataset.part, target.chapter, target.before);
  }

  letGo() {
    const { held } = this;
    this.held = undefined;
    held?.hand.abort();
    held?.ghost?.remove();
    held?.element.classList.remove("lifted");
    this.unmark();
    if (held?.ghost) this.draw();
  }

  unmark() {
    for (const name of ["before", "after", "target"]) {
      this.frame.querySelector(`.${name}`)?.classList.remove(name);
    }
  }

  // Drawing

  draw() {
    const { chapters, lines } = this.data;
    const focused = this.frame.getRootNode().activeElement?.dataset?.part;
    this.grid.style.setProperty("--chapters", chapters.length);
    const names = made("div", "names");
    names.append(corner(), ...lines.map((line, row) => lineName(line, row)));
    this.grid.replaceChildren(names, ...chapters.map((chapter, at) => this.column(chapter, at)));
    const left = this.of(null);
    this.tray.hidden = !left.length && !this.cards.some(({ told }) => !told);
    this.tray.querySelector(".cards").replaceChildren(...left.map((card) => this.card(card)));
    this.tray.classList.toggle("empty", !left.length);
    this.frame.querySelector(`[data-part="${CSS.escape(focused ?? "")}"]`)?.focus();
  }

  column({ number, title, closed }, at) {
    const column = made("section", closed ? "chapter closed" : "chapter");
    column.dataset.chapter = number;
    const label = this.say("chapter", { chapter: number });
    column.setAttribute("aria-label", label);
    const head = made("h4", "head");
    head.append(made("span", "number", label), made("span", "title", title));
    head.title = title;
    head.style.gridArea = `1 / ${at + 2}`;
    column.append(head);
    const cards = this.of(number);
    this.data.lines.forEach((line, row) => {
      const cell = made("div", "cell");
      cell.style.gridArea = `${row + 2} / ${at + 2}`;
      cards.forEach((card, place) => {
        if (card.line === row) cell.append(this.card(card, place + 1));
      });
      column.append(cell);
    });
    return column;
  }

  card(card, place = 0) {
    const element = made("div", `card hue-${card.line % 7}`);
    element.classList.toggle("told", card.told);
    element.classList.toggle("chosen", card.id === this.data.selected);
    element.dataset.part = card.id;
    element.tabIndex = 0;
    element.role = "button";
    element.style.order = place;
    element.setAttribute("aria-pressed", card.id === this.data.selected);
    element.setAttribute("aria-describedby", "how");
    const about = made("div", "about");
    about.append(made("span", "event", card.event));
    if (place) about.prepend(made("span", "place", String(place)));
    if (!card.told) about.append(made("span", "grip", ""));
    element.append(about, made("div", "of", this.data.lines[card.line].name), made("p", "", card.text));
    if (card.late !== null) element.append(made("div", "late", this.say("late", { chapter: card.late })));
    if (card.told) element.append(made("div", "done", this.data.words.told));
    element.title = card.text;
    return element;
  }
}

function cardAt(event) {
  return event.target.closest(".card");
}

function corner() {
  const cell = made("div", "corner");
  cell.style.gridArea = "1 / 1";
  return cell;
}

function lineName({ name }, row) {
  const cell = made("div", `name hue-${row % 7}`, name);
  cell.style.gridArea = `${row + 2} / 1`;
  cell.title = name;
  return cell;
}

function made(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

function scrollerAround(element) {
  for (let at = element; at; at = at.parentNode ?? at.host) {
    const { overflowY } = at instanceof Element ? getComputedStyle(at) : {};
    if (/auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight) return at;
  }
  return document.scrollingElement;
}
