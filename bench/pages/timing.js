// Run before the scripts of a page, of either server: times on its clock, in milliseconds.

{
  const LEAST = 10; // milliseconds that a measurement takes: the clock of a page has steps of 0.1 ms

  /** How long work takes, as the mean of several times if it is short. */
  const timed = async (work) => {
    const start = performance.now();
    for (let times = 1; ; times += 1) {
      await work();
      const took = performance.now() - start;
      if (took >= LEAST) return took / times;
    }
  };

  const board = () => document.querySelector("tabularium-table")?.board ?? document.getElementById("board");

  const isShown = () => {
    const picture = board()?.querySelector("svg");
    return Boolean(picture) && picture.checkVisibility() && picture.getBoundingClientRect().width > 0;
  };

  /** The time when all that has been changed is painted. */
  const painted = () => new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    });
  });

  /** The time since navigation when the first picture is painted. */
  const firstPicture = async () => {
    while (!isShown()) await new Promise(requestAnimationFrame);
    return await painted();
  };

  /** The time when another picture is painted. */
  const nextPicture = () => new Promise((resolve) => {
    const shown = board();
    const before = shown.querySelector("svg");
    new MutationObserver(async (_, observer) => {
      const now = shown.querySelector("svg");
      if (!now || now === before) return;
      observer.disconnect();
      resolve(await painted());
    }).observe(shown, { childList: true });
  });

  /** The time when the next POST of an action is answered. */
  const nextAnswer = () => new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      const entry = list.getEntries().find(({ name }) => name.endsWith("/actions"));
      if (!entry) return;
      observer.disconnect();
      resolve(entry.responseEnd);
    }).observe({ type: "resource" });
  });

  const wait = () => {
    window.picture = nextPicture().then((at) => performance.timeOrigin + at);
  };

  const awaitClick = () => {
    window.acted = new Promise((resolve) => {
      addEventListener("click", async ({ timeStamp }) => {
        const [answered, shown] = await Promise.all([nextAnswer(), nextPicture()]);
        resolve({ clicked: performance.timeOrigin + timeStamp, answered: answered - timeStamp, shown: shown - timeStamp });
      }, { capture: true, once: true });
    });
  };

  /** What was loaded until the first picture. */
  const loaded = () => {
    const entries = performance.getEntriesByType("resource");
    const picture = entries.find(({ name }) => name.includes("/picture.svg"));
    const calls = entries.filter(({ name, startTime }) => name.includes("/api/") && startTime < (picture?.responseEnd ?? 0));
    const assets = entries.filter(({ name }) => name.includes("/static/"));
    return { calls: calls.length, bytes: assets.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  };

  Object.assign(window, { timed, firstPicture: firstPicture(), wait, awaitClick, loaded });
}
