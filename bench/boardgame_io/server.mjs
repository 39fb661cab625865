// boardgame.io's own server with a card game of our own words: crazy eights, kept in memory.
import { PlayerView } from "boardgame.io/dist/cjs/core.js";
import { Server } from "boardgame.io/dist/cjs/server.js";

const HAND = 5;
const EIGHT = 6; // a card is suit * 13 + rank, from two to ace

const isPlayable = (card, top) =>
  card % 13 === EIGHT || card % 13 === top % 13 || Math.floor(card / 13) === Math.floor(top / 13);

const Eights = {
  name: "eights",
  minPlayers: 2,
  maxPlayers: 4,
  setup: ({ ctx, random }) => {
    const deck = random.Shuffle(Array.from({ length: 52 }, (_, card) => card));
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat += 1) {
      players[seat] = { hand: deck.splice(0, HAND) };
    }
    return { players, discards: deck.splice(0, 1), counts: {}, secret: { deck } };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID }, card) => {
        const { hand } = G.players[playerID];
        if (!hand.includes(card) || !isPlayable(card, G.discards.at(-1))) return "INVALID_MOVE";
        hand.splice(hand.indexOf(card), 1);
        G.discards.push(card);
        G.counts[playerID] = hand.length;
      },
    },
    draw: {
      client: false,
      redact: true,
      move: ({ G, playerID, random }) => {
        if (G.secret.deck.length === 0) {
          G.secret.deck = random.Shuffle(G.discards.splice(0, G.discards.length - 1));
        }
        const { hand } = G.players[playerID];
        hand.push(...G.secret.deck.splice(0, 1));
        G.counts[playerID] = hand.length;
      },
    },
  },
  endIf: ({ G }) => {
    const winner = Object.keys(G.players).find((seat) => G.players[seat].hand.length === 0);
    return winner === undefined ? undefined : { winner };
  },
};

await Server({ games: [Eights], origins: ["http://127.0.0.1"] }).run(Number(process.argv[2]));
