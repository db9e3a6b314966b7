// The notes of a chapter, for its editor: little, so that the text is not sent again.

export default function show({ data }) {
  window.tellwrightNotes ??= new Map(); // for an editor that is not there yet
  window.tellwrightNotes.set(data.field, data.notes);
  window.tellwrightEditors?.get(data.field)?.margin.learn(data.notes);
}
