/**
 * @file Results against PyTorch's, to the element: values, dtype, shape, strides.
 * @original
 */
import torch from "glasstorch";
import type { Tensor } from "#torch/_tensor";
import type { Value } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

/** A tensor as a recorder wrote it. */
interface Recorded {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** Of the storage from the tensor's offset on; "NaN", "Infinity", "-Infinity" where JSON has no number. */
  readonly values: readonly (number | string | boolean)[];
}

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly args: readonly Recorded[];
    readonly result: Recorded | { readonly error: string };
  }[];
}

export async function value(spec: Value, { host, session }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  const { run } = callOf(session, spec.call);
  for (const { name, args, result } of golden.cases) {
    const yours = outcome(() => run(...args.map(tensorOf)));
    const finding = compareRows(rowsOf(result), yours, () => ({
      headline: `${spec.call}: ${name}`,
      because: `called with ${args.map((arg) => `${arg.dtype} [${arg.shape}] strides [${arg.strides}]`).join(" and ")}`,
    }));
    if (finding !== null) {
      const row = finding.rows[finding.first];
      return { ...finding, seen: `${row.yours.split(":")[0]} of ${name}` };
    }
  }
  return null;
}

function tensorOf({ dtype, shape, strides, values }: Recorded): Tensor {
  const flat = torch.tensor(values.map(Number), { dtype: torch[dtype.replace("torch.", "") as "float32"] });
  return flat.as_strided([...shape], [...strides]);
}

function outcome(run: () => unknown): string[] {
  let result: Tensor;
  try {
    result = run() as Tensor;
  } catch (error) {
    return rowsOf({ error: (error as Error).message });
  }
  const values = result.flatten().tolist() as (number | boolean)[];
  return rowsOf({ dtype: String(result.dtype), shape: result.shape, strides: result.stride(), values });
}

function rowsOf(result: Recorded | { readonly error: string }): string[] {
  if ("error" in result) return [`error: ${result.error}`];
  return [
    `dtype: ${result.dtype}`,
    `shape: [${result.shape}]`,
    `strides: [${result.strides}]`,
    ...result.values.map(
      (value, i) => `element ${i}: ${typeof value === "number" ? Number(value.toPrecision(6)) : value}`,
    ),
  ];
}
