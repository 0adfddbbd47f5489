/**
 * @file Threads: no result depends on their number, a recording tells who did what, a failure is one error, and no process waits for them.
 * @original
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assemble, type WasmFunction } from "#aten/cpu/vec/assembler";
import { instantiate } from "#aten/cpu/vec/modules";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { parallel_kernel, set_largest_grain_size, set_patience } from "#aten/ParallelNative";
import { cpu_heap, heap_memory } from "#c10/core/CPUHeap";
import { WITH_LIBRARY } from "../../tools/module_loader/with_library.ts";
import { heap_may_be_full, heap_under_stress, tensors_in_heap } from "../helpers/heap_stress.ts";

const before = torch.get_num_threads();
beforeEach(() => set_largest_grain_size(Number.POSITIVE_INFINITY));
afterEach(() => {
  set_largest_grain_size(Number.POSITIVE_INFINITY);
  torch.set_num_threads(before);
});

interface Chunk {
  readonly begin: number;
  readonly end: number;
  readonly thread: number;
  readonly start_ms: number;
  readonly ms: number;
}

/** The chunks of the last loop of a call; undefined if it ran on one thread. */
function chunks_of(run: () => unknown): Chunk[] | undefined {
  return record(run)
    .events.filter((e) => e.kind === "loop")
    .at(-1)?.["chunks"] as Chunk[] | undefined;
}

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** As bits: NaNs and the signs of zeros count. */
function bits(t: Tensor): number[] {
  return [...t.contiguous().view(torch.uint8).numpy()] as number[];
}

describe("the number of threads", () => {
  it("is what was set, else what the machine has", () => {
    expect(before).toBeGreaterThan(0);
    torch.set_num_threads(3);
    expect(torch.get_num_threads()).toBe(3);
  });
  it.each([
    [0, "set_num_threads expects a positive integer"],
    [-2, "set_num_threads expects a positive integer"],
    [1.5, "set_num_threads expects an int, but got float"],
    ["2", "set_num_threads expects an int, but got str"],
    [true, "set_num_threads expects an int, but got bool"],
  ])("refuses %s", (n, message) => {
    expect(() => torch.set_num_threads(n as number)).toThrow(message);
    expect(torch.get_num_threads()).toBe(before);
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT)("the same bits on any number of threads", () => {
  const x = torch.randn([37, 61]);
  const y = torch.randn([61, 53]);
  const long = torch.randn([5000]);
  const batch = torch.randn([7, 19, 23]);
  const cases: Record<string, () => Tensor> = {
    add: () => x.add(x, { alpha: 3 }),
    "int64 with a bigint capture": () => torch.arange(3000).add(torch.arange(3000), { alpha: 7 }),
    exp: () => long.exp(),
    compare: () => long.lt(0),
    "in place": () => long.clone().mul_(2).sigmoid_(),
    "a broadcast operand": () => batch.mul(batch.select(1, 0).unsqueeze(1)),
    "rows apart": () =>
      torch
        .randn([1])
        .expand([4])
        .sum()
        .mul(0)
        .add(batch.narrow(2, 2, 17))
        .exp(),
    float64: () => x.double().tanh(),
    halves: () => long.half().mul(long.half()),
    mm: () => torch.mm(torch.cat([x, x, x]), y),
    "mm of transposed ones": () => torch.mm(y.t(), x.t()),
    addmm: () => torch.addmm(torch.ones([53]), torch.cat([x, x, x]), y, { beta: 0.5, alpha: 2 }),
    "mm in panels": () => torch.mm(torch.cat([long, long]).view([100, 100]), long.view([100, 50])),
    "mm whose last part is a row": () => torch.mm(torch.cat([x, x.narrow(0, 0, 12)]), torch.cat([y, y, y, y, y, y], 1)),
    "mm of rows that lie side by side": () =>
      torch.mm(torch.cat([x, x.narrow(0, 0, 12)]), torch.cat([y, y, y, y, y, y], 1).t().contiguous().t()),
    "mm of few rows, terms side by side": () => torch.mm(long.view([10, 500]), long.view([10, 500]).repeat([9, 1]).t()),
    "mm of few rows, columns side by side": () =>
      torch.mm(long.view([10, 500]), torch.cat([long, long, long, long]).view([500, 40])),
    "mm of few rows in panels": () =>
      torch.mm(long.view([10, 500]), torch.cat([long, long, long, long]).repeat([5]).view([500, 200])),
    "mm of one row": () => torch.mm(long.view([1, 5000]).narrow(1, 0, 100), torch.cat([long, long]).view([100, 100])),
    "mv by columns": () => torch.mv(torch.cat([long, long]).view([100, 100]).t(), long.narrow(0, 0, 100)),
    mv: () => torch.mv(torch.cat([long, long]).view([100, 100]), long.narrow(0, 0, 100)),
    bmm: () => torch.bmm(batch, batch.transpose(1, 2)),
    softmax: () => torch.softmax(batch, 2),
    log_softmax: () => torch.log_softmax(x, 1),
    "sum of rows": () => torch.sum(x, 1),
    "sum of columns": () => torch.sum(long.view([50, 100]), 0),
    "sum of all": () => torch.sum(long).view([1]),
    "sum over dimensions apart": () => torch.sum(batch, [0, 2]),
    "largest over dimensions apart": () => torch.amax(batch, [0, 2]),
  };
  for (const [name, run] of Object.entries(cases)) {
    it.skipIf(name.startsWith("mm") && heap_may_be_full)(name, () => {
      torch.set_num_threads(1);
      torch.manual_seed(0);
      const alone = bits(run());
      set_largest_grain_size(1);
      for (const threads of [2, 3, 5]) {
        torch.set_num_threads(threads);
        torch.manual_seed(0);
        for (let turn = 0; turn < 5; turn++) {
          torch.manual_seed(0);
          expect(bits(run())).toEqual(alone);
        }
      }
    });
  }

  it.skipIf(heap_may_be_full || !tensors_in_heap)("ranges are split as at::parallel_for does", () => {
    torch.set_num_threads(4);
    const parts = (n: number): number[][] | undefined =>
      chunks_of(() => torch.ones([n]).mul(2))?.map(({ begin, end }) => [begin, end]);
    expect(parts(32768)).toBeUndefined();
    expect(parts(32769)).toEqual([
      [0, 16385],
      [16385, 32769],
    ]);
    expect(parts(200_000)?.length).toBe(4);
    torch.set_num_threads(1);
    expect(parts(200_000)).toBeUndefined();
  });

  it.skipIf(heap_may_be_full || !tensors_in_heap)("a recording tells which thread ran which part, and when", () => {
    torch.set_num_threads(2);
    const [a, out] = [torch.randn([4_000_000]), torch.empty([4_000_000])];
    cpu_heap()?.sweep(); // so that none is due
    let others = 0;
    for (let turn = 0; turn < 200 && others === 0; turn++) {
      const chunks = chunks_of(() => torch.exp(a, { out })) as Chunk[];
      expect(chunks.map((c) => [c.begin, c.end])).toEqual([
        [0, 2_000_000],
        [2_000_000, 4_000_000],
      ]);
      for (const c of chunks) expect(Math.min(c.start_ms + 1, c.ms)).toBeGreaterThan(0);
      others = chunks.filter((c) => c.thread !== 0).length;
      wait(20); // a worker starts while this thread waits
    }
    expect(others).toBeGreaterThan(0);
  });

  it.skipIf(heap_may_be_full || !tensors_in_heap || heap_under_stress)(
    "a sweep that is due is made beside a job",
    () => {
      torch.set_num_threads(2);
      const a = torch.arange(1_000_000, { dtype: torch.float32 });
      const expected = bits(a.add(a));
      let beside = 0;
      for (let turn = 0; turn < 300 && beside === 0; turn++) {
        let sum: Tensor | undefined;
        const { events } = record(() => {
          sum = a.add(a);
        });
        const loop = events.find((e) => e.kind === "loop");
        const sweep = events.find((e) => e.name === "c10::CPUHeap::sweep");
        if (loop === undefined || sweep?.parent !== loop.id) continue; // none, or at the allocation
        beside++;
        const chunks = loop["chunks"] as Chunk[];
        expect(chunks.map((c) => c.end - c.begin)).toEqual(Array(8).fill(125_000));
        expect(bits(sum as Tensor)).toEqual(expected);
      }
      expect(beside).toBe(1);
    },
  );

  it("more calls than a job holds", () => {
    torch.set_num_threads(2);
    set_largest_grain_size(1);
    const many = torch.arange(3 * 40_000, { dtype: torch.float32 }).view([40_000, 3]);
    const apart = torch
      .empty([20, 2000, 4])
      .narrow(2, 0, 3)
      .copy_(many.view([20, 2000, 3]));
    expect(torch.equal(apart.mul(2).reshape([-1]), many.reshape([-1]).mul(2))).toBe(true);
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT)("one result is made by one thread", () => {
  const x = torch.randn([7, 10, 90]);
  // The iterator's two inner dimensions are both reduced: what it walks are 90 columns or rows of the same result.
  it.each([
    ["sum", () => torch.sum(x, [0, 2])],
    ["amax", () => torch.amax(x, [0, 2])],
    ["amin", () => torch.amin(x, [0, 2])],
  ])("%s over dimensions that are not neighbours", (_, run) => {
    set_largest_grain_size(1);
    torch.set_num_threads(2);
    expect(chunks_of(run)).toBeUndefined();
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT)("a part that fails", () => {
  type Kernel = (room: number, n: number) => void;

  /** About a millisecond. */
  const SLOWLY =
    "i32.const 1000000, local.set $i, loop $more, local.get $i, i32.const -1, i32.add, local.tee $i, br_if $more, end";

  /**
   * A kernel that does `body` where the room is not the caller's 0, which is in a worker. The caller takes its time, so that a worker
   * comes to a part though the machine is busy.
   */
  function in_workers(body: readonly string[]): Kernel {
    const f: WasmFunction = {
      name: "f",
      params: [
        ["room", "i32"],
        ["n", "i32"],
      ],
      results: [],
      locals: [["i", "i32"]],
      body: ["local.get $room", "if", ...body, "else", ...SLOWLY.split(", "), "end"],
    };
    const bytes = assemble([f], { initial: 1, maximum: 32768, shared: true });
    return (instantiate(bytes, heap_memory() as WebAssembly.Memory) as { f: Kernel }).f;
  }

  /** Until a worker took a part: it may sleep, or not have started. */
  function run_until_taken(kernel: Kernel): void {
    for (let turn = 0; turn < 400; turn++) {
      parallel_kernel(kernel, 0, 0, 64, 1, (f, begin, end) => {
        for (let i = begin; i < end; i++) f(0, i);
      });
      wait(5);
    }
  }

  it("is an error of the call, and the next call is well", () => {
    torch.set_num_threads(2);
    expect(() => run_until_taken(in_workers(["unreachable"]))).toThrow(
      /Caught RuntimeError: unreachable in thread \d+ of the intra-op pool\./,
    );
    set_largest_grain_size(1);
    expect(torch.ones([1000]).mul(2).sum().item()).toBe(2000);
  });

  it("never comes back: one error, new threads", () => {
    torch.set_num_threads(2);
    set_patience(300);
    expect(() => run_until_taken(in_workers(["loop $ever", "br $ever", "end"]))).toThrow(
      /A thread of the intra-op pool died: [12] parts? of a kernel's range did not come back\./,
    );
    set_patience(10_000);
    set_largest_grain_size(1);
    for (let turn = 0; turn < 20; turn++) expect(torch.ones([1000]).mul(2).sum().item()).toBe(2000);
  });
});

describe("a process", () => {
  const child = fileURLToPath(new URL("../helpers/threads_child.ts", import.meta.url));
  const run = (how: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [...WITH_LIBRARY, child, how], {
      encoding: "utf8",
      timeout: 50_000,
      env: { ...process.env, ...env },
    });

  it.each(["sleeping", "spinning", "exit"])("ends by itself, its threads %s", (how) => {
    const { status, stdout, stderr } = run(how);
    expect([status, stdout.trim(), stderr.replace(/^npm warn.*$/gm, "").trim()]).toEqual([0, "done", ""]);
  });
  it("reads OMP_NUM_THREADS and MKL_NUM_THREADS", () => {
    expect(run("threads", { OMP_NUM_THREADS: "3" }).stdout.trim()).toBe("3");
    expect(run("threads", { OMP_NUM_THREADS: "3", MKL_NUM_THREADS: "5" }).stdout.trim()).toBe("5");
    const wrong = run("threads", { OMP_NUM_THREADS: "many" });
    expect(wrong.stdout.trim()).toBe(String(availableParallelism()));
    expect(wrong.stderr).toContain("Invalid OMP_NUM_THREADS variable value, stoi");
  });
});
