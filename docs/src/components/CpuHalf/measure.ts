/**
 * @file Runs the program of program.ts in workers as the playground does, one after the other for each machine.
 * @original
 */
import type { Capability } from "../../playground/engine/protocol";
import type { RunAddresses } from "../../playground/engine/sent";
import { Runner } from "../../playground/engine/workers";
import { compilers, sentOnce } from "../../playground/loading";
import { type Chunks, program, type Time } from "./program";

const PATH = "playground/measured.ts";
/** A row of JavaScript may take a while. */
const PATIENCE = 30;

/** @param tell gets each line as it comes */
export async function measure(addresses: RunAddresses, tell: (line: Time | Chunks) => void): Promise<void> {
  const sent = await sentOnce(addresses);
  const runs: readonly (Capability | undefined)[] = ["default", "simd128", undefined];
  for (const capability of runs) {
    const text = program(capability !== undefined);
    await sent.fetchFor(text);
    const js = await compilers.compileProgram(PATH, text);
    const options = { detail: "layers", values: false, capability } as const;
    const request = { program: { path: PATH, text, js }, options, files: [], complete: true, symbols: sent.symbols };
    for (;;) {
      const runner = new Runner();
      let problem: string | null = null;
      const ending = await runner.run(
        sent.script,
        sent.modules,
        sent.version,
        request,
        (message) => {
          if (message.type === "console" && message.text.startsWith("{")) tell(JSON.parse(message.text));
          else if (message.type === "failure") problem = message.failure.message;
        },
        PATIENCE,
      );
      runner.dispose();
      if (problem !== null) throw new Error(problem);
      if (ending.kind === "done") break;
      if (ending.kind !== "missing") throw new Error(`the run ended: ${ending.kind}`);
      await sent.fetchRest(); // and once more
    }
  }
}
