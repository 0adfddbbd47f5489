/**
 * @file The first difference of two recordings.
 * @original
 */
import { expect, test } from "vitest";
import { align, compare } from "../src/model/compare.ts";
import { TraceModel } from "../src/model/TraceModel.ts";
import { fixture } from "./support/fixtures.ts";

test("alignment is a longest common subsequence", () => {
  const shown = (a: string, b: string) =>
    align([...a], [...b])
      .map(([x, y]) => `${x === null ? "-" : a[x]}${y === null ? "-" : b[y]}`)
      .join(" ");
  expect(shown("abc", "abc")).toBe("aa bb cc");
  expect(shown("abd", "abcd")).toBe("aa bb -c dd");
  expect(shown("xabc", "abcy")).toBe("x- aa bb cc -y");
  expect(shown("", "ab")).toBe("-a -b");
  for (const [x, y] of align([..."kitten sitting"], [..."sitting kitten"]))
    if (x !== null && y !== null) expect("kitten sitting"[x]).toBe("sitting kitten"[y]);
});

test("nothing in common is still every step once", () => {
  const a = Array.from({ length: 2000 }, (_, k) => `a${k}`);
  const b = Array.from({ length: 1500 }, (_, k) => `b${k}`);
  const pairs = align(a, b);
  expect(pairs.filter(([x]) => x !== null).length).toBe(2000);
  expect(pairs.filter(([, y]) => y !== null).length).toBe(1500);
});

test("a trace agrees with itself", () => {
  const { first, pairs } = compare(fixture("prelu.json"), fixture("prelu.json"));
  expect(first).toBe(-1);
  expect(pairs.length).toBe(35);
});

test("another key is found where it first differs, in words", () => {
  const a = fixture("prelu.json");
  const events = a.events.map((e) => (e.id === 17 ? { ...e, key: "CPU", kernel: "wrapper_CPU___prelu_kernel" } : e));
  const { first, pairs } = compare(a, new TraceModel({ origin: "glasstorch", torch: null, events, dropped: 0 }));
  expect(pairs[first]).toMatchObject({ a: 17, b: 17 });
  expect(pairs[first]?.differences[0]).toBe("key: AutogradCPU ↔ CPU");
});

test("beside PyTorch's profile, operators and nodes are compared: backward takes the same way", () => {
  const { pairs, onlyOperators } = compare(fixture("prelu-backward.json"), fixture("prelu_profiler_trace.json"));
  expect(onlyOperators).toBe(true);
  const theirs = fixture("prelu_profiler_trace.json");
  const common = pairs.filter((p) => p.a !== null && p.b !== null).map((p) => theirs.event(p.b as number).name);
  expect(common).toContain("PreluKernelBackward0");
  expect(common).toContain("aten::_prelu_kernel_backward");
  expect(common).toContain("aten::sum");
});
