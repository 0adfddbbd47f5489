/**
 * @file Runs the program of program.ts in a worker, as the playground does.
 * @original
 */
import type { RunAddresses } from "../../playground/engine/sent";
import { Runner } from "../../playground/engine/workers";
import { sentOnce } from "../../playground/loading";
import type { Captured } from "./program";

const PATH = "playground/program.py";
/** Seconds that seven captures may take. */
const PATIENCE = 60;

/** @param tell gets each row as it comes */
export async function capture(addresses: RunAddresses, text: string, tell: (row: Captured) => void): Promise<void> {
  const sent = await sentOnce(addresses);
  await sent.fetchForPython(text, "");
  const options = { detail: "layers", values: false } as const;
  for (let times = 0; ; times++) {
    const request = {
      program: { path: PATH, text, js: "" },
      options,
      files: [],
      complete: true,
      symbols: sent.symbols,
    };
    const runner = new Runner();
    let problem: string | null = null;
    const rows: Captured[] = [];
    const ending = await runner.run(
      sent.script,
      sent.modules,
      sent.version,
      request,
      (message) => {
        if (message.type === "console" && message.text.startsWith("{")) rows.push(JSON.parse(message.text));
        else if (message.type === "failure") problem = message.failure.message;
      },
      PATIENCE,
    );
    runner.dispose();
    if (ending.kind === "missing" && !sent.whole) {
      await sent.fetchMissing(ending.part, times);
      continue;
    }
    if (problem !== null) throw new Error(problem);
    if (ending.kind !== "done") throw new Error(`the run ended: ${ending.kind}`);
    for (const row of rows) tell(row);
    return;
  }
}
