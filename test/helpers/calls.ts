/**
 * @file Random calls of operators, made here and compared with what PyTorch answered: dtype, shape, strides, offset, values, what became of
 * the arguments, error types and texts. Recorded by tools/oracle/record_calls.py.
 */
import torch from "glasstorch";
import { farthest } from "./assert_close.ts";
import { type Any, dtypeName, elementsOf, fromBytes, pythonFloat } from "./recorded.ts";

export interface Spec {
  readonly dtype: string;
  readonly shape: number[];
  readonly base: number[];
  readonly way: "plain" | "transposed" | "gaps" | "expanded" | "negated" | "bytes" | "later";
  readonly device: string;
  readonly values: (number | boolean | string)[];
}
type State = readonly [string, number[], number[], number, string, boolean, number, string | null];
export interface Case {
  readonly specs: Spec[];
  readonly args: Any[];
  readonly kwargs: Record<string, Any>;
  readonly result?: Any;
  readonly error?: readonly [type: string, message: string];
  readonly after: State[];
}

const t = torch as Any;

export function make(spec: Spec): Any {
  const { aten } = t.ops;
  const values = spec.values.map((v) => (typeof v === "string" ? pythonFloat(v) : v));
  const flat = t.tensor(values, { dtype: spec.way === "bytes" ? t.uint8 : t[spec.dtype] });
  const x = (spec.way === "bytes" ? flat.view(t.bool) : flat).view(spec.base).to(spec.device);
  switch (spec.way) {
    case "transposed":
      return x.transpose(-1, -2);
    case "gaps":
      return aten.slice.Tensor(x, -1, 0, null, 2);
    case "expanded":
      return x.expand(spec.shape);
    case "negated":
      return aten._neg_view(x);
    case "later":
      return aten.slice.Tensor(x, 0, 1, values.length - 1).view(spec.shape);
    default:
      return x;
  }
}

export function decoded(a: Any, tensors: Any[]): Any {
  if (Array.isArray(a)) return a.map((x) => decoded(x, tensors));
  if (a === null || typeof a !== "object") return a;
  const [kind, v] = Object.entries(a)[0] as [string, Any];
  if (kind === "x") return tensors[v];
  if (kind === "i") return Number.isSafeInteger(Number(v)) ? Number(v) : BigInt(v);
  if (kind === "f") return new t.Float(pythonFloat(v));
  if (kind === "torch") return t[v];
  return kind === "device" ? t.device(v) : v;
}

/** Null if the tensor is as PyTorch's. */
function differs(x: Any, [dtype, shape, stride, offset, device, neg, version, data]: State): string | null {
  const seen = [dtypeName(x), [...x.shape], [...x.stride()], x.storage_offset(), x.device.type, x.is_neg(), x._version];
  const wanted = [dtype, shape, stride, offset, device, neg, version];
  for (const [i, what] of ["dtype", "shape", "strides", "offset", "device", "neg", "version"].entries())
    if (JSON.stringify(seen[i]) !== JSON.stringify(wanted[i]))
      return `${what} ${JSON.stringify(seen[i])} instead of ${JSON.stringify(wanted[i])}`;
  if (data === null) return null;
  // A copy holds 0 and 1 for bool, whatever bytes there were.
  const copy = x.resolve_neg().clone({ memory_format: t.contiguous_format });
  return farthest(elementsOf(copy), fromBytes(Buffer.from(data, "base64"), dtype), dtype);
}

function complaint(actual: Any, expected: Any): string | null {
  if (expected.tensor !== undefined)
    return actual instanceof torch.Tensor ? differs(actual, expected.tensor) : `${String(actual)} instead of a tensor`;
  if (expected.list === undefined) {
    const wanted = typeof expected.plain === "string" ? pythonFloat(expected.plain) : expected.plain;
    return Object.is(Number(actual ?? 0), Number(wanted ?? 0))
      ? null
      : `${String(actual)} instead of ${String(wanted)}`;
  }
  for (const [i, item] of expected.list.entries()) {
    const found = complaint(actual[i], item);
    if (found !== null) return `result ${i}: ${found}`;
  }
  return actual.length === expected.list.length ? null : `${actual.length} results`;
}

/** Which of several wrong indices is found first depends on the order of the loop; which backends an operator has, on the build. */
function comparable(message: string): string {
  return message
    .replace(/index -?\d+ is out of bounds/, "index is out of bounds")
    .replace(/(from the '\w+' backend)[\s\S]*/, "$1")
    .replace(/[\s\S]*INTERNAL ASSERT FAILED[\s\S]*/, "INTERNAL ASSERT FAILED");
}

/** The difference between a call of the operator here and in PyTorch; null if there is none. */
export function callComplaint(name: string, c: Case): string | null {
  const [base, overload = "default"] = name.split(".");
  const tensors = c.specs.map(make);
  const kwargs = Object.fromEntries(Object.entries(c.kwargs).map(([k, v]) => [k, decoded(v, tensors)]));
  let result: Any;
  let error: Error | null = null;
  try {
    result = t.ops.aten[base][overload](...c.args.map((a) => decoded(a, tensors)), kwargs);
  } catch (e) {
    error = e as Error;
  }
  if (c.error !== undefined) {
    const [type, message] = c.error;
    if (error === null) return `gave a result instead of ${type}: ${message}`;
    if (error.name !== type) return `threw ${error.name} (${error.message}) instead of ${type}: ${message}`;
    if (comparable(error.message) !== comparable(message)) return `said  ${error.message}\n  instead of  ${message}`;
  } else if (error !== null) return `threw ${error.name}: ${error.message}`;
  else {
    const found = complaint(result, c.result);
    if (found !== null) return found;
  }
  for (const [i, state] of c.after.entries()) {
    const found = differs(tensors[i], state);
    if (found !== null) return `argument ${i} afterwards: ${found}`;
  }
  return null;
}
