// Reads and plays interactive fiction, a request a line on the standard input, an answer a line on the
// standard output. The folder with inkjs and extwee is the argument.

import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const folder = path.resolve(process.argv[2]);
const { Compiler } = createRequire(`${folder}/`)("inkjs/full");
const parser = path.join(folder, "node_modules/extwee/src/Twee/parse.js");
const { parse } = await import(pathToFileURL(parser).href);
console.info = console.log = () => {};

/** Play an Ink story on every path: each state it comes to, with its text and where each choice leads. */
function playInk(source) {
  const problems = [];
  const note = (message) => problems.push(message);
  let story;
  try {
    story = new Compiler(source, { errorHandler: note }).Compile();
  } catch (error) {
    return { problems: [...problems, String(error)], tags: [], states: [] };
  }
  story.onError = note;
  const states = [];
  const known = new Map();

  function arrive() {
    const lines = [];
    while (story.canContinue) lines.push(story.Continue().replace(/\n$/, ""));
    const choices = story.currentChoices.map((one) => [one.text, one.sourcePath]);
    const key = JSON.stringify([lines, choices]);
    if (known.has(key)) return known.get(key);
    const state = { text: lines, labels: choices.map(([label]) => label), next: [] };
    known.set(key, states.length);
    const mine = states.push(state) - 1;
    const saved = story.state.ToJson();
    for (let index = 0; index < choices.length; index++) {
      story.state.LoadJson(saved);
      story.ChooseChoiceIndex(index);
      state.next.push(arrive());
    }
    return mine;
  }

  arrive();
  return { problems, tags: story.globalTags ?? [], states };
}

function readTwee(source) {
  const story = parse(source);
  const passages = story.passages.map(({ name, text, tags, metadata }) => ({ name, text, tags, metadata }));
  return { title: story.name, ifid: story.IFID, format: story.format, start: story.start, passages };
}

const readers = { ink: playInk, twee: readTwee };
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { format, source } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(readers[format](source))}\n`);
}
