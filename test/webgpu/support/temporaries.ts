/**
 * @file A process of its own that makes temporaries of 1 MB in one synchronous job, under a limit of 64 MB: each is written by a kernel from
 * the one before, as in a running computation. Prints what it saw as JSON.
 *
 *     npx tsx test/webgpu/support/temporaries.ts COUNT [no_deaths]
 *
 * With `no_deaths` nothing is ever known to be dead, as in a browser within one job: paging alone makes room.
 */
import type { Memory } from "../../../src/c10/webgpu/memory.ts";
import { fill, launch_affine, MB, malloc, open_device, u32_of } from "./device.ts";
import { use_swiftshader } from "./swiftshader.ts";

const [, , count, how] = process.argv;

function run(): void {
  const device = open_device({ total_memory: 64 * MB, ...(how === "no_deaths" ? { deaths: null } : {}) });
  const old = malloc(device, MB);
  fill(device, old, 4711);
  let running: Memory = malloc(device, MB);
  fill(device, running, 1);
  const resident: number[] = [];
  const start = performance.now();
  for (let i = 0; i < Number(count); i++) {
    const next = malloc(device, MB);
    launch_affine(device, next, running, 3, 1, 64); // a few words: the test is of memory, not of arithmetic
    running = next;
    if (i % 100 === 0) resident.push(process.memoryUsage().rss);
  }
  const value = u32_of(device, running)[63];
  const ms = performance.now() - start;
  let expected = 1;
  for (let i = 0; i < Number(count); i++) expected = (Math.imul(expected, 3) + 1) >>> 0;
  const old_words = u32_of(device, old);
  const { num_page_outs, num_page_ins, num_sweeps, reserved_bytes, allocation } = device.allocator.stats;
  console.log(
    JSON.stringify({
      right: value === expected,
      old_right: old_words.every((word) => word === 4711),
      ms: Math.round(ms),
      reserved_peak_mb: reserved_bytes.all.peak / MB,
      rss_first_mb: Math.round(Math.max(...resident.slice(0, resident.length / 4)) / MB),
      rss_peak_mb: Math.round(Math.max(...resident) / MB),
      num_page_outs,
      num_page_ins,
      num_sweeps,
      allocated: allocation.all.allocated,
    }),
  );
  device.stop();
}

void use_swiftshader().then(run);
