// The foot of the editor: how much has been written, and whether it is kept.

// What counts by the character, as `count_words` has it: letters, and no marks above or below them.
const CHARACTERS =
  /[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0ed0-\u0edf\u1000-\u102a\u1040-\u1049\u1780-\u17b3\u17e0-\u17e9\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;
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
    let [spaced, characters] = [0, 0];
    doc.forEach((paragraph) => {
      const found = counted.get(paragraph) ?? wordsIn(paragraph.textContent);
      counted.set(paragraph, found);
      spaced += found[0];
      characters += found[1];
    });
    this.chapter = spaced + characters;
    this.isInCharacters = characters > spaced;
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
    const parts = [this.told(this.isInCharacters ? this.words.characters : this.words.chapter, this.chapter, this.about?.targets.chapter)];
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
  const characters = (text.match(CHARACTERS) ?? []).length;
  const words = text.replace(CHARACTERS, " ").split(/\s+/u).filter(Boolean);
  const spaced = characters ? words.filter((word) => /[\p{L}\p{N}]/u.test(word)) : words;
  return [spaced.length, characters];
}
