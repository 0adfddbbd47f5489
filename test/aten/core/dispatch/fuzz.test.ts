/**
 * @file Random registrations give PyTorch's computed table, its list of registrations, and its choice for a call.
 * The sequences were recorded by tools/oracle/record_dispatch_fuzz.py (`first40` by an earlier form of it, with shortened messages).
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import "./all_fallbacks.ts";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { CppFunction, Library } from "#aten/core/library";
import type { TensorBase } from "#aten/core/TensorBase";
import { DispatchKey, parseDispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";

interface Call {
  input: string;
  grad_mode: boolean;
  ran: string[];
  error?: string;
  message?: string;
}
interface Case {
  steps: string[][];
  errors?: unknown[];
  table: string[];
  dump: string[];
  calls: Call[];
}

const folder = new URL("../../../fixtures/dispatch_fuzz/", import.meta.url);
const cases = readdirSync(folder).flatMap((file) =>
  (JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString()) as { cases: Case[] }).cases.map((c, i) => ({
    name: `${file} #${i}`,
    ...c,
  })),
);

/** Only the key set of an argument matters to the dispatcher. */
const inputs: Readonly<Record<string, DispatchKeySet>> = {
  cpu: DispatchKeySet.of(DispatchKey.CPU, DispatchKey.AutogradCPU, DispatchKey.ADInplaceOrView),
  cpu_requires_grad: DispatchKeySet.of(DispatchKey.CPU, DispatchKey.AutogradCPU, DispatchKey.ADInplaceOrView),
  meta: DispatchKeySet.of(DispatchKey.Meta, DispatchKey.AutogradMeta, DispatchKey.ADInplaceOrView),
};

/** `registered at FILE`, and nothing of where an internal assert stands in PyTorch's sources. */
function clean(text: string): string {
  return text
    .replace(/registered at (?:FILE|\S+?:\d+)( :: \(none\))?/g, "registered at FILE")
    .replace(/.*INTERNAL ASSERT FAILED.*?please report a bug to \w+\. /s, "INTERNAL ASSERT: ");
}

test.each(cases)("$name", ({ steps, errors, table, dump, calls }) => {
  const ran: string[] = [];
  const definition = new Library("FRAGMENT", "NS", null, "fuzz.test.ts:1");
  const libraries = new Map<string, Library>();
  const refused = (errors ?? []).map((e) => JSON.stringify((e as unknown[])[0])); // by Python's torch.library, not by the dispatcher
  try {
    for (const step of steps) {
      const [kind, what = "", key = ""] = step;
      if (kind === "def") definition.def(what);
      if (kind === "destroy") libraries.get(what)?.reset();
      if ((kind === "impl" || kind === "fallthrough") && !refused.includes(JSON.stringify(step))) {
        const library = libraries.get(key) ?? new Library("IMPL", "NS", parseDispatchKey(key), "fuzz.test.ts:1");
        libraries.set(key, library);
        const kernel = CppFunction.makeFromBoxedFunction(() => void ran.push(key), key);
        library.impl(what, kind === "impl" ? kernel : CppFunction.makeFallthrough());
      }
    }
    const op = Dispatcher.singleton().findSchemaOrThrow("NS::op", "");
    const computed = op.entry.dumpComputedTable().trim().split("\n");
    expect(computed.map((line) => clean(line).replace("registered at FILE ", ""))).toEqual(table);
    expect(
      clean(op.dumpState().replace(/debug: .*/, "debug: -"))
        .trim()
        .split("\n"),
    ).toEqual(dump.map(clean));

    for (const call of calls) {
      const ks = inputs[call.input];
      if (ks === undefined) continue; // negated, conjugated and sparse inputs
      ran.length = 0;
      const stack = [IValue.fromTensor({ key_set: () => ks } as unknown as TensorBase)];
      let error: Error | null = null;
      try {
        op.callBoxed(stack);
      } catch (e) {
        error = e as Error;
      }
      expect({ call: call.input, ran, error: error?.name }).toEqual({
        call: call.input,
        ran: call.ran,
        error: call.error,
      });
      if (call.message !== undefined)
        expect(clean((error as Error).message)).toContain(clean(call.message).slice(0, 250));
      if (call.message !== undefined && errors !== undefined)
        expect(clean((error as Error).message).trim()).toBe(clean(call.message).trim());
    }
  } finally {
    for (const library of [...libraries.values(), definition]) library.reset();
  }
});
