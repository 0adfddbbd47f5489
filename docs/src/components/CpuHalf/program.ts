/**
 * @file The program that is measured in the reader's browser; a reader could write it. It prints a line of JSON for each time, and one for the
 * parts of a loop that was split.
 * @original
 */

/** One time: microseconds of a call, the least of several. */
export interface Time {
  readonly row: string;
  readonly capability: string;
  readonly threads: number;
  readonly us: number;
}

/** Who computed which part of `exp`, milliseconds from its beginning. */
export interface Chunks {
  readonly chunks: readonly {
    readonly begin: number;
    readonly end: number;
    readonly thread: number;
    readonly start_ms: number;
    readonly ms: number;
  }[];
}

/** @param alone on one thread only */
export function program(alone: boolean): string {
  return `import torch from "glasstorch";
import { record } from "glasstorch/trace";

torch.manual_seed(0);
const a = torch.randn([1000, 1000]);
const b = torch.randn([1000, 1000]);
const out = torch.empty([1000, 1000]);
const m = torch.randn([256, 256]);
const rows: Record<string, () => unknown> = {
  "add, a million": () => torch.add(a, b, { out }),
  "exp, a million": () => torch.exp(a, { out }),
  "sum, a million": () => torch.sum(a),
  "mm, 256 by 256": () => torch.mm(m, m),
};

/** A page's clock is coarse: as many calls as take ten milliseconds are one measurement. */
function least(call: () => unknown): number {
  let calls = 1;
  let best = Infinity;
  for (let turn = 0; turn < 6; ) {
    const begin = performance.now();
    for (let k = 0; k < calls; k++) call();
    const ms = performance.now() - begin;
    if (ms < 10) calls *= 2;
    else turn++;
    if (ms >= 10) best = Math.min(best, ms / calls);
  }
  return best * 1000;
}

const capability = torch.backends.cpu.get_cpu_capability();
const most = torch.get_num_threads();
for (const threads of ${alone ? "[1]" : "most === 1 ? [1] : [1, most]"}) {
  torch.set_num_threads(threads);
  for (const [row, call] of Object.entries(rows)) {
    call();
    console.log(JSON.stringify({ row, capability, threads, us: least(call) }));
  }
}
${
  alone
    ? ""
    : `for (let turn = 0; turn < 3; turn++) torch.exp(a, { out });
const split = record(() => torch.exp(a, { out })).events.find((e) => e.kind === "loop");
console.log(JSON.stringify({ chunks: split?.["chunks"] ?? [] }));
`
}`;
}
