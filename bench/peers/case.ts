/**
 * @file Times one row in one library, in the process that this program is: `LIBRARY ROW THREADS RESULT_FILE`, the row as JSON. Says what
 * it took in one line of JSON, and writes the numbers of the result where it is told.
 * @original
 */
import { writeFileSync } from "node:fs";
import { awaited_loop_of, loop_of, measure } from "../measure.ts";
import * as glasstorch from "./glasstorch.ts";
import * as jax from "./jax-js.ts";
import * as numpy from "./numpy-ts.ts";
import type { Open, Row } from "./rows.ts";
import * as tfjs from "./tfjs.ts";

const open: Readonly<Record<string, Open>> = {
  glasstorch: glasstorch.open,
  "tfjs-wasm": tfjs.open,
  "jax-js": jax.open,
  "numpy-ts": numpy.open,
};

/** The result of one process; no `ns` if the library lacks the row, or that number of threads. */
export interface Timed {
  readonly threads: number;
  readonly ns?: number;
}

const [name, row, wanted, file] = process.argv.slice(2);
const { threads, awaited, make } = await open[name](Number(wanted));
const asked = threads === Number(wanted) ? make(JSON.parse(row) as Row) : null;
let said: Timed = { threads };
if (asked !== null) {
  writeFileSync(file, Float32Array.from(await asked.result()));
  let ns = Number.POSITIVE_INFINITY;
  for (const way of asked.ways) ns = Math.min(ns, await measure(awaited ? awaited_loop_of(way) : loop_of(way)));
  said = { threads, ns };
}
process.stdout.write(JSON.stringify(said), () => process.exit()); // what a library still waits for is of no interest
