/**
 * @file Runs a program of a page in a worker, as the playground does, and reads the rows that it prints: one JSON object a line.
 * @original
 */
import type { RunRequest } from "./engine/protocol";
import type { Sent } from "./engine/sent";
import { Runner } from "./engine/workers";

/**
 * Runs it until it ends, and once more whenever a part of the library had not been sent.
 * @param request without the index of symbols, which grows with what has been sent
 * @param patience seconds for which the program may be silent
 * @param seen gets each row as it comes, also those of a run that is repeated
 * @returns the rows of the run that came to its end
 * @throws {Error} with the program's own message, or with the way in which the run ended
 */
export async function rowsOf<Row>(
  sent: Sent,
  request: Omit<RunRequest, "symbols">,
  patience: number,
  seen: (row: Row) => void = () => {},
): Promise<readonly Row[]> {
  for (let times = 0; ; times++) {
    const runner = new Runner();
    const rows: Row[] = [];
    let problem: string | null = null;
    const hear = (row: Row): void => {
      rows.push(row);
      seen(row);
    };
    const ending = await runner.run(
      sent.script,
      sent.modules,
      sent.version,
      { ...request, symbols: sent.symbols },
      (message) => {
        if (message.type === "console" && message.text.startsWith("{")) hear(JSON.parse(message.text));
        else if (message.type === "failure") problem = message.failure.message;
      },
      patience,
    );
    runner.dispose();
    if (problem !== null) throw new Error(problem);
    if (ending.kind === "done") return rows;
    if (ending.kind !== "missing" || sent.whole) throw new Error(`the run ended: ${ending.kind}`);
    await sent.fetchMissing(ending.part, times);
  }
}
