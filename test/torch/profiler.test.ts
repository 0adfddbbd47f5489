/** `torch.profiler`: the same operators, nodes, inputs, arrows and allocations as PyTorch's profiler exports. Recorded by tools/oracle/record_profiler.py. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { type Any, readFixture } from "../helpers/recorded.ts";

const recorded = readFixture<{ keys: string[]; events: Any[] }>(
  new URL("../fixtures/profiler/prelu.json.gz", import.meta.url),
);

function profiled(): Any {
  const net = new torch.nn.PReLU();
  const x = torch.randn([3, 4], { requires_grad: true });
  const g = torch.ones([3, 4]);
  const prof = torch.profiler.profile.run(() => net(x).backward(g), { record_shapes: true, profile_memory: true });
  const folder = mkdtempSync(join(tmpdir(), "glasstorch-profile-"));
  const file = join(folder, "trace.json");
  prof.export_chrome_trace(file);
  const trace = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  return trace;
}

/** As the recorder leaves events: no times, ids, addresses; sequence numbers from the first. */
function comparable(trace: Any): Any[] {
  const numbers = trace.traceEvents.flatMap((e: Any) => e.args?.["Sequence number"] ?? []);
  const first = Math.min(...numbers);
  return trace.traceEvents
    .filter((e: Any) => ["cpu_op", "fwdbwd", "cpu_instant_event"].includes(e.cat))
    .map(({ pid, tid, ts, dur, ...e }: Any) => {
      const { Addr, "Total Allocated": total, "Ev Idx": index, ...args } = e.args ?? {};
      if ("Sequence number" in args) args["Sequence number"] -= first;
      return e.args === undefined ? e : { ...e, args };
    });
}

const trace = profiled();
const ops = (events: Any[]) => events.filter((e) => e.cat === "cpu_op");

test("operators and nodes, in order, with PyTorch's fields", () => {
  expect(ops(comparable(trace)).map((e) => e.name)).toEqual(ops(recorded.events).map((e) => e.name));
  expect(ops(comparable(trace))).toEqual(ops(recorded.events));
});

test("arrows from forward to backward", () => {
  const arrows = (events: Any[]) => events.filter((e) => e.cat === "fwdbwd");
  expect(arrows(comparable(trace))).toEqual(arrows(recorded.events));
});

test("allocations", () => {
  const bytes = (events: Any[]) => events.filter((e) => e.name === "[memory]").map((e) => e.args.Bytes);
  expect(bytes(comparable(trace)).filter((b) => b > 0)).toEqual(bytes(recorded.events));
});

test("the file's head has PyTorch's keys", () => {
  const known = Object.keys(trace).filter((k) => k !== "traceEvents");
  expect(recorded.keys.filter((k) => !known.includes(k))).toEqual([]);
});

test("averages and the table", () => {
  const x = torch.randn([4]);
  const prof = torch.profiler.profile.run(() => {
    torch.profiler.record_function("mine", () => x.add(x));
    x.add(x);
  });
  const averages = prof.key_averages();
  expect(averages.find((a) => a.key === "aten::add")?.count).toBe(2);
  expect(
    prof
      .events()
      .find((e) => e.name === "mine")
      ?.cpu_children.map((e) => e.name),
  ).toEqual(["aten::add"]);
  expect(averages.table({ sort_by: "cpu_time_total" })).toContain("Self CPU time total:");
});

test("a second profiler is refused, and an error inside leaves the profiler off", () => {
  torch.profiler.profile.run(() => {
    expect(() => new torch.profiler.profile().start()).toThrow("Profiler is already enabled");
  });
  expect(() => torch.profiler.profile.run(() => torch.mm(torch.ones([2]), torch.ones([2])))).toThrow();
  expect(torch.profiler.profile.run(() => torch.ones([1])).events().length).toBeGreaterThan(0);
});

test("a file for each cycle, where TensorBoard looks for it", () => {
  const folder = mkdtempSync(join(tmpdir(), "glasstorch-profile-"));
  const { ProfilerActivity, profile, schedule, supported_activities, tensorboard_trace_handler } = torch.profiler;
  expect([...supported_activities()]).toEqual([ProfilerActivity.CPU]);
  const cycles = (handler: Any) => {
    const prof = new profile({ schedule: schedule({ wait: 0, warmup: 1, active: 1 }), on_trace_ready: handler });
    prof.start();
    for (let i = 0; i < 4; i++) {
      torch.ones(2).sin();
      prof.step();
    }
    prof.stop();
  };
  const files = (of: string) => readdirSync(join(folder, of)).sort();
  cycles(tensorboard_trace_handler(join(folder, "a", "b"), "me"));
  expect(files("a/b").map((name) => name.replace(/\d+/, "N"))).toEqual(["me.N.pt.trace.json", "me.N.pt.trace.json"]);
  cycles(tensorboard_trace_handler(join(folder, "c"), { use_gzip: true }));
  const [zipped] = files("c");
  expect(zipped).toMatch(/^.+_\d+\.\d+\.pt\.trace\.json\.gz$/);
  const trace = JSON.parse(gunzipSync(readFileSync(join(folder, "c", zipped))).toString());
  expect(trace.traceEvents.some((event: Any) => event.name === "aten::sin")).toBe(true);
  writeFileSync(join(folder, "taken"), "");
  const refused = tensorboard_trace_handler(join(folder, "taken", "x")) as Any;
  expect(() => refused(null)).toThrow(`Can't create directory: ${join(folder, "taken", "x")}`);
  rmSync(folder, { recursive: true });
});
