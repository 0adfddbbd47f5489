/** @file Effects of the heap on a process: its memory in one synchronous job, a training loop, a program with many objects. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { WITH_LIBRARY } from "../../../tools/module_loader/with_library.ts";

/** Longer: `GLASSTORCH_HEAP_LONG=1 npx vitest run test/c10/core/heap_process.test.ts`. */
const long = process.env["GLASSTORCH_HEAP_LONG"] === "1";

/** A busy machine is no fault. */
const timeout = 300_000;

type Told = Record<string, number> & { readonly reserved: number[] };

function child(what: string, count: number): Told {
  const args = [...WITH_LIBRARY, "test/helpers/heap_child.ts", what, String(count)];
  const made = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const told = JSON.parse(made.stdout) as Told;
  console.log(`${what} ${count}: ${JSON.stringify(told)}`);
  return told;
}

test("temporaries of 1 MB in one job: a process stays under 400 MB", { timeout }, () => {
  // So many that there is time for some sweeps, which take a share of it: a fast machine makes 3000 in half a second.
  const told = child("temporaries", long ? 100_000 : 10_000);
  // Where the heap is full ArrayBuffers serve, and of those some engines let more lie about than others.
  const plain = child("array_buffers", long ? 100_000 : 3000);
  expect(told["rss_mb"]).toBeLessThan(Math.max(400, plain["rss_mb"] + 250));
  expect(told["num_sweeps"]).toBeGreaterThan(0);
  expect(told["allocation.all.freed"]).toBeGreaterThan(told["allocation.all.current"]);
});

test("a training loop that never awaits takes no more after the first steps", { timeout }, () => {
  const { reserved } = child("training", long ? 10_000 : 2500);
  expect(reserved[4] - reserved[1]).toBeLessThan(100 * 2 ** 20);
});

// How long it took with and without the objects is printed, and not judged: a machine may be busy.
test("beside millions of objects of the program's own, sweeping keeps to its share", { timeout }, () => {
  const told = child("beside_objects", long ? 500 : 100);
  expect(told["allocated_bytes.all.peak"]).toBeLessThan(256 * 2 ** 20); // what then finds no room takes an ArrayBuffer
  expect(told["sweep_ms"]).toBeLessThan(0.5 * told["ms"]); // the first comes unasked; then a tenth
});
