// A tournament run by nothing but the client that @hey-api/openapi-ts made of /api/v1/openapi.json.
import { client } from "./api/client.gen";
import { getBoards, getOverview, openTournament, sendCommands } from "./api/sdk.gen";
import type { Order } from "./api/types.gen";

const [base, key] = process.argv.slice(2);
client.setConfig({ baseUrl: base, auth: key, throwOnError: true });
let sent = 0;

async function opened(): Promise<string> {
  const { data } = await openTournament({
    body: { regulations: { name: "Blitz", rounds: 3 } },
    headers: { "Idempotency-Key": "open-ts" },
    throwOnError: true,
  });
  return data.id;
}

async function send(tournament: string, commands: Order["commands"]): Promise<void> {
  const now = await getOverview({ path: { tournament }, throwOnError: true });
  const headers = { "Idempotency-Key": `ts-${++sent}`, "If-Match": `"${now.data.version}"` };
  await sendCommands({ path: { tournament }, body: { commands }, headers, throwOnError: true });
}

async function main(): Promise<void> {
  const tournament = await opened();
  const names = ["Ada", "Ben", "Cleo", "Dag", "Eva", "Finn", "Gil", "Hal"];
  for (const [at, name] of names.entries()) {
    await send(tournament, [{ do: "register-player", details: { name, rating: 2100 - 50 * at } }]);
  }
  await send(tournament, [{ do: "draw-initial-colour", colour: "w" }]);
  for (const round of [1, 2, 3]) {
    await send(tournament, [{ do: "pair-round", round }]);
    await send(tournament, [{ do: "publish-round", round }]);
    const { data } = await getBoards({ path: { tournament, round }, throwOnError: true });
    for (const board of data.boards) {
      const stronger = (board.white?.rating ?? 0) > (board.black?.rating ?? 0);
      const outcome = stronger ? "1-0" : "½-½";
      await send(tournament, [{ do: "record-result", round, board: board.board, outcome }]);
    }
  }
  await send(tournament, [{ do: "close-tournament" }]);
  console.log(tournament);
}

void main();
