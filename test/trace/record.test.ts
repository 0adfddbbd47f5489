/** The recorder and the trace: order, nesting, fields, forms; and that a trace follows what really happens. */
import torch from "glasstorch";
import { laneOf, record, stop, Trace, toChrome, toMermaid, toText } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { TORCH_LIBRARY } from "#aten/core/library";

const a = torch.tensor([1.5, 2.5, 3.5]);
const b = torch.tensor([10.5, 20.5, 30.5]);
const add = () => torch.add(a, b);
add();

describe("a recording", () => {
  const trace = record(add);

  test("lists events in order of begin, parents first, children inside", () => {
    trace.events.forEach((event, i) => {
      expect(event.id).toBe(i);
      expect(event.end).toBeGreaterThanOrEqual(event.start);
      const parent = trace.parent(event);
      if (parent === null) return;
      expect(parent.id).toBeLessThan(event.id);
      expect(parent.start).toBeLessThanOrEqual(event.start);
      expect(parent.end).toBeGreaterThanOrEqual(event.end);
    });
  });

  test("passes every layer once, top to bottom", () => {
    const lanes = trace.events.map((e) => laneOf(e, trace.parent(e)));
    const order = ["binding", "dispatcher", "autograd", "native", "loop"].map((lane) => lanes.indexOf(lane as never));
    expect(order.every((at, i) => at >= 0 && (i === 0 || at > order[i - 1]))).toBe(true);
  });

  test("gives an op event all that the dispatcher decided, and one kernel child", () => {
    for (const event of trace.ops()) {
      expect(event.args?.map((a) => a.name)).toEqual(["self", "other"]); // alpha is no tensor and brings no keys
      expect(event.tls?.included).toContain("BackendSelect");
      expect(event.keyset).toContain(event.key);
      expect(event.keyset?.at(-1)).toBe(event.key);
      expect(event.origin).toMatch(/kernel|fallback/);
      expect(trace.children(event).filter((e) => e.kind === "kernel").length).toBe(1);
    }
    expect(trace.ops().map((e) => e.how)).toEqual(["call", "redispatch"]);
  });

  test("knows where each function stands, here and in PyTorch", () => {
    for (const event of trace.events.filter((e) => ["binding", "op", "kernel", "native", "loop"].includes(e.kind))) {
      expect(event.source?.file, event.name).toMatch(/^src\/.*\.ts$/);
      expect(event.source?.line, event.name).toBeGreaterThan(0);
      expect(event.mirrors?.path, event.name).toBeTruthy();
    }
  });

  test("describes tensors by dtype, shape, strides, storage and version", () => {
    const native = trace.events.find((e) => e.kind === "op");
    expect(JSON.stringify(native?.inputs ?? native?.outputs)).toContain('"float32"');
  });

  test("survives its file form", () => {
    const file = JSON.parse(JSON.stringify(trace.toJSON()));
    expect(file.format).toBe("glasstorch-trace");
    expect(Trace.fromJSON(file).rows()).toEqual(trace.rows());
    expect(() => Trace.fromJSON({ ...file, version: 3 as 2 })).toThrow("version 3");
  });

  test("has text, Chrome and mermaid forms", () => {
    const text = toText(trace, { width: 140 });
    expect(text.split("\n").length).toBe(trace.events.length);
    expect(Math.max(...text.split("\n").map((l) => l.length))).toBeLessThanOrEqual(140);
    expect(text).not.toContain("\x1b");
    expect(toText(trace, { color: true })).toContain("\x1b[");
    const chrome = toChrome(trace) as { traceEvents: { ph: string }[] };
    expect(chrome.traceEvents.filter((e) => e.ph === "X").length).toBe(trace.events.length);
    expect(toMermaid(trace)).toMatch(/^sequenceDiagram\n/);
  });
});

test("a recording inside a recording is refused and leaves the outer one going", () => {
  const outer = record(() => {
    expect(() => record(add)).toThrow("already under way");
    add();
  });
  expect(outer.ops().length).toBe(2);
});

describe("an async program", () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

  test("is recorded across its waits, and what others call meanwhile is not", async () => {
    const recording = record(async () => {
      add();
      await pause();
      add();
    });
    torch.neg(a); // ours, while it waits
    const other = pause().then(() => torch.abs(a));
    const [trace] = await Promise.all([recording, other]);
    expect(trace.ops().map((e) => e.op)).toEqual([
      "aten::add.Tensor",
      "aten::add.Tensor",
      "aten::add.Tensor",
      "aten::add.Tensor",
    ]);
    expect(stop()).toBeNull();
  });

  test("that never ends can be stopped; another recording says where the first began", async () => {
    const never = record(async () => {
      add();
      await new Promise(() => {});
    });
    expect(never).toBeInstanceOf(Promise);
    expect(() => record(add)).toThrow(/already under way, begun at .*record\.test\.ts:\d+:\d+\)?; stop\(\) ends it$/);
    expect(stop()?.ops().length).toBe(2);
    expect(stop()).toBeNull();
    expect(record(add).ops().length).toBe(2);
  });

  test("that ends after it was stopped disturbs no other recording", async () => {
    const first = record(async () => {
      add();
      await pause();
      torch.neg(a);
    });
    const stopped = stop();
    const second = record(async () => {
      await first;
      add();
    });
    expect(await first).toBe(stopped);
    expect((await second).ops().length).toBe(2);
  });

  test("that fails passes its error on", async () => {
    await expect(record(async () => torch.mm(a, b))).rejects.toThrow("self must be a matrix");
    expect(record(add).ops().length).toBe(2);
  });
});

test("an error passes through, and the hook is off afterwards", () => {
  expect(() => record(() => torch.mm(a, b))).toThrow("self must be a matrix");
  expect(record(add).ops().length).toBe(2);
});

test("past its cap a recording counts what it drops", () => {
  const trace = record(() => [add(), add(), add()], { cap: 5 });
  expect(trace.events.length).toBe(5);
  expect(trace.dropped).toBeGreaterThan(0);
  expect(toText(trace)).toContain(`${trace.dropped} more events`);
});

test("the cap counts the functions of full detail, too", () => {
  const all = record(() => [add(), add(), add()], { detail: "full" });
  const some = record(() => [add(), add(), add()], { detail: "full", cap: 20 });
  expect(all.events.length).toBeGreaterThan(40);
  expect(some.events.length).toBeLessThanOrEqual(20);
  expect(some.events.map((e) => e.name)).toEqual(all.events.slice(0, some.events.length).map((e) => e.name));
  const hops = (t: Trace) => t.events.filter((e) => e.kind !== "function").length;
  expect(some.dropped).toBe(hops(all) - hops(some));
});

test("values on request", () => {
  const [first, second] = [record(add, { values: true }), record(add, { values: true })];
  const sum = (t: Trace) => JSON.stringify(t.events.map((e) => e.outputs)).match(/"checksum":"[0-9a-f]{8}"/g);
  expect(sum(first)).not.toBeNull();
  expect(sum(first)).toEqual(sum(second));
});

describe("only what happened", () => {
  test("a kernel registered again is the kernel on record", () => {
    const mine = new torch.library.Library("aten", "IMPL");
    mine.impl("add.Tensor", (x: typeof a) => x, "CPU");
    try {
      const trace = record(add);
      expect(trace.keysOf("aten::add.Tensor")).toEqual(["AutogradCPU", "CPU"]);
      expect(trace.ops("aten::add.Tensor")[1]?.kernel).not.toBe("wrapper_CPU_add_Tensor");
      expect(trace.events.some((e) => e.kind === "loop")).toBe(false);
    } finally {
      mine._destroy();
    }
    expect(record(add).ops("aten::add.Tensor")[1]?.kernel).toBe("wrapper_CPU_add_Tensor");
  });

  test("an excluded key is not on the way", () => {
    const trace = record(() => torch.inference_mode(add));
    expect(trace.keysOf("aten::add.Tensor")).toEqual(["CPU"]);
    // Whole, or with the backend bit that an earlier guard left: sets only ever lose functionality bits, as in PyTorch.
    expect(trace.ops("aten::add.Tensor")[0]?.tls?.excluded.some((k) => /^Autograd(Functionality|CPU)$/.test(k))).toBe(
      true,
    );
  });

  test("nodes are told apart by numbers; making and running give the same edges", () => {
    const x = torch.tensor([1.5, 2.5], { requires_grad: true });
    const trace = record(() => {
      const y = x.mul(x);
      y.mul(y).sum().backward();
    });
    const made = trace.events.filter((e) => e.kind === "autograd");
    const ran = trace.events.filter((e) => e.kind === "engine" && e.node !== undefined);
    const leaf = ran.at(-1)?.node;
    const [first, second, sum] = made.map((e) => e.node);
    expect(made.map((e) => e.edges)).toEqual([
      [
        { node: leaf, input_nr: 0 },
        { node: leaf, input_nr: 0 },
      ],
      [
        { node: first, input_nr: 0 },
        { node: first, input_nr: 0 },
      ],
      [{ node: second, input_nr: 0 }],
    ]);
    expect(ran.map((e) => e.node)).toEqual([sum, second, first, leaf]);
    for (const event of made) {
      const run = ran.find((e) => e.node === event.node);
      expect([run?.edges, run?.sequence_nr]).toEqual([event.edges, event.sequence_nr]);
    }
    expect(ran.at(-1)?.sequence_nr).toBeUndefined(); // AccumulateGrad stands outside the order of calls
  });

  test("the first call of an operator is recorded like the second: its registrations belong to the import", () => {
    let registered = 0;
    TORCH_LIBRARY("asked_for_late", {
      same(m) {
        registered++;
        m.def("same(Tensor self) -> Tensor");
        m.impl("same", ((_ks: unknown, self: unknown) => self) as never, "asked_for_late::same");
      },
    });
    expect(registered).toBe(0);
    const call = () => torch.ops["asked_for_late"]["same"](a);
    const [first, second] = [record(call), record(call)];
    expect(registered).toBe(1);
    expect(first.events.map((e) => e.name)).toEqual(second.events.map((e) => e.name));
    expect(first.events.filter((e) => e.kind === "init")).toEqual([]);
  });

  test("full detail tells two calls of one function apart by the places that call it", () => {
    const trace = record(() => torch.isclose(a, b, { equal_nan: true }), { detail: "full" });
    const [isclose] = trace.events.filter((e) => e.kind === "native" && e.name === "at::native::isclose");
    const below = trace.children(isclose as never).filter((e) => e.name.endsWith("isnan"));
    expect(below.length).toBe(2);
  });

  test("full detail shows the functions between the layers with their lines", () => {
    const trace = record(() => torch.prelu(a, b.narrow(0, 0, 1)), { detail: "full" });
    const functions = trace.events.filter((e) => e.kind === "function");
    expect(functions.length).toBeGreaterThan(5);
    for (const event of functions) expect(event.source?.line, event.name).toBeGreaterThan(0);
    expect(record(add, { detail: "full" }).rows()).toEqual(record(add).rows());
  });
});
