// A whole picture as a PNG file, at a printable size, with its legend.

const PRINT = { least: 1600, most: 6000, margin: 40, legend: 30, font: 20 };

async function saveAsFile(drawing) {
  if (!drawing.network) return;
  const { data, colors } = drawing;
  const canvas = await printed(drawing);
  const enlarged = enlargement(canvas.width);
  const file = document.createElement("canvas");
  const context = file.getContext("2d");
  const lines = legendLines(context, data.legend, canvas.width / enlarged);
  file.width = canvas.width;
  file.height = canvas.height + enlarged * (PRINT.margin + lines.length * PRINT.legend);
  context.fillStyle = colors.paper;
  context.fillRect(0, 0, file.width, file.height);
  context.drawImage(canvas, 0, 0);
  context.setTransform(enlarged, 0, 0, enlarged, 0, canvas.height);
  drawLegend(context, lines, PRINT.legend / 2, drawing);
  file.toBlob((blob) => offer(blob, `${data.file || "picture"}.png`), "image/png");
}

// Draw the whole picture again, off screen, and as large as its names need.
function printed(drawing) {
  const { nodes, edges, options } = inColors(drawing.data.picture, drawing.colors);
  const host = document.createElement("div");
  const [width, height] = printSize(nodes);
  host.style.cssText = `position:fixed;left:-${2 * PRINT.most}px;width:${width}px;height:${height}px`;
  document.body.append(host);
  const scene = new Scene(nodes, edges, "", drawing.colors);
  const enlarged = enlargement(width);
  const copy = { data: drawing.data, colors: drawing.colors, frame: host, scene, enlarged };
  options.interaction = { ...options.interaction, hover: false };
  const network = new globalThis.vis.Network(
    host,
    { nodes: new globalThis.vis.DataSet(nodes), edges: new globalThis.vis.DataSet(edges) },
    options,
  );
  copy.network = network;
  network.on("beforeDrawing", (context) => drawGuides(context, copy));
  network.on("afterDrawing", (context) => drawNames(context, copy));
  fitTo(network, host, drawing.data, 0);
  return new Promise((resolve) => {
    network.once("afterDrawing", (context) => {
      const drawn = document.createElement("canvas");
      drawn.width = context.canvas.width;
      drawn.height = context.canvas.height;
      // The names are drawn by another listener of the same event: wait until it has finished.
      queueMicrotask(() => {
        drawn.getContext("2d").drawImage(context.canvas, 0, 0);
        network.destroy();
        host.remove();
        resolve(drawn);
      });
    });
    network.redraw();
  });
}

// How much larger text is in a file that is wider than the screen.
function enlargement(width) {
  return Math.min(2, Math.max(1, width / PRINT.least));
}

function printSize(nodes) {
  const extent = (values) => Math.max(...values) - Math.min(...values) + 260;
  const width = nodes.length ? extent(nodes.map(({ x }) => x)) : PRINT.least;
  const height = nodes.length ? extent(nodes.map(({ y }) => y)) : PRINT.least;
  const larger = Math.max(width, height);
  const scale = Math.min(PRINT.most, Math.max(PRINT.least, larger)) / larger / (globalThis.devicePixelRatio || 1);
  return [Math.round(width * scale), Math.round(Math.max(height * scale, 400))];
}

function legendLines(context, items, width) {
  context.font = `${PRINT.font}px sans-serif`;
  const lines = [[]];
  let x = PRINT.margin;
  for (const item of items) {
    const room = 60 + context.measureText(item.words).width + 30;
    if (x + room > width - PRINT.margin && lines.at(-1).length) {
      lines.push([]);
      x = PRINT.margin;
    }
    lines.at(-1).push({ ...item, x });
    x += room;
  }
  return lines;
}

function drawLegend(context, lines, top, { colors }) {
  context.font = `${PRINT.font}px sans-serif`;
  context.textBaseline = "middle";
  lines.forEach((items, row) => {
    const y = top + row * PRINT.legend + PRINT.legend / 2;
    for (const item of items) {
      const color = item.color.startsWith("var(") ? colors.of(item.color.slice(4, -1)) : item.color || colors.ink;
      drawSample(context, item, color, y);
      context.fillStyle = colors.ink;
      context.fillText(item.words, item.x + 56, y);
    }
  });
}

function drawSample(context, { sample, sign, x }, color, y) {
  context.save();
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = { thick: 8, touched: 4, oval: 2, box: 2, diamond: 2, ring: 3 }[sample] ?? 4;
  context.setLineDash({ dashed: [10, 6], dotted: [3, 6] }[sample] ?? []);
  const shapes = {
    oval: () => context.ellipse(x + 22, y, 20, 9, 0, 0, 2 * Math.PI),
    box: () => context.rect(x + 2, y - 9, 40, 18),
    touched: () => context.roundRect(x + 2, y - 9, 40, 18, 6),
    ring: () => context.arc(x + 22, y, 8, 0, 2 * Math.PI),
    bead: () => context.arc(x + 22, y, 8, 0, 2 * Math.PI),
    diamond: () => {
      context.moveTo(x + 22, y - 10);
      context.lineTo(x + 32, y);
      context.lineTo(x + 22, y + 10);
      context.lineTo(x + 12, y);
      context.closePath();
    },
  };
  context.beginPath();
  if (sample === "sign") context.fillText(sign, x + 18, y);
  else if (shapes[sample]) shapes[sample]();
  else {
    context.moveTo(x, y);
    context.lineTo(x + 44, y);
  }
  if (sample === "bead") context.fill();
  else if (sample !== "sign") context.stroke();
  if (sample === "arrow") {
    context.beginPath();
    context.moveTo(x + 50, y);
    context.lineTo(x + 38, y - 8);
    context.lineTo(x + 38, y + 8);
    context.fill();
  }
  context.restore();
}

function offer(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
