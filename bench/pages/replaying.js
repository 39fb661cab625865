// Run in the page of a table: its replay, by the table's own methods.

(async () => {
  const table = document.querySelector("tabularium-table");
  // a picture from the browser's cache may be painted before the game has come
  while (!table.session?.game) await new Promise(requestAnimationFrame);
  const positions = () => {
    const { first, seq } = table.session.game;
    return [...Array(seq + 1 - first).keys()].map((number) => first + number);
  };

  /** The time until all pictures are kept, from the first press: the single one of that position is among them. */
  const load = async () => {
    const { frames } = table;
    const { load } = frames;
    let loading = null;
    frames.load = (position) => (loading = load.call(frames, position));
    const start = performance.now();
    await table.go(table.session.game.first, true);
    await loading;
    return performance.now() - start;
  };

  const swap = async (isPainted) => {
    const all = positions();
    const start = performance.now();
    for (const seq of all) {
      await table.go(seq);
      if (isPainted) await new Promise(requestAnimationFrame);
    }
    return (1000 * all.length) / (performance.now() - start);
  };

  const singly = async () => {
    const { viewer } = table.session;
    const all = positions();
    const start = performance.now();
    for (const seq of all) await table.frames.get({ seq, viewer, shape: "wide" });
    return (1000 * all.length) / (performance.now() - start);
  };

  window.replaying = { load, swap, singly };
})()
