/**
 * @file Runs the program of program.ts in workers as the playground does, one after the other for each machine.
 * @original
 */
import type { Capability } from "../../playground/engine/protocol";
import type { RunAddresses } from "../../playground/engine/sent";
import { compilers, sentOnce } from "../../playground/loading";
import { rowsOf } from "../../playground/rows";
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
    const request = { program: { path: PATH, text, js }, options, files: [], complete: true };
    await rowsOf<Time | Chunks>(sent, request, PATIENCE, tell);
  }
}
