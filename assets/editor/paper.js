// Text and paragraphs: how a text becomes a document, how it looks, and what can be pasted into it.

const texts = new WeakMap(); // of paragraphs, which never change themselves
const BREAK = /^\s*(?:[*#~_–—-]\s*){1,7}$/; // a line that parts two scenes
const EMPHASIS = /(?<![\p{L}\p{N}*])\*(?![\s*])([^*\n]+?)(?<!\s)\*(?![\p{L}\p{N}*])/gu;
const BLOCKS = new Set("ADDRESS ARTICLE BLOCKQUOTE DD DIV DT H1 H2 H3 H4 H5 H6 HR LI P PRE SECTION TR".split(" "));
const LEFT_OUT = new Set("SCRIPT STYLE TEMPLATE TITLE HEAD NOSCRIPT IFRAME OBJECT SVG MATH".split(" "));

function schemaOf({ model }) {
  return new model.Schema({
    nodes: {
      doc: { content: "paragraph+" },
      paragraph: {
        content: "text*",
        whitespace: "pre",
        parseDOM: [{ tag: "p" }],
        toDOM: () => ["p", 0],
      },
      text: {},
    },
  });
}

function documentOf(schema, text) {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(BETWEEN)
    .map((one) => schema.node("paragraph", null, one ? schema.text(one) : null));
  return schema.node("doc", null, paragraphs);
}

function preview(text) {
  const shown = document.createElement("div");
  shown.className = "preview";
  shown.textContent = text;
  return shown;
}

function paragraphsOf(doc) {
  const found = [];
  doc.forEach((paragraph) => {
    if (!texts.has(paragraph)) texts.set(paragraph, paragraph.textContent);
    found.push(texts.get(paragraph));
  });
  return found;
}

function textOf(doc) {
  return paragraphsOf(doc).join(BETWEEN);
}

// *Emphasis* is shown as such, and scene breaks stand in the middle; only what has changed is looked at.
function paper({ state, view }) {
  return new state.Plugin({
    state: {
      init: (_, { doc }) => view.DecorationSet.create(doc, looks(view, doc, 0, doc.content.size)),
      apply: (change, shown) => {
        if (!change.docChanged) return shown;
        const mapped = shown.map(change.mapping, change.doc);
        const [from, to] = changed(change);
        const old = mapped.find(from, to).filter((one) => one.from >= from && one.to <= to);
        return mapped.remove(old).add(change.doc, looks(view, change.doc, from, to));
      },
    },
    props: {
      decorations(now) {
        return this.getState(now);
      },
    },
  });
}

// From where to where a change reaches, in whole paragraphs of the document after it.
function changed({ mapping, doc }) {
  let [from, to] = [doc.content.size, 0];
  mapping.maps.forEach((map, index) => {
    const later = mapping.slice(index + 1);
    map.forEach((_, __, start, end) => {
      from = Math.min(from, later.map(start, -1));
      to = Math.max(to, later.map(end, 1));
    });
  });
  const [first, last] = [doc.resolve(Math.min(from, to)), doc.resolve(to)];
  return [first.depth ? first.before(1) : first.pos, last.depth ? last.after(1) : last.pos];
}

function looks({ Decoration }, doc, from, to) {
  const found = [];
  doc.nodesBetween(from, to, (node, at) => {
    if (node.type.name !== "paragraph") return true;
    const text = node.textContent;
    if (!text) found.push(Decoration.node(at, at + node.nodeSize, { class: "empty" }));
    else if (BREAK.test(text)) found.push(Decoration.node(at, at + node.nodeSize, { class: "scene-break" }));
    for (const { index, 0: whole } of text.matchAll(EMPHASIS))
      found.push(Decoration.inline(at + 1 + index, at + 1 + index + whole.length, { class: "emphasis" }));
    return false;
  });
  return found;
}

// What is pasted is text. What was emphasised stays so; pictures, links and everything else are left out.
function pastedText(clipboard) {
  const html = clipboard.getData("text/html");
  const plain = clipboard.getData("text/plain").replace(/\r\n?/g, "\n");
  const text = html && html.length < 4 * MOST ? textOfHtml(html) : paragraphed(plain);
  return (text || paragraphed(plain)).replace(/^\n+|\n+$/g, "");
}

// Where lines are not parted by empty ones, each of them is a paragraph.
function paragraphed(plain) {
  const text = plain.replace(/\n[ \t]+\n/g, BETWEEN).replace(/\n{3,}/g, BETWEEN);
  return text.trim().includes(BETWEEN) ? text : text.replace(/\n/g, BETWEEN);
}

function textOfHtml(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html"); // runs and loads nothing
  const parts = [];
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return void parts.push(node.data.replace(/[ \t\r\n]+/g, " "));
    if (node.nodeType !== Node.ELEMENT_NODE || LEFT_OUT.has(node.tagName.toUpperCase())) return;
    if (node.tagName === "BR") return void parts.push("\n");
    const isBlock = BLOCKS.has(node.tagName);
    const isEmphasised = /^(?:EM|I)$/.test(node.tagName) && /^\S[^*\n]*$/.test(node.textContent.trim());
    if (isBlock) parts.push(BETWEEN);
    if (isEmphasised) parts.push(`*${node.textContent.trim().replace(/\s+/g, " ")}*`);
    else node.childNodes.forEach(read);
    if (isBlock) parts.push(BETWEEN);
  };
  read(body);
  return parts
    .join("")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, BETWEEN)
    .trim();
}
