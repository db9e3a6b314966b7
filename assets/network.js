// Draws a picture that Python has laid out, with the vis-network library that pyvis brings along.
// Names are hostile input: they go to a canvas, or into `textContent`, and never into HTML.

const drawings = new WeakMap();
const LEGIBLE = 0.6; // a smaller scale cannot be read
let library;

export default function draw({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".picture");
  let drawing = drawings.get(frame);
  if (!drawing) {
    drawing = new Drawing(frame, parentElement);
    drawings.set(frame, drawing);
  }
  drawing.onClick = (id) => setTriggerValue("clicked", id);
  drawing.show(data);
  return () => {
    drawings.delete(frame);
    drawing.close();
  };
}

class Drawing {
  constructor(frame, root) {
    this.frame = frame;
    this.legend = root.querySelector(".legend");
    this.isClosed = false;
    this.hasOwnView = false; // the writer has moved or zoomed, so the view is theirs
    this.darkness = window.matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => requestAnimationFrame(() => requestAnimationFrame(() => this.paint()));
    this.darkness.addEventListener("change", this.repaint);
    this.resizing = new ResizeObserver(() => this.hasOwnView || this.begin());
    this.resizing.observe(frame);
    // A wheel over the picture scrolls the page; with Ctrl, or a pinch, it zooms.
    frame.addEventListener(
      "wheel",
      (event) => event.ctrlKey || event.metaKey || event.stopPropagation(),
      { capture: true },
    );
    this.connect(root.querySelector(".controls"));
  }

  connect(controls) {
    const actions = { in: () => this.zoom(1.3), out: () => this.zoom(1 / 1.3), fit: () => this.fit() };
    for (const button of controls.querySelectorAll("button")) {
      button.onclick = actions[button.dataset.does];
    }
  }

  async show(data) {
    if (this.data?.name !== data.name) this.hasOwnView = false;
    this.data = data;
    this.legend.replaceChildren(...data.legend.map(legendItem));
    try {
      await loadLibrary(data.library);
    } catch (problem) {
      this.frame.textContent = problem.message;
      return;
    }
    if (this.isClosed) return;
    this.frame.setAttribute("aria-label", data.description);
    this.paint();
    if (!this.hasOwnView) this.begin();
  }

  paint() {
    if (this.isClosed || !this.data) return;
    const { nodes, edges, options } = inColors(this.data.picture, this.frame);
    this.network ??= this.open();
    this.network.setOptions(options);
    replace(this.nodes, nodes);
    replace(this.edges, edges);
    this.select(this.data.selected);
  }

  open() {
    const { DataSet, Network } = globalThis.vis;
    this.nodes = new DataSet();
    this.edges = new DataSet();
    const network = new Network(this.frame, { nodes: this.nodes, edges: this.edges }, {});
    network.on("click", ({ nodes, edges }) => this.click(nodes[0] ?? edges[0] ?? ""));
    network.on("hoverNode", () => this.point(true));
    network.on("blurNode", () => this.point(false));
    network.on("hoverEdge", () => this.point(true));
    network.on("blurEdge", () => this.point(false));
    network.on("dragEnd", () => (this.hasOwnView = true));
    network.on("zoom", () => (this.hasOwnView = true));
    return network;
  }

  click(id) {
    if (this.nodes.get(id)?.group === "heading") return;
    this.onClick(id);
  }

  select(id) {
    if (this.nodes.get(id)) this.network.selectNodes([id], false);
    else if (this.edges.get(id)) this.network.selectEdges([id]);
    else this.network.unselectAll();
  }

  point(isOverSomething) {
    this.frame.style.cursor = isOverSomething ? "pointer" : "";
  }

  zoom(factor) {
    if (!this.network) return;
    this.hasOwnView = true;
    this.network.moveTo({ scale: Math.min(4, Math.max(0.05, this.network.getScale() * factor)) });
  }

  // All of it where that can be read, else what the chapter touched.
  begin() {
    this.fit();
    if (!this.network || this.network.getScale() >= LEGIBLE) return;
    const touched = this.nodes.getIds({ filter: ({ group }) => group.startsWith("touched-") });
    const places = Object.values(this.network.getPositions(touched));
    if (places.length) this.network.moveTo({ position: middle(places), scale: LEGIBLE });
  }

  fit() {
    if (!this.network) return;
    this.hasOwnView = false;
    this.network.fit({ animation: false, maxZoomLevel: 1 });
    // Room beneath for the buttons.
    this.network.moveTo({ scale: this.network.getScale() * 0.92, offset: { x: 0, y: -18 } });
  }

  close() {
    this.isClosed = true;
    this.darkness.removeEventListener("change", this.repaint);
    this.resizing.disconnect();
    this.network?.destroy();
  }
}

function loadLibrary(address) {
  if (globalThis.vis?.Network) return Promise.resolve();
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => {
      library = undefined;
      script.remove();
      reject(new Error("The picture cannot be drawn: reload the page to try again."));
    };
    document.head.append(script);
  });
  return library;
}

function legendItem({ sample, words, color }) {
  const item = document.createElement("li");
  const drawn = document.createElement("span");
  drawn.className = `sample ${sample}`;
  drawn.style.color = color;
  item.append(drawn, words);
  return item;
}

function middle(places) {
  const centre = (values) => (Math.min(...values) + Math.max(...values)) / 2;
  return { x: centre(places.map(({ x }) => x)), y: centre(places.map(({ y }) => y)) };
}

function replace(set, items) {
  set.clear();
  set.add(items);
}

// A canvas knows no CSS variables: put the theme's present colours in their place.
function inColors(value, element) {
  const style = getComputedStyle(element);
  const resolve = (one) => {
    if (typeof one === "string") {
      const variable = /^var\((--st-[a-z-]+)\)$/.exec(one);
      return variable ? style.getPropertyValue(variable[1]).trim() || "#808080" : one;
    }
    if (Array.isArray(one)) return one.map(resolve);
    if (one && typeof one === "object") {
      return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, resolve(part)]));
    }
    return one;
  };
  return resolve(value);
}
