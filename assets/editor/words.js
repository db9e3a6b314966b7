// The foot of the editor: how much has been written, and whether it is kept.

const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\u{20000}-\u{3ffff}]/gu; // as `is_unspaced` has it
const counted = new WeakMap(); // the words of paragraphs

class WordCounter {
  constructor(foot) {
    this.place = foot.querySelector(".words");
    this.state = foot.querySelector(".state");
    this.chapter = 0;
    this.isKept = true;
  }

  label(words) {
    this.words = words;
    this.draw();
  }

  // `about` is what is written elsewhere, and how much the writer wants to write.
  learn(about) {
    this.about = about;
    this.draw();
  }

  count(doc) {
    let [spaced, unspaced] = [0, 0];
    doc.forEach((paragraph) => {
      const found = counted.get(paragraph) ?? wordsIn(paragraph.textContent);
      counted.set(paragraph, found);
      spaced += found[0];
      unspaced += found[1];
    });
    this.chapter = spaced + Math.floor(unspaced / 2);
    this.draw();
  }

  settle(isKept) {
    if (this.isKept === isKept) return;
    this.isKept = isKept;
    this.draw();
  }

  draw() {
    if (!this.words) return;
    const more = this.about ? this.chapter - this.about.chapter : 0;
    const parts = [this.told(this.words.chapter, this.chapter, this.about?.targets.chapter)];
    if (this.about) {
      parts.push(this.told(this.words.today, this.about.today + more, this.about.targets.day));
      parts.push(this.told(this.words.book, this.about.book + more, this.about.targets.book));
    }
    const items = parts.map((words) => {
      const item = document.createElement("span");
      item.textContent = words;
      return item;
    });
    this.place.replaceChildren(...items);
    this.state.textContent = this.isKept ? this.words.kept : this.words.saving;
    this.state.toggleAttribute("data-kept", this.isKept);
  }

  told(words, count, target) {
    const reached = target ? this.words.of.replace("{target}", () => target.toLocaleString("en")) : "";
    return words.replace("{count}", () => count.toLocaleString("en")) + reached;
  }
}

function wordsIn(text) {
  const unspaced = (text.match(UNSPACED) ?? []).length;
  const spaced = text.replace(UNSPACED, " ").split(/\s+/u).filter(Boolean).length;
  return [spaced, unspaced];
}
