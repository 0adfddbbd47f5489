/**
 * @file Calls to try an operator with: OpInfo's samples where PyTorch gave them, else arguments made from its schema.
 * @original
 */
import torch from "glasstorch";
import { operator, type Recorded } from "../../../test/helpers/opinfo.ts";
import { type Any, decode } from "../../../test/helpers/recorded.ts";
import { FunctionSchema } from "../../codegen/function_schema.ts";
import { nameOf, type TheirOperator } from "../../pytorch/operators.ts";

export interface Call {
  readonly fn: (...args: Any[]) => Any;
  /** Made anew for each use. */
  readonly args: () => Any[];
  readonly kwargs: () => Record<string, Any>;
}

export interface Samples {
  readonly calls: readonly Call[];
  /** Where they are from, for the reader; why there are none. */
  readonly from: string;
}

/** Elements, of all tensors of a sample together, that finite differences have the time for. */
const SMALL = 60;
const MANY = 6;

export function samplesOf(base: string, theirs: readonly TheirOperator[], recorded: readonly Recorded[]): Samples {
  const ofOpInfo = recorded.flatMap((each) => callsOf(base, each));
  if (ofOpInfo.length > 0) return { calls: ofOpInfo, from: `${ofOpInfo.length} of OpInfo's samples` };
  const functional = theirs.filter((each) => !/out|_$|_\./.test(nameOf(each).replace(/^_+|^__\w+__/, "")));
  if (functional.length === 0) return { calls: [], from: "it has no form that gives a new result" };
  const made = functional.map(fromSchema);
  const calls = made.filter((each) => typeof each !== "string");
  return { calls, from: calls.length > 0 ? "arguments made from the schema" : (made[0] as string) };
}

/** Small ones, spread over the recording; float64, or of integers where there is no other. */
function callsOf(base: string, { dtypes }: Recorded): Call[] {
  const rows = dtypes["float64"] ?? dtypes["int64"] ?? dtypes["bool"] ?? [];
  const small = rows.filter(
    (row) => "value" in row.result && elements([...row.args, ...Object.values(row.kwargs)]) <= SMALL,
  );
  const step = Math.max(1, Math.floor(small.length / MANY));
  return small
    .filter((_, i) => i % step === 0)
    .slice(0, MANY)
    .map(({ args, kwargs }) => ({
      fn: operator(`aten::${base}`),
      args: () => args.map(decode),
      kwargs: () => decode(kwargs),
    }));
}

function elements(value: Any): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + elements(each), 0);
  if (value === null || typeof value !== "object") return 0;
  if ("$tuple" in value) return elements(value.$tuple);
  return "$t" in value ? value.$t[1].reduce((product: number, size: number) => product * size, 1) : 0;
}

/** Arguments up to the first with a default; which type there is no value for. */
function fromSchema({ func }: TheirOperator): Call | string {
  const { name, arguments: args } = FunctionSchema.parse(func);
  const makers: (() => Any)[] = [];
  for (const { type, name: argument, default: given } of args.flat_positional) {
    if (given !== null) break;
    const make = makerOf(String(type), makers.length);
    if (make === null) return `nothing here makes its argument ${argument}, a ${type}`;
    makers.push(make);
  }
  const op = torch.ops["aten"][String(name.name)][name.overload_name || "default"];
  return { fn: op, args: () => makers.map((make) => make()), kwargs: () => ({}) };
}

function makerOf(type: string, k: number): (() => Any) | null {
  const numbers = [0.3, 0.7, 1.2, 0.9, 0.45, 1.6].map((n) => n + 0.11 * k);
  const tensor = (): Any => torch.tensor(numbers, { dtype: torch.float64 }).view([2, 3]);
  const known: Readonly<Record<string, () => Any>> = {
    Tensor: tensor,
    "Tensor?": tensor,
    "Tensor[]": () => [tensor(), tensor()],
    Scalar: () => torch.Float(0.5),
    float: () => torch.Float(0.5),
    int: () => 1,
    SymInt: () => 1,
    "int[]": () => [1],
    "int[1]": () => [1],
    bool: () => true,
    ScalarType: () => torch.float64,
  };
  return known[type] ?? (type.endsWith("?") ? () => null : null);
}
