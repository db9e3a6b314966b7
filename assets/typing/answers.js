// What became of what was typed in a part of a page that runs by itself: see unsaved.js.

export default function show({ data }) {
  window.tellwrightUnsaved?.hearNew(data.answers);
}
