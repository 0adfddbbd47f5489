/**
 * Tables: every operator here has PyTorch 2.13.0's schema to the letter and its computed dispatch table.
 *
 * PyTorch has registrations that this library lacks; they are optional by the file or key that makes them (`optional` below). A row is
 * equal if it equals PyTorch's, or PyTorch's as it would be computed, by the same precedence, without the optional registrations that
 * are not built here. Compared: reason and fallthrough. Recorded by tools/oracle/record_dispatch.py.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { readFixture } from "../helpers/recorded.ts";

type Registration = readonly [key: string, alias: boolean, fallthrough: boolean, active: boolean, file: string];
type TableRow = readonly [key: string, fallthrough: boolean, reason: string, file: string];

const fixture = readFixture<{
  aliases: Record<string, string[]>;
  /** The row of an operator without kernels: the backend fallback of each key that has one. */
  fallbacks: TableRow[];
  ops: Record<string, { schema: string; registrations: Registration[]; table: TableRow[] }>;
}>(new URL("../fixtures/dispatch/operators.json.gz", import.meta.url));

const built =
  /^Register(CPU|Meta|ZeroTensor|BackendSelect|CompositeImplicitAutograd|CompositeExplicitAutograd|CompositeExplicitAutogradNonFunctional)(_\d+)?\.cpp$/;
const otherLayers = /^(Functionalize|Tracer|Autocast(?!CPU).*|FuncTorch.*|Batched|BatchedNestedTensor|VmapMode)$/;

function optional([key, , , , file]: Registration): boolean {
  if (otherLayers.test(key) || key === "AutogradNestedTensor" || key === "MPS") return true;
  return /^Register\w+\.cpp$/.test(file) && !built.test(file);
}

const has = (list: readonly string[] | undefined, key: string) => list?.includes(key) === true;
const autogradOtherBackends = [
  "FPGA",
  "Vulkan",
  "Metal",
  "CustomRNGKeyId",
  "MkldnnCPU",
  ...["Sparse", "SparseCsr", "Quantized"].flatMap((f) => backends().map((b) => f + b)),
];

function backends(): string[] {
  return "CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy MTIA MAIA PrivateUse1 PrivateUse2 PrivateUse3 Meta".split(" ");
}

/** Backend keys that an autograd key stands for. */
function backendsOf(key: string): string[] {
  if (key === "AutogradOther") return autogradOtherBackends;
  if (key === "AutogradNestedTensor") return backends().map((b) => `NestedTensor${b}`);
  return key.startsWith("Autograd") ? [key.slice("Autograd".length)] : [];
}

/** The reason PyTorch's precedence gives `key` from these registrations; null where only a backend fallback (or nothing) is left. */
function compute(key: string, registrations: readonly Registration[]): readonly [boolean, string] | null {
  const direct = registrations.find(([k, alias, , active]) => k === key && !alias && active);
  if (direct !== undefined) return [direct[2], "kernel"];
  const alias = (name: string) => registrations.find(([k, , , active]) => k === name && active);
  const in_ = (name: string) => has(fixture.aliases[name], key);
  const explicitNF = alias("CompositeExplicitAutogradNonFunctional");
  if (explicitNF !== undefined && in_("CompositeExplicitAutogradNonFunctional"))
    return [explicitNF[2], "default backend kernel"];
  const explicit = alias("CompositeExplicitAutograd");
  if (explicit !== undefined && in_("CompositeExplicitAutograd")) return [explicit[2], "default backend kernel"];
  const backendKernels = backendsOf(key);
  const hasBackendKernel =
    explicit !== undefined ||
    registrations.some(([k, isAlias, , active]) => !isAlias && active && backendKernels.includes(k));
  const nested = alias("CompositeImplicitAutogradNestedTensor");
  if (nested !== undefined && in_("CompositeImplicitAutogradNestedTensor")) return [nested[2], "nested kernel"];
  const implicit = alias("CompositeImplicitAutograd");
  if (implicit !== undefined && in_("CompositeImplicitAutograd")) {
    if (key === "AutogradOther" && registrations.some(([k, isAlias]) => !isAlias && autogradOtherBackends.includes(k)))
      return [false, "ambiguous autogradother"];
    if (!hasBackendKernel) return [implicit[2], "math kernel"];
  }
  const autograd = alias("Autograd");
  if (autograd !== undefined && in_("Autograd")) return [autograd[2], "autograd kernel"];
  const batched = alias("FuncTorchBatchedDecomposition");
  if (batched !== undefined && key === "FuncTorchBatched") return [batched[2], "batched kernel"];
  return null;
}

const show = (row: readonly [boolean, string] | undefined) =>
  row === undefined ? "missing" : `${row[0] ? "fallthrough " : ""}[${row[1]}]`;

function ours(op: string): Map<string, readonly [boolean, string]> {
  const rows = new Map<string, readonly [boolean, string]>();
  for (const line of torch._C._dispatch_dump_table(op).split("\n")) {
    const found = /^(\w+): (fallthrough )?.*\[([a-z ]+)\]\s*$/.exec(line);
    if (found !== null) rows.set(found[1], [found[2] !== undefined, found[3]]);
  }
  return rows;
}

const fallbacks = new Map(fixture.fallbacks.map(([key, fallthrough, reason]) => [key, [fallthrough, reason] as const]));

const names = new Set(torch._C._dispatch_get_all_op_names());
const here = Object.keys(fixture.ops).filter((op) => names.has(op));

test("every operator of the YAML file and every generated sibling exists", () => {
  expect(Object.keys(fixture.ops).filter((op) => !names.has(op))).toEqual([]);
});

test("schemas are PyTorch's to the letter", () => {
  const different = here.filter(
    (op) =>
      torch._C
        ._get_schema(...(op.includes(".") ? (op.split(".") as [string, string]) : ([op, ""] as [string, string])))
        .toString() !== fixture.ops[op]?.schema,
  );
  expect(different).toEqual([]);
});

test("computed tables are PyTorch's", () => {
  const complaints: string[] = [];
  for (const op of here) {
    const recorded = fixture.ops[op];
    const withoutOptional = recorded.registrations
      .filter((r) => !optional(r))
      .map((r) => [r[0], r[1], r[2], true, r[4]] as Registration);
    const rows = ours(op);
    const keys = new Set([...recorded.table.map((r) => r[0]), ...rows.keys()]);
    for (const key of keys) {
      const full = recorded.table.find((r) => r[0] === key);
      const actual = rows.get(key);
      const asRecorded = full === undefined ? undefined : ([full[1], full[2]] as const);
      if (show(actual) === show(asRecorded)) continue;
      const reduced = compute(key, withoutOptional) ?? fallbacks.get(key);
      if (show(actual) !== show(reduced))
        complaints.push(
          `${op} ${key}: ${show(actual)} instead of ${show(reduced)} (PyTorch, with all it has: ${show(asRecorded)})`,
        );
    }
  }
  expect(complaints.slice(0, 40), `${complaints.length} rows differ`).toEqual([]);
});
