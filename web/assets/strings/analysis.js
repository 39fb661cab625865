/** The words of analyses, of bots' thoughts and of hints. */

/** @param {number | null} value */
const worth = (value) => (value === null ? "–" : String(value));

export const ANALYSIS = {
  title: "Analysis",
  ask: "Analyse the game",
  again: "Ask again",
  help: "The search looks at every decision with what its seat knew. This takes some minutes.",
  waiting: "Waiting for the search …",
  progress: (/** @type {number} */ done, /** @type {number} */ total) => `${done} of ${total} parts done`,
  ended: {
    failed: "No worker had time. Ask again.",
    cancelled: "It was cancelled.",
  },
  partial: "Some decisions are missing: the time was not enough.",
  uncalibrated: "Values are uncalibrated: 0 is lost and 1000 is won as the search sees it, and they are no chances.",
  graph: "Value of the best action at each decision, from 0 at the bottom to 1000 at the top",
  point: (/** @type {string} */ name, /** @type {any} */ decision) => `${name}, entry ${decision.entry}: ${worth(decision.best_value)}`,
  costly: "The costliest decisions",
  none: "No decision could be compared.",
  noLoss: "Nothing was better than what was played.",
  decision: (/** @type {string} */ name, /** @type {any} */ { entry, label, value, best_label, best_value }) =>
    `Entry ${entry}, ${name}: played ${label} (${worth(value)}), best ${best_label} (${worth(best_value)})`,
  mean: (/** @type {string} */ name, /** @type {any} */ { compared, mean_loss }) => `${name}: ${compared} compared, mean loss ${worth(mean_loss)}`,
};

export const THOUGHT = {
  title: "What the bot thought",
  ask: "Show the bot's thoughts",
  failed: "No worker had time. Ask again.",
  caption: (/** @type {any} */ { bot, simulations }, /** @type {string} */ method) => `${bot} by ${method}${simulations ? `, ${simulations} simulations` : ""}`,
  columns: ["Action", "Value", "Visits"],
  chosen: "chosen",
  nothing: "It weighed nothing: there was no choice, or this bot does not.",
  altered: "Asked again, the bot chooses another action: the stored decision is not its own.",
  worth,
};

export const POSITION = {
  ask: "Compare the actions of this moment",
  title: (/** @type {string} */ title) => `What ${title} could do`,
};

export const HINT = {
  ask: "Hint",
  help: "All players read in the log that you took a hint.",
  title: "The best actions the search found",
  offer: (/** @type {any} */ { label, value, visits }) => `${label} (${worth(value)}, ${visits} visits)`,
};
