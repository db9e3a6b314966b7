// Draws a picture that Python has laid out, with the vis-network library that comes with pyvis.
// Names are untrusted input: they go to a canvas or into `textContent`, never into HTML.
// names.js and file.js are appended to this file: see network.py.

const drawings = new WeakMap();
const peers = new Map(); // pictures side by side, by the name of their group
const CLOSE = 0.65; // a scale at which names are legible inside their shapes
const LARGEST = 1.15; // keeps a few people from filling the picture
const HALF_A_NAME = 95; // in the picture's own units
const [LANES, CHAPTERS, BUTTONS] = [140, 24, 52]; // pixels left free for them
const MANY_EDGES = 1200; // more than this make a picture jerk while it moves
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
    this.buttons = root.querySelectorAll(".controls button");
    this.connect();
  }

  connect() {
    const actions = {
      in: () => this.zoom(1.3),
      out: () => this.zoom(1 / 1.3),
      fit: () => this.fit(),
      save: () => saveAsFile(this),
    };
    for (const button of this.buttons) button.onclick = actions[button.dataset.does];
  }

  // A button that shows a sign has its label for screen readers only.
  label(words) {
    for (const button of this.buttons) {
      const label = words[button.dataset.does];
      if ("sign" in button.dataset) button.setAttribute("aria-label", label);
      else button.textContent = label;
    }
  }

  async show(data) {
    const isOther = this.data?.name !== data.name;
    if (isOther) this.hasOwnView = false;
    this.data = data;
    this.label(data.words);
    this.joinPeers(data.group);
    this.frame.parentElement.classList.toggle("beside", Boolean(data.group));
    this.legend.replaceChildren(...data.legend.map(legendItem));
    try {
      await loadLibrary(data.library);
    } catch {
      this.frame.textContent = data.not_drawn;
      return;
    }
    if (this.isClosed) return;
    this.frame.setAttribute("aria-label", data.description);
    const isChosenElsewhere = data.selected && data.selected !== this.selected;
    this.selected = data.selected;
    this.paint();
    if (!this.hasOwnView) this.begin();
    if (isChosenElsewhere) this.bringToSight(data.selected);
  }

  paint() {
    if (this.isClosed || !this.data) return;
    this.colors = themeColors(this.frame);
    const { nodes, edges, options } = inColors(this.data.picture, this.colors);
    this.colors.groups = options.groups;
    this.scene = new Scene(nodes, edges, this.selected, this.colors);
    this.network ??= this.open();
    options.interaction.hideEdgesOnDrag = edges.length > MANY_EDGES;
    options.interaction.hideEdgesOnZoom = edges.length > MANY_EDGES;
    this.network.setOptions(options);
    replace(this.nodes, this.scene.nodes);
    replace(this.edges, this.scene.edges);
    this.network.setSelection(this.scene.chosen, { highlightEdges: false });
  }

  open() {
    const { DataSet, Network } = globalThis.vis;
    this.nodes = new DataSet();
    this.edges = new DataSet();
    const network = new Network(this.frame, { nodes: this.nodes, edges: this.edges }, {});
    network.on("beforeDrawing", (context) => drawGuides(context, this));
    network.on("afterDrawing", (context) => drawNames(context, this));
    network.on("click", (event) => this.click(event));
    network.on("hoverNode", () => this.point(true));
    network.on("blurNode", () => this.point(false));
    network.on("hoverEdge", () => this.point(true));
    network.on("blurEdge", () => this.point(false));
    for (const moved of ["dragEnd", "zoom"]) {
      network.on(moved, () => {
        this.hasOwnView = true;
        this.leadPeers();
      });
    }
    return network;
  }

  click({ nodes, edges, pointer }) {
    const id = nodes[0] ?? edges[0];
    const subject = id ? this.scene.subject(id) : rowAt(pointer.DOM, this);
    // At once, without waiting for the page.
    this.selected = subject;
    this.paint();
    this.onClick(subject);
  }

  point(isOverSomething) {
    this.frame.style.cursor = isOverSomething ? "pointer" : "";
  }

  zoom(factor) {
    if (!this.network) return;
    this.hasOwnView = true;
    this.network.moveTo({ scale: Math.min(4, Math.max(0.03, this.network.getScale() * factor)) });
    this.leadPeers();
  }

  // All of it if its shape can be seen, otherwise what the chapter changed.
  begin() {
    this.fit();
    if (!this.network || this.network.getScale() >= this.data.least_scale) return;
    const touched = this.scene.nodes.filter(({ group }) => /^(new|changed|ended)-/.test(group));
    const latest = Math.max(...this.scene.nodes.map(({ x }) => x));
    const last = this.scene.nodes.filter(({ x }) => x > latest - 10);
    const centre = middle(touched.length ? touched : last);
    if (centre) this.network.moveTo({ position: this.within(centre, CLOSE), scale: CLOSE });
  }

  fit() {
    if (!this.network) return;
    this.hasOwnView = false;
    fitTo(this.network, this.frame, this.data, BUTTONS);
  }

  // The nearest position from which no empty space is in view at a scale.
  within({ x, y }, scale) {
    const [left, top, right, bottom] = extentOf(this.data);
    const { clientWidth, clientHeight } = this.frame;
    const clamp = (value, low, high, half) =>
      low + half > high - half ? (low + high) / 2 : Math.min(Math.max(value, low + half), high - half);
    return {
      x: clamp(x, left - HALF_A_NAME, right + HALF_A_NAME, clientWidth / scale / 2),
      y: clamp(y, top - HALF_A_NAME, bottom + HALF_A_NAME, clientHeight / scale / 2),
    };
  }

  // Something chosen outside the picture, if it is out of view or too small.
  bringToSight(id) {
    const position = middle(this.scene.nodes.filter((node) => this.scene.chosenSet.has(node.id)))
      ?? middle(this.scene.ends(id));
    if (!position) return;
    const { x, y } = this.network.canvasToDOM(position);
    const { clientWidth, clientHeight } = this.frame;
    const isInSight = x > 20 && y > 20 && x < clientWidth - 20 && y < clientHeight - 20;
    const scale = this.network.getScale();
    const isLegible = scale >= CLOSE / 2 || this.scene.nodes.some(({ caption }) => caption);
    if (isInSight && isLegible) return;
    this.hasOwnView = true;
    this.network.moveTo({ position, scale: isLegible ? scale : CLOSE });
    this.leadPeers();
  }

  // Pictures of one group show the same part of the story side by side.
  joinPeers(group) {
    if (this.group === group) return;
    peers.get(this.group)?.delete(this);
    this.group = group;
    if (!group) return;
    if (!peers.has(group)) peers.set(group, new Set());
    peers.get(group).add(this);
  }

  leadPeers() {
    const view = { position: this.network.getViewPosition(), scale: this.network.getScale() };
    for (const peer of peers.get(this.group) ?? []) {
      if (peer === this || !peer.network) continue;
      peer.hasOwnView = true;
      peer.network.moveTo(view);
    }
  }

  close() {
    this.isClosed = true;
    this.joinPeers("");
    this.darkness.removeEventListener("change", this.repaint);
    this.resizing.disconnect();
    this.network?.destroy();
  }
}

// What is drawn: everything not linked to the chosen node is dimmed.
class Scene {
  constructor(nodes, edges, selected, colors) {
    this.subjects = new Map([...nodes, ...edges].map(({ id, subject }) => [id, subject ?? id]));
    this.allEdges = edges;
    this.byId = new Map(nodes.map((node) => [node.id, node]));
    const isChosen = ({ id }) => selected !== "" && this.subject(id) === selected;
    const chosenNodes = nodes.filter(isChosen);
    const chosenEdges = edges.filter(isChosen);
    this.chosen = {
      nodes: chosenNodes.map(({ id }) => id),
      edges: chosenEdges.map(({ id }) => id),
    };
    this.chosenSet = new Set(this.chosen.nodes);
    this.near = this.nearOnes(chosenEdges);
    this.nodes = this.near ? nodes.map((node) => (this.near.has(node.id) ? node : faded(node, colors))) : nodes;
    this.edges = this.near ? edges.map((edge) => this.edgeNearOrFar(edge, chosenEdges.includes(edge))) : edges;
  }

  subject(id) {
    return this.subjects.get(id) ?? "";
  }

  ends(id) {
    const edge = this.allEdges.find((one) => this.subject(one.id) === id);
    return edge ? [this.byId.get(edge.from), this.byId.get(edge.to)] : [];
  }

  // The ids of the chosen nodes and their neighbours; undefined if none is chosen.
  nearOnes(chosenEdges) {
    if (!this.chosenSet.size && !chosenEdges.length) return undefined;
    const near = new Set(this.chosenSet);
    for (const { from, to } of chosenEdges) near.add(from).add(to);
    for (const { from, to } of this.allEdges) {
      if (this.chosenSet.has(from)) near.add(to);
      if (this.chosenSet.has(to)) near.add(from);
    }
    return near;
  }

  edgeNearOrFar(edge, isChosen) {
    if (isChosen || this.chosenSet.has(edge.from) || this.chosenSet.has(edge.to)) {
      const label = edge.label ?? edge.words;
      return { ...edge, label, color: { ...edge.color, opacity: Math.max(0.85, edge.color.opacity) } };
    }
    return { ...edge, label: undefined, color: { ...edge.color, opacity: 0.07 } };
  }
}

function faded(node, { paper, gray }) {
  const border = mixed(gray, paper, 0.7);
  const color = { background: paper, border, hover: { background: paper, border: gray } };
  return { ...node, color, font: { color: mixed(gray, paper, 0.45) }, isFaded: true };
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
      reject(new Error(`${address} cannot be loaded`));
    };
    document.head.append(script);
  });
  return library;
}

function legendItem({ sample, words, color, sign }) {
  const item = document.createElement("li");
  const drawn = document.createElement("span");
  drawn.className = `sample ${sample}`;
  drawn.style.color = color;
  drawn.textContent = sign;
  item.append(drawn, words);
  return item;
}

// Show all of a picture, with space below, and beside and above it for lane and chapter names.
function fitTo(network, { clientWidth, clientHeight }, data, beneath) {
  const { picture } = data;
  if (clientWidth < 2 * LANES || !picture.nodes.length) return; // not on the page yet, or no longer
  const [left, top, right, bottom] = extentOf(data);
  const [beside, above] = [picture.rows.length ? LANES : 0, picture.columns.length ? CHAPTERS : 0];
  // Names beside dots have the same size at any scale; names in shapes grow with it.
  const [fixed, growing] = picture.nodes.some(({ caption }) => caption) ? [52, 24] : [6, HALF_A_NAME];
  const across = (clientWidth - beside - 2 * fixed) / (right - left + 2 * growing);
  const down = (clientHeight - above - beneath - fixed) / (bottom - top + growing);
  const scale = Math.min(LARGEST, across, down);
  const position = { x: (left + right) / 2, y: (top + bottom) / 2 };
  network.moveTo({ position, scale, offset: { x: beside / 2, y: (above - beneath) / 2 } });
}

function extentOf({ picture, extent }) {
  const across = picture.nodes.map(({ x }) => x);
  const down = picture.nodes.map(({ y }) => y);
  return extent ?? [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

function middle(places) {
  if (!places.length) return undefined;
  const centre = (values) => (Math.min(...values) + Math.max(...values)) / 2;
  return { x: centre(places.map(({ x }) => x)), y: centre(places.map(({ y }) => y)) };
}

function replace(set, items) {
  set.clear();
  set.add(items);
}

function themeColors(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--st-${name}-color`).trim() || "#808080";
  return {
    of: (variable) => style.getPropertyValue(variable).trim() || "#808080",
    ink: read("text"),
    paper: read("background"),
    shade: read("secondary-background"),
    accent: read("primary"),
    gray: read("gray"),
    line: read("border"),
  };
}

// A canvas cannot read CSS variables: replace them with the theme's current colours.
function inColors(value, colors) {
  const resolve = (one) => {
    if (typeof one === "string") {
      return one.startsWith("var(--st-") ? colors.of(one.slice(4, -1)) : one;
    }
    if (Array.isArray(one)) return one.map(resolve);
    if (one && typeof one === "object") {
      return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, resolve(part)]));
    }
    return one;
  };
  // Names stay as they are, even one that reads like a colour.
  const node = ({ label, caption, title, ...look }) => ({ ...resolve(look), label, caption, title });
  const edge = ({ label, words, title, ...look }) => ({ ...resolve(look), label, words, title });
  return {
    nodes: value.nodes.map(node),
    edges: value.edges.map(edge),
    options: resolve(value.options),
  };
}

function mixed(color, other, share) {
  const parts = (hex) => [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
  if (!/^#[0-9a-f]{6}$/i.test(color) || !/^#[0-9a-f]{6}$/i.test(other)) return color;
  const [one, two] = [parts(color), parts(other)];
  const channels = one.map((part, place) => Math.round(part * (1 - share) + two[place] * share));
  return `#${channels.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
