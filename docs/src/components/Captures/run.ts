/**
 * @file Runs the program of program.ts in a worker, as the playground does.
 * @original
 */
import type { RunAddresses } from "../../playground/engine/sent";
import { sentOnce } from "../../playground/loading";
import { rowsOf } from "../../playground/rows";
import type { Captured } from "./program";

const PATH = "playground/program.py";
/** Seconds that seven captures may take. */
const PATIENCE = 60;

/** @param tell gets each row, when all have come */
export async function capture(addresses: RunAddresses, text: string, tell: (row: Captured) => void): Promise<void> {
  const sent = await sentOnce(addresses);
  await sent.fetchForPython(text, "");
  const options = { detail: "layers", values: false } as const;
  const request = { program: { path: PATH, text, js: "" }, options, files: [], complete: true };
  for (const row of await rowsOf<Captured>(sent, request, PATIENCE)) tell(row);
}
