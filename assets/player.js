// Steps through the chapters, by hand or automatically. It asks the page for a chapter and, while
// playing, asks for the next only after that one has been shown for a while: a slow page slows the
// playing down, and requests never pile up. It names the chapter, not the direction, so two fast
// clicks both count even if the page sees only the second.

const players = new WeakMap();

export default function show({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".player");
  const player = players.get(frame) ?? new Player(frame);
  players.set(frame, player);
  player.ask = (chapter) => setTriggerValue("wanted", chapter);
  player.arriveAt(data);
  return () => {
    player.pause();
    players.delete(frame);
  };
}

class Player {
  constructor(frame) {
    this.frame = frame;
    this.isPlaying = false;
    this.wanted = undefined; // the chapter that was asked for and is not shown yet
    this.buttons = Object.fromEntries(
      [...frame.querySelectorAll("button")].map((button) => [button.dataset.does, button]),
    );
    this.buttons.earlier.onclick = () => this.step(-1);
    this.buttons.later.onclick = () => this.step(1);
    this.buttons.play.onclick = () => (this.isPlaying ? this.pause() : this.play());
  }

  arriveAt({ chapter, newest, milliseconds, words }) {
    // Someone moved the time cursor by hand: they want to look.
    const isByHand = this.wanted === undefined && chapter !== this.chapter;
    if (this.wanted === chapter) this.wanted = undefined;
    Object.assign(this, { chapter, newest, milliseconds, words });
    if (this.isPlaying && (isByHand || (this.wanted === undefined && chapter >= newest))) this.pause();
    else if (this.isPlaying && this.wanted === undefined) this.goOnSoon();
    this.label();
  }

  step(by) {
    this.pause();
    this.want((this.wanted ?? this.chapter) + by);
  }

  play() {
    this.isPlaying = true;
    // There is nothing after the newest chapter: start from the beginning.
    this.want(this.chapter >= this.newest ? 0 : this.chapter + 1);
    this.label();
  }

  pause() {
    this.isPlaying = false;
    clearTimeout(this.timer);
    this.label();
  }

  goOnSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.want(this.chapter + 1), this.milliseconds);
  }

  want(chapter) {
    const within = Math.min(this.newest, Math.max(0, chapter));
    if (within === (this.wanted ?? this.chapter)) return;
    this.wanted = within;
    this.ask(within);
    this.label();
  }

  label() {
    const { earlier, play, later } = this.buttons;
    const at = this.wanted ?? this.chapter;
    earlier.disabled = at <= 0;
    later.disabled = at >= this.newest;
    this.frame.setAttribute("aria-label", this.words.player);
    earlier.querySelector("span").textContent = this.words.earlier;
    later.querySelector("span").textContent = this.words.later;
    play.querySelector("span").textContent = this.isPlaying ? this.words.pause : this.words.play;
    play.classList.toggle("playing", this.isPlaying);
  }
}
