// What the app tells an editor while somebody types in it: little, so that the text is not sent again.

export default function show({ data }) {
  window.tellwrightNews ??= new Map(); // for an editor that is not there yet
  window.tellwrightNews.set(data.field, data.about);
  window.tellwrightEditors?.get(data.field)?.counter.learn(data.about);
}
