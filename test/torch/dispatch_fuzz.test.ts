/**
 * @file The random registrations of test/aten/core/dispatch/fuzz.test.ts, made through `torch.library` and called through `torch.ops`
 * with real tensors: the same tables, the same kernels, the same errors as in PyTorch.
 */
import { readdirSync } from "node:fs";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { readFixture } from "../helpers/recorded.ts";

interface Call {
  input: string;
  grad_mode: boolean;
  ran: string[];
  error?: string;
  message?: string;
}
interface Case {
  steps: string[][];
  errors?: [step: string[], type: string, message: string][];
  table: string[];
  calls: Call[];
}

const folder = new URL("../fixtures/dispatch_fuzz/", import.meta.url);
const cases = readdirSync(folder).flatMap((file) =>
  readFixture<{ cases: Case[] }>(new URL(file, folder)).cases.map((c, i) => ({ name: `${file} #${i}`, ...c })),
);

/** Conjugated and sparse inputs need dtypes and layouts that are not built. */
const inputs: Readonly<Record<string, () => unknown>> = {
  cpu: () => torch.ones([2]),
  cpu_requires_grad: () => torch.ones([2], { requires_grad: true }),
  meta: () => torch.ones([2], { device: "meta" }),
  cpu_neg_view: () => torch._neg_view(torch.ones([2])),
};

function clean(text: string): string {
  return text
    .replace(/registered at (?:FILE|\S+?:\d+|\S+\.ts)( :: \(none\))?/g, "registered at FILE")
    .replace(/^.*INTERNAL ASSERT FAILED.*?please report a bug to \w+\. /s, "INTERNAL ASSERT: ")
    .trim();
}

test.each(cases)("$name", ({ steps, errors = [], table, calls }) => {
  const ran: string[] = [];
  const libraries = new Map<string, InstanceType<typeof torch.library.Library>>();
  const libraryOf = (key: string, kind: string) => {
    const found = libraries.get(key) ?? new torch.library.Library("NS", kind);
    libraries.set(key, found);
    return found;
  };
  const kernel = (key: string) => (x: unknown) => {
    ran.push(key);
    return x;
  };
  const register = ([kind, what = "", key = ""]: string[]): void => {
    if (kind === "def") libraryOf("def", "FRAGMENT").define(what);
    else if (kind === "destroy") libraryOf(what, "IMPL")._destroy();
    else if (kind === "fallthrough") libraryOf(key, "IMPL").impl(what, torch.library.fallthrough_kernel, key);
    else libraryOf(key, "IMPL").impl(what, kernel(key), key);
  };
  try {
    for (const step of steps) {
      const refused = errors.find(([other]) => JSON.stringify(other) === JSON.stringify(step));
      if (refused !== undefined) expect(() => register(step)).toThrow(refused[2]);
      else if (step[0] === "impl_error")
        expect(() => register(step)).toThrow(expect.objectContaining({ name: step[3] }));
      else register(step);
    }
    const computed = clean(torch._C._dispatch_dump_table("NS::op")).split("\n");
    expect(computed.map((line) => line.replace("registered at FILE ", ""))).toEqual(table);
    for (const call of calls) {
      const input = inputs[call.input]?.();
      if (input === undefined) continue;
      ran.length = 0;
      const previous = torch.is_grad_enabled();
      torch._C._set_grad_enabled(call.grad_mode);
      let error: Error | undefined;
      try {
        torch.ops.NS.op(input);
      } catch (e) {
        error = e as Error;
      } finally {
        torch._C._set_grad_enabled(previous);
      }
      expect({ input: call.input, ran, error: error?.name }).toEqual({
        input: call.input,
        ran: call.ran,
        error: call.error,
      });
      if (call.message !== undefined) expect(clean(error?.message ?? "")).toContain(clean(call.message).slice(0, 250));
    }
  } finally {
    for (const library of libraries.values()) library._destroy();
  }
});
