/**
 * @file The check of results against PyTorch's, exactly: dtype, shape, strides, storage, values.
 * @original
 */
import torch from "glasstorch";
import type { Tensor } from "#torch/_tensor/index";
import type { Value } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { own_words } from "./own_words.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

/** An element; "NaN", "Infinity", "-Infinity" because JSON has no such numbers. */
type Element = number | string | boolean;

/** A tensor to make as it was made for PyTorch. */
interface Input {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly storage_offset: number;
  /** All elements of the storage. */
  readonly storage: readonly Element[];
}

interface Result {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** The offset of a view's first element in the storage of the first argument. Null: the result has a storage of its own. */
  readonly storage_offset: number | null;
  /** The values in order of the shape. */
  readonly values: readonly Element[];
}

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    /** Tensors; other arguments unchanged. */
    readonly args: readonly (Input | number | readonly number[])[];
    readonly result: Result | { readonly error: string };
  }[];
}

/** The compared digits of a number: fewer than its dtype holds, because a library may round the last ones in another way. */
const DIGITS = { float64: 12, others: 6 } as const;

export async function value(spec: Value, { host, session }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  const { run } = callOf(session, spec.call);
  for (const { name, args, result } of golden.cases) {
    const yours = outcome(run, args.map(made));
    const finding = compareRows(rowsOf(result), yours, () => ({
      headline: `${spec.call}: ${name}`,
      because: [`called with ${args.map(described).join(", ")}`, ...refusals(result, yours)].join("; "),
    }));
    if (finding !== null) {
      const row = finding.rows[finding.first];
      return {
        ...finding,
        seen: row.yours.startsWith("error") ? row.yours : `${row.expected.split(":")[0]} of ${name}`,
      };
    }
  }
  return null;
}

/** Errors in full: the rows have no room for them. */
function refusals(result: Result | { readonly error: string }, yours: readonly string[]): string[] {
  return [
    ...("error" in result ? [`PyTorch refuses: ${result.error}`] : []),
    ...(yours[0].startsWith("error: ") ? [`yours: ${yours[0]}`] : []),
  ];
}

function isTensor(arg: Golden["cases"][number]["args"][number]): arg is Input {
  return typeof arg === "object" && "dtype" in arg;
}

function made(arg: Golden["cases"][number]["args"][number]): unknown {
  if (!isTensor(arg)) return arg;
  const { dtype, shape, strides, storage_offset, storage } = arg;
  const flat = torch.tensor(storage.map(Number), { dtype: torch[dtype.replace("torch.", "") as "float32"] });
  return flat.as_strided([...shape], [...strides], storage_offset);
}

function described(arg: Golden["cases"][number]["args"][number]): string {
  if (!isTensor(arg)) return JSON.stringify(arg);
  const offset = arg.storage_offset === 0 ? "" : ` offset ${arg.storage_offset}`;
  return `${arg.dtype.replace("torch.", "")} [${arg.shape}] strides [${arg.strides}]${offset}`;
}

function outcome(run: (...args: unknown[]) => unknown, args: readonly unknown[]): string[] {
  let result: Tensor;
  try {
    result = run(...args) as Tensor;
  } catch (error) {
    return rowsOf({ error: own_words((error as Error).message) });
  }
  if (!torch.is_tensor(result)) return [`not a tensor: ${result}`];
  const [input] = args as Tensor[];
  const isView = result.untyped_storage().data_ptr() === input.untyped_storage().data_ptr();
  return rowsOf({
    dtype: String(result.dtype),
    shape: result.shape,
    strides: result.stride(),
    storage_offset: isView ? result.storage_offset() : null,
    values: result.flatten().tolist() as (number | boolean)[],
  });
}

function rowsOf(result: Result | { readonly error: string }): string[] {
  if ("error" in result) return [`error: ${result.error.split("\n")[0]}`];
  const { storage_offset } = result;
  const digits = result.dtype === "torch.float64" ? DIGITS.float64 : DIGITS.others;
  return [
    `dtype: ${result.dtype}`,
    `shape: [${result.shape}]`,
    `strides: [${result.strides}]`,
    `storage: ${storage_offset === null ? "its own" : `the input's, from ${storage_offset} on`}`,
    ...result.values.map(
      (value, i) => `element ${i}: ${typeof value === "number" ? Number(value.toPrecision(digits)) : value}`,
    ),
  ];
}
