// The whole story as bars of one or more chapters each, with the part that is shown above marked. A
// click asks for the chapters around it and names the last one, so two fast clicks both count.

const BARS = "http://www.w3.org/2000/svg";
const overviews = new WeakMap();

export default function show({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".overview");
  const overview = overviews.get(frame) ?? new Overview(frame);
  overviews.set(frame, overview);
  overview.ask = (last) => setTriggerValue("last", last);
  overview.show(data);
  return () => overviews.delete(frame);
}

class Overview {
  constructor(frame) {
    this.frame = frame;
    this.bars = frame.querySelector("svg");
    this.words = frame.querySelector(".words");
    const [earlier, later] = frame.querySelectorAll("button");
    this.buttons = { earlier, later };
    earlier.onclick = () => this.see(this.last - this.span);
    later.onclick = () => this.see(this.last + this.span);
    this.bars.onclick = ({ clientX }) => {
      const { left, width } = this.bars.getBoundingClientRect();
      const chapter = Math.ceil(((clientX - left) / width) * this.data.newest);
      this.see(chapter + Math.floor(this.span / 2));
    };
  }

  show(data) {
    this.data = data;
    this.last = data.last;
    this.span = data.last - data.first + 1;
    this.label(data.words);
    this.draw();
  }

  label({ overview, earlier, later }) {
    this.frame.setAttribute("aria-label", overview);
    this.buttons.earlier.setAttribute("aria-label", earlier);
    this.buttons.later.setAttribute("aria-label", later);
  }

  see(last) {
    const within = Math.min(this.data.newest, Math.max(this.span, last));
    if (within === this.last) return;
    this.last = within;
    this.draw();
    this.ask(within);
  }

  draw() {
    const { counts, chosen, newest, words } = this.data;
    const first = Math.max(1, this.last - this.span + 1);
    const highest = Math.max(1, ...counts);
    const bars = counts.map((count, place) =>
      rectangle(chosen[place] ? "bar chosen" : "bar", [place, 1 - count / highest, 0.8, count / highest]),
    );
    const perBar = newest / counts.length;
    const wide = Math.max(2, this.span / perBar); // visible in a long story too
    const seen = [Math.min((first - 1) / perBar, counts.length - wide), 0, wide, 1];
    this.bars.setAttribute("viewBox", `0 0 ${counts.length} 1`);
    this.bars.replaceChildren(rectangle("seen", seen), ...bars);
    const numbers = { first, last: this.last, newest };
    this.words.textContent = words.chapters.replace(/\{(\w+)\}/g, (_, name) => numbers[name]);
    this.buttons.earlier.disabled = first <= 1;
    this.buttons.later.disabled = this.last >= newest;
  }
}

function rectangle(name, [x, y, width, height]) {
  const made = document.createElementNS(BARS, "rect");
  for (const [key, value] of Object.entries({ class: name, x, y, width, height })) {
    made.setAttribute(key, value);
  }
  return made;
}
