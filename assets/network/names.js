// Names that are legible at any scale, and the guides of chapters and lanes.

const SIZE = 12; // pixels at any scale; larger in a file that is larger than a screen
const NAME = 'Georgia, "Times New Roman", serif';
const GUIDE = "sans-serif";
const CROWD = 80; // nodes; with more than this, only the first have names, so the rest can be seen
const PLACE = 8000; // square pixels of the picture for each name in that case
const FITS = 8.5; // pixels; from this size on, vis-network itself writes a name into its shape
const HALF_HEIGHTS = { ellipse: 17, box: 24, diamond: 12 }; // in the picture's own units
const widths = new Map();

// Thin lines: between chapters from top to bottom, and along lanes from left to right.
function drawGuides(context, { data, selected, colors, network, frame }) {
  const { columns, rows } = data.picture;
  if (!columns.length && !rows.length) return;
  const view = viewOf(network, frame);
  inPixels(context, () => {
    for (const { at, subject } of rows) {
      const isChosen = subject && subject === selected;
      context.strokeStyle = isChosen ? colors.accent : colors.line;
      context.lineWidth = isChosen ? 3 : 1;
      line(context, [0, view.y(at)], [view.width, view.y(at)]);
    }
  });
}

// The names of chapters and lanes at the edges, and the names that do not fit into their shapes:
// those of higher rank first, and none overlapping another.
function drawNames(context, drawing) {
  const { data, network, frame, scene, colors } = drawing;
  const view = { ...viewOf(network, frame), size: SIZE * (drawing.enlarged ?? 1) };
  const taken = new Boxes();
  inPixels(context, () => {
    if (data.picture.columns.length) nameColumns(context, data.picture.columns, view, colors, taken);
    nameRows(context, data.picture.rows, view, colors, taken);
    context.font = `${view.size}px ${NAME}`;
    context.textAlign = "center";
    context.lineJoin = "round";
    const isCrowd = scene.nodes.length > CROWD && view.scale < 0.4;
    let left = isCrowd ? (view.width * view.height) / PLACE : Infinity;
    for (const node of byRank(scene)) {
      if (left <= 0) break;
      if (nameNode(context, node, view, colors, taken)) left -= 1;
    }
  });
}

function byRank(scene) {
  scene.ranked ??= scene.nodes
    .filter(({ label, caption, isFaded }) => (label || caption) && !isFaded)
    .sort((one, other) => rankOf(other, scene) - rankOf(one, scene));
  return scene.ranked;
}

function rankOf({ id, rank = 0 }, scene) {
  return rank + (scene.chosenSet.has(id) ? 1e6 : 0);
}

// Return whether the name of a node was written.
function nameNode(context, node, view, colors, taken) {
  const group = colors.groups[node.group] ?? {};
  const size = group.font?.size ?? 17;
  if (!node.caption && size * view.scale >= FITS) return false;
  const [x, y] = [view.x(node.x), view.y(node.y)];
  if (x < -60 || y < -20 || x > view.width + 60 || y > view.height + 20) return false;
  const words = node.caption || node.label;
  const width = widthOf(context, words);
  // Below the shape; for a dot also above it.
  const reach = (node.caption ? node.size ?? 10 : HALF_HEIGHTS[node.shape] ?? 20) * view.scale;
  const below = reach + view.size * 0.8;
  for (const shift of node.caption ? [below, -below] : [below]) {
    const box = [x - width / 2 - 2, y + shift - view.size / 2 - 1, width + 4, view.size + 2];
    if (!taken.take(box)) continue;
    written(context, words, [x, y + shift], { ...colors, ink: group.font?.color ?? colors.ink });
    return true;
  }
  return false;
}

function nameColumns(context, columns, view, colors, taken) {
  const high = 2 * view.size;
  context.font = `${view.size}px ${GUIDE}`;
  context.textAlign = "center";
  context.fillStyle = colors.paper;
  context.globalAlpha = 0.85;
  context.fillRect(0, 0, view.width, high);
  context.globalAlpha = 1;
  taken.take([0, 0, view.width, high]);
  const gaps = columns.slice(1).map(({ at }, place) => (at - columns[place].at) * view.scale);
  const widest = Math.max(...columns.map(({ words }) => widthOf(context, words)));
  const isTight = Math.min(...gaps) < widest + 14;
  let free = -Infinity;
  for (const { at, words, short } of columns) {
    const shown = (isTight && short) || words;
    const half = widthOf(context, shown) / 2;
    const x = view.x(at);
    if (x - half < free || x < -40 || x > view.width + 40) continue;
    free = x + half + 10;
    context.fillStyle = colors.gray;
    context.fillText(shown, x, 1.3 * view.size);
  }
}

function nameRows(context, rows, view, colors, taken) {
  context.font = `${view.size}px ${NAME}`;
  context.textAlign = "left";
  for (const { at, words } of rows) {
    const shown = words.length > 22 ? `${words.slice(0, 21)}…` : words;
    const box = [4, view.y(at) - 0.8 * view.size, widthOf(context, shown) + 12, 1.6 * view.size];
    if (!taken.take(box)) continue;
    context.fillStyle = colors.paper;
    context.fillRect(...box);
    context.fillStyle = colors.ink;
    context.fillText(shown, 10, view.y(at) + 0.35 * view.size);
  }
}

// The id of the lane whose name is at a position in the frame; "" if there is none.
function rowAt({ x, y }, { data, network, frame }) {
  const view = viewOf(network, frame);
  const row = data.picture.rows.find(({ at }) => x < 150 && Math.abs(view.y(at) - y) < 12);
  return row?.subject ?? "";
}

function written(context, words, [x, y], colors) {
  context.textBaseline = "middle";
  context.strokeStyle = colors.paper;
  context.lineWidth = 3;
  context.strokeText(words, x, y);
  context.fillStyle = colors.ink;
  context.fillText(words, x, y);
  context.textBaseline = "alphabetic";
}

function widthOf(context, words) {
  const key = `${context.font} ${words}`;
  if (!widths.has(key)) {
    if (widths.size > 5000) widths.clear();
    widths.set(key, context.measureText(words).width);
  }
  return widths.get(key);
}

// The mapping from positions in the picture to positions in the frame, in CSS pixels.
function viewOf(network, frame) {
  const { clientWidth: width, clientHeight: height } = frame;
  const scale = network.getScale();
  const centre = network.getViewPosition();
  return {
    width,
    height,
    scale,
    x: (x) => (x - centre.x) * scale + width / 2,
    y: (y) => (y - centre.y) * scale + height / 2,
  };
}

function inPixels(context, paint) {
  const ratio = context.canvas.width / context.canvas.clientWidth;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint();
  context.restore();
}

function line(context, [fromX, fromY], [toX, toY]) {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}

// Occupied boxes, indexed by the squares of a grid.
class Boxes {
  constructor() {
    this.squares = new Map();
  }

  // Occupy a box if it overlaps no other; return whether it was free.
  take(box) {
    const near = [...this.squaresOf(box)];
    if (near.some((square) => this.squares.get(square)?.some((other) => overlap(box, other)))) return false;
    for (const square of near) {
      if (!this.squares.has(square)) this.squares.set(square, []);
      this.squares.get(square).push(box);
    }
    return true;
  }

  *squaresOf([x, y, width, height]) {
    for (let column = Math.floor(x / 80); column <= Math.floor((x + width) / 80); column += 1) {
      for (let row = Math.floor(y / 40); row <= Math.floor((y + height) / 40); row += 1) {
        yield `${column}:${row}`;
      }
    }
  }
}

function overlap([x, y, width, height], [otherX, otherY, otherWidth, otherHeight]) {
  return x < otherX + otherWidth && otherX < x + width && y < otherY + otherHeight && otherY < y + height;
}
