// What the app suggests for a text, and how the editor of that text answers it: beside the text, which is not sent again.

export default function show({ data, setTriggerValue }) {
  window.tellwrightOffers ??= new Map(); // for an editor that is not there yet
  const offers = { data, tell: (act) => setTriggerValue("act", act) };
  window.tellwrightOffers.set(data.field, offers);
  window.tellwrightEditors?.get(data.field)?.suggestions.learn(offers);
  return () => window.tellwrightOffers.delete(data.field);
}
