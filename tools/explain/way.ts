/**
 * @file The stops of an ordinary operator call on the CPU with gradients enabled, from the library's computed table.
 * @original
 */
import type { NativeFunction } from "../codegen/model.ts";
import type { TableRow } from "./dispatch_table.ts";
import type { KernelFact } from "./kernels.ts";
import { takesTensor } from "./kinds.ts";
import type { Piece } from "./made_from.ts";
import type { Place } from "./places.ts";
import type { Step } from "./source_text.ts";

/** One stop of a call. */
export interface Stop {
  readonly what: "binding" | "dispatcher" | "key" | Step["role"];
  readonly name: string;
  readonly note: string;
  readonly place: Place | null;
}

export function wayOf(
  f: NativeFunction,
  pieces: readonly Piece[],
  rows: readonly TableRow[],
  kernels: readonly KernelFact[],
): Stop[] {
  const stops: Stop[] = [];
  const add = (what: Stop["what"], name: string, note: string, { file, line }: Place): void => {
    stops.push({ what, name, note, place: { file, line } });
  };
  const binding = pieces.find((p) => p.layer === "binding");
  if (binding !== undefined) add("binding", binding.symbol, "reads the arguments", binding);
  const operator = pieces.find((p) => p.symbol.startsWith("at::_ops::"));
  if (operator !== undefined)
    add("dispatcher", `${operator.symbol}::call`, "makes the key set and looks into the table", operator);
  const cpu = rows.find((r) => r.keys.includes("CPU"));
  for (const key of keysMet(f)) {
    const row = rows.find((r) => r.keys.includes(key));
    if (row === undefined || row.fallthrough) continue;
    const name = shortName(row.kernel?.symbol ?? row.file);
    add("key", name, `chosen for ${key}${SHARED[row.origin] ?? ""}`, row.kernel ?? row);
    if (row === cpu || row.origin === "math kernel") {
      for (const k of kernels) if (below(k, cpu)) for (const stop of stopsOf(k)) stops.push(stop);
      break;
    }
  }
  return stops;
}

/** The keys in the order of their priority. */
function keysMet(f: NativeFunction): string[] {
  const hasTensor = takesTensor(f) || f.func.is_out_fn();
  return hasTensor ? ["AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU"] : ["BackendSelect", "CPU"];
}

const SHARED: Readonly<Record<string, string>> = {
  "math kernel": ", one kernel for every key",
  "default backend kernel": ", one kernel for every backend",
};

/** Whether the CPU's wrapper reaches this kernel. */
function below(k: KernelFact, cpu: TableRow | undefined): boolean {
  if (["CPU", "meta", "impl", "ufunc"].includes(k.key)) return true;
  return k.key === /Register(Composite[A-Za-z]+)(?:_\d+)?\.ts/.exec(cpu?.file ?? "")?.[1];
}

function stopsOf(k: KernelFact): Stop[] {
  const steps = k.steps.map((s): Stop => {
    const name = `at::native::${s.name.replace(".", "::")}`;
    return { what: s.role, name, note: NOTES[s.role] ?? "", place: { file: s.file, line: s.line } };
  });
  if (k.key === "ufunc") return steps;
  const method = k.key === "meta" || k.key === "impl" ? `::${k.key}` : "";
  const name = k.symbol.endsWith(method) ? k.symbol : k.symbol + method;
  const composite = k.calls.length > 0 && steps.length === 0;
  const note = k.key === "meta" ? "checks, shape and dtype" : composite ? "calls other operators" : "";
  return [{ what: "native", name, note, place: { file: k.file, line: k.line } }, ...steps];
}

const NOTES: { readonly [role in Step["role"]]?: string } = {
  stub: "chooses the device's kernel",
  kernel: "hands the iterator to the loops",
  loop: "the arithmetic of one element",
  template: "the loop, written once for all dtypes",
};

export function shortName(symbol: string): string {
  return symbol.replace("(anonymous namespace)::", "").replace(/^torch::autograd::|^torch::|^at::/, "");
}
