// `node clients.mjs PORT MATCHES SEATS`: matches that are played as fast as the server answers, one
// move in flight in each, with a connection for each seat. Reads a number of seconds per line, and
// answers with the time of each move and the time in which all were made, as bench.door.clients.
import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const [port, matches, seats] = process.argv.slice(2).map(Number);
const address = `http://127.0.0.1:${port}`;
const EIGHT = 6;
const suitOf = (card) => Math.floor(card / 13);
const playable = (card, top) =>
  card % 13 === EIGHT || card % 13 === top % 13 || suitOf(card) === suitOf(top);

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const reply = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

class Match {
  times = [];
  isPlaying = false;
  state = null; // as the seat sees it that has to move
  sentAt = null;
  sockets = [];

  async begin() {
    for (const socket of this.sockets) socket.close();
    const { matchID } = await post("/games/eights/create", { numPlayers: seats });
    const arrivals = [];
    this.sockets = [];
    for (let seat = 0; seat < seats; seat += 1) {
      const playerID = String(seat);
      const joined = await post(`/games/eights/${matchID}/join`, { playerID, playerName: playerID });
      const socket = io(`${address}/eights`, { transports: ["websocket"], forceNew: true });
      const player = { matchID, playerID, credentials: joined.playerCredentials, socket };
      socket.on("update", (_, state) => this.take(player, state));
      arrivals.push(
        new Promise((resolve) => {
          socket.on("sync", (_, { state }) => {
            this.see(player, state);
            resolve();
          });
        }),
      );
      socket.emit("sync", matchID, playerID, player.credentials, seats);
      this.sockets.push(socket);
    }
    await Promise.all(arrivals);
  }

  see(player, state) {
    if (state.ctx.currentPlayer === player.playerID) Object.assign(this, { player, state });
  }

  take(player, state) {
    this.see(player, state);
    if (player !== this.mover) return; // the others are told as well
    this.times.push((performance.now() - this.sentAt) / 1000);
    this.sentAt = null;
    if (state.ctx.gameover) this.isOver = true;
    // the next seat's view may still be under way
    if (this.isPlaying) setImmediate(() => this.move());
  }

  async move() {
    if (this.isOver) {
      this.isOver = false;
      this.state = null;
      await this.begin();
    }
    if (this.sentAt !== null || !this.isPlaying) return;
    if (this.state === null || this.state._stateID === this.lastID) {
      setImmediate(() => this.move());
      return;
    }
    const { player, state } = this;
    const { hand } = state.G.players[player.playerID];
    const card = hand.find((each) => playable(each, state.G.discards.at(-1)));
    const move = card === undefined ? { type: "draw", args: [] } : { type: "play", args: [card] };
    const { matchID, playerID, credentials } = player;
    const payload = { ...move, playerID, credentials };
    this.mover = player;
    this.lastID = state._stateID;
    this.sentAt = performance.now();
    player.socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
  }
}

const played = Array.from({ length: matches }, () => new Match());
for (const match of played) await match.begin();
for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  for (const match of played) {
    match.isPlaying = true;
    match.move();
  }
  await new Promise((resolve) => setTimeout(resolve, 1000 * Number(line)));
  for (const match of played) match.isPlaying = false;
  const elapsed = (performance.now() - start) / 1000;
  while (played.some((match) => match.sentAt !== null)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  console.log(JSON.stringify([played.flatMap((match) => match.times.splice(0)), elapsed]));
}
process.exit(0);
