// Run in the page that verifies: its own modules, on an export that is there.

(() => {
  const modules = new URL(".", document.querySelector('link[href$="page.css"]').href).href;

  const exported = async (game) => {
    const [{ api }, { fetchExport }] = await Promise.all(["account.js", "fairness.js"].map((name) => import(modules + name)));
    return await fetchExport(api, game);
  };

  /** The time to read the entries, to check the shape of each, the chain of all and the life of the table. */
  const readChain = async (game) => {
    const { Game, linesOf } = await import(`${modules}verify.js`);
    const lines = [...linesOf(await exported(game))];
    let read;
    const took = await timed(() => {
      read = new Game();
      for (const line of lines) read.read(line);
    });
    return { took, entries: read.entries.length };
  };

  /** The time to verify the whole, from the first line to the last signature. */
  const verify = async (game) => {
    const { checkExport } = await import(`${modules}fairness.js`);
    await import(`${modules}verify.js`);
    const file = await exported(game);
    const start = performance.now();
    const { ok, entries } = await checkExport(file, { game });
    return { took: performance.now() - start, entries, ok };
  };

  window.verifying = { readChain, verify };
})()
