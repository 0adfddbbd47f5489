/**
 * @file Calls to test an operator with: OpInfo's samples if PyTorch gave them, else arguments made from its schema.
 * @original
 */
import torch from "glasstorch";
import { type Case, decoded, make } from "../../../test/helpers/calls.ts";
import { operator, type Recorded } from "../../../test/helpers/opinfo.ts";
import { type Any, decode } from "../../../test/helpers/recorded.ts";
import { FunctionSchema } from "../../codegen/function_schema.ts";
import { nameOf, type TheirOperator } from "../../pytorch/operators.ts";
import type { Asked } from "./gate_pytorch.ts";

export interface Call {
  readonly fn: (...args: Any[]) => Any;
  /** Made again for each use. */
  readonly args: () => Any[];
  readonly kwargs: () => Record<string, Any>;
}

export interface Samples {
  readonly calls: readonly Call[];
  /** Their origin, for the reader; or the reason why there are none. */
  readonly from: string;
  /** Whether the arguments are guessed, so that the operator may not accept them. */
  readonly guessed: boolean;
}

/** Largest number of elements, in all tensors of a sample together, for which finite differences are fast enough. */
const SMALL = 60;
const MANY = 6;

export function samplesOf(base: string, theirs: readonly TheirOperator[], asked: Asked | null): Samples {
  const ofOpInfo = (asked?.opinfo ?? []).flatMap((each) => callsOf(base, each));
  if (ofOpInfo.length > 0) return { calls: ofOpInfo, from: `${ofOpInfo.length} of OpInfo's samples`, guessed: false };
  const functional = theirs.filter(({ func }) => FunctionSchema.parse(func).kind() === "functional");
  const forms = functional.length > 0 ? functional : theirs;
  const taken = forms.flatMap((form) =>
    (asked?.calls[nameOf(form)] ?? []).filter(isPlain).map((each) => fromCase(form, each)),
  );
  const made = GUESSES.flatMap((guess) => forms.map((form) => fromSchema(form, guess)));
  const calls = [...taken.slice(0, MANY), ...made.filter((each) => typeof each !== "string")];
  if (calls.length === 0) return { calls, from: made[0] as string, guessed: true };
  return {
    calls,
    from: `arguments made from the schema${taken.length > 0 ? ", and of random calls" : ""}`,
    guessed: true,
  };
}

/** Whether PyTorch accepts the call, and finite differences can be computed for its numbers. */
function isPlain({ specs, error }: Case): boolean {
  const finite = specs.every(({ values }) => values.every((value) => typeof value !== "string"));
  return error === undefined && finite && specs[0].device === "cpu";
}

/** Floating tensors become float64, each in memory of its own. */
function fromCase({ func }: TheirOperator, { specs, args, kwargs }: Case): Call {
  const { name } = FunctionSchema.parse(func);
  const tensors = (): Any[] =>
    specs.map(make).map((x) => (x.is_floating_point() ? x.to(torch.float64) : x).contiguous().clone());
  return {
    fn: torch.ops["aten"][String(name).split(".")[0]][name.overload_name || "default"],
    args: () => decoded(args, tensors()),
    kwargs: () => Object.fromEntries(Object.entries(kwargs).map(([key, value]) => [key, decoded(value, tensors())])),
  };
}

/** Shapes and dtypes to try for the tensors of one call. */
const GUESSES = [
  { shape: [2, 3], dtype: torch.float64 },
  { shape: [2, 2], dtype: torch.float64 },
  { shape: [3], dtype: torch.float64 },
  { shape: [], dtype: torch.float64 },
  { shape: [2, 3], dtype: torch.int64 },
  { shape: [2, 3], dtype: torch.bool },
] as const;
type Guess = (typeof GUESSES)[number];

/** Small samples, spread over the recording; float64, or integers if there are no others. */
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

/** Arguments without a default; or the argument for which there is no value. */
function fromSchema({ func }: TheirOperator, guess: Guess): Call | string {
  const schema = FunctionSchema.parse(func);
  const { flat_positional, flat_kwarg_only } = schema.arguments;
  const needed = [...flat_positional, ...flat_kwarg_only].filter((argument) => argument.default === null);
  const makers = needed.map(({ name, type }, k) => ({ name, make: makerOf(String(type), name, k, guess) }));
  const unknown = makers.findIndex(({ make }) => make === null);
  if (unknown !== -1) return `nothing here makes its argument ${needed[unknown].name}, a ${needed[unknown].type}`;
  const op = torch.ops["aten"][baseName(schema)][schema.name.overload_name || "default"];
  const positional = needed.filter((argument) => flat_positional.includes(argument)).length;
  const valueOf = ({ make }: (typeof makers)[number]): Any => (make as () => Any)();
  return {
    // An operator that writes to its argument gets a copy, because a leaf that requires grad must not be written.
    fn: schema.kind() === "inplace" ? (self: Any, ...rest: Any[]) => op(self.clone(), ...rest) : op,
    args: () => makers.slice(0, positional).map(valueOf),
    kwargs: () => Object.fromEntries(makers.slice(positional).map((each) => [each.name, valueOf(each)])),
  };
}

function baseName({ name }: FunctionSchema): string {
  return String(name).split(".")[0];
}

function makerOf(type: string, name: string, k: number, { shape, dtype }: Guess): (() => Any) | null {
  const n = shape.reduce((product: number, size) => product * size, 1);
  const numbers = [0.3, 0.7, 1.2, 0.9, 0.45, 1.6].slice(0, n).map((each) => each + 0.11 * k);
  const tensor = (): Any => {
    const x = torch
      .tensor(numbers, { dtype: torch.float64 })
      .view([...shape])
      .to(dtype);
    if (/^(?:mask|condition)$/.test(name)) return x.gt(0);
    return /^(?:index|indices|target)$/.test(name) ? x.to(torch.int64).clamp(0, 1) : x;
  };
  const known: Readonly<Record<string, () => Any>> = {
    Tensor: tensor,
    "Tensor?": tensor,
    "Tensor[]": () => [tensor(), tensor()],
    "Tensor?[]": () => [torch.tensor([0, 1])],
    Scalar: () => torch.Float(0.5),
    float: () => torch.Float(0.5),
    int: () => 1,
    SymInt: () => 1,
    "int[]": () => [1],
    "int[1]": () => [1],
    "SymInt[]": () => [2, 3],
    bool: () => true,
    ScalarType: () => torch.float64,
  };
  return known[type] ?? (type.endsWith("?") ? () => null : null);
}
