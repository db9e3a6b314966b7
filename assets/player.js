// Says when a chapter has been on the page for a while, so that the next one can be shown. It asks
// for one chapter at a time: a slow page makes the playing slower, and never piles up.

const players = new WeakMap();

export default function play({ data, parentElement, setTriggerValue }) {
  const player = players.get(parentElement) ?? { timer: undefined, shown: undefined };
  players.set(parentElement, player);
  const shown = data.isPlaying ? data.chapter : undefined;
  if (shown !== player.shown) {
    clearTimeout(player.timer);
    player.shown = shown;
    if (shown !== undefined) {
      player.timer = setTimeout(() => setTriggerValue("shown", shown), data.milliseconds);
    }
  }
  return () => {
    clearTimeout(player.timer);
    players.delete(parentElement);
  };
}
