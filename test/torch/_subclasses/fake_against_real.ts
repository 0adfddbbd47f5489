/**
 * The fake results of OpInfo's samples beside the real ones: shape, dtype, stride and device.
 */
import { readdirSync } from "node:fs";
import torch from "glasstorch";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { argumentsOf, operator, type Recorded, type Sample } from "../../helpers/opinfo.ts";
import { type Any, decode } from "../../helpers/recorded.ts";

/** The value with every tensor replaced. */
function each_tensor(value: Any, fn: (t: Any) => Any): Any {
  if (value instanceof torch.Tensor) return fn(value);
  if (Array.isArray(value)) return value.map((v) => each_tensor(v, fn));
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, each_tensor(v, fn)]));
}

/** A text with the compared properties of every tensor in the result. */
function described(value: Any): string {
  const texts: string[] = [];
  const add = (v: Any): void => {
    if (v instanceof torch.Tensor) {
      const t = v as Any;
      texts.push(`${t.dtype} ${t.device} (${[...t.shape]}) (${t.stride()}) +${t.storage_offset()}`);
    } else if (v !== null && typeof v === "object" && Symbol.iterator in v) for (const element of v) add(element);
  };
  add(value);
  return texts.join("; ");
}

/** PyTorch's fake tensors differ from its real ones here, too. */
export const DIFFERS_IN_PYTORCH = new Set([
  "nn.functional.max_unpool2d",
  "nn.functional.max_unpool2d.grad",
  "tensor_split",
]);

const FIXTURES = new URL("../../fixtures/opinfo/", import.meta.url);

/** The operators that have samples. */
export const operators = (): string[] =>
  readdirSync(FIXTURES).flatMap((file) => (file.endsWith(".json.gz") ? [file.slice(0, -".json.gz".length)] : []));

const REFUSALS = new Set(["DynamicOutputShapeException", "DataDependentOutputException"]);

/** How the fake result differs; null if it does not, or if it is refused because it depends on data. */
function difference(name: string, sample: Sample): string | null {
  const fn = operator(name);
  const call = (args: Any[], kwargs: Any): Any =>
    Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
  const args = argumentsOf(name, sample);
  const kwargs = decode(sample.kwargs);
  const mode: Any = new FakeTensorMode();
  const fake_args = each_tensor(args, (t) => mode.from_tensor(t));
  const fake_kwargs = each_tensor(kwargs, (t) => mode.from_tensor(t));
  const real = described(call(args, kwargs));
  let fake: string;
  try {
    fake = described(mode.with(() => call(fake_args, fake_kwargs)));
  } catch (error) {
    const { name: type, message } = error as Error;
    return REFUSALS.has(type) ? null : `threw ${type}: ${message}`;
  }
  return fake === real ? null : `fake ${fake}\n    real ${real}`;
}

export interface Count {
  samples: number;
  readonly differences: string[];
}

/** Compares the samples of an operator that do not fail, of so many dtypes. */
export function compare({ name, dtypes }: Recorded, limit: number, of_dtypes: number): Count {
  const count: Count = { samples: 0, differences: [] };
  for (const [dtype, samples] of Object.entries(dtypes).slice(0, of_dtypes)) {
    for (const [i, sample] of samples.slice(0, limit).entries()) {
      if ("error" in sample.result) continue;
      count.samples++;
      const found = difference(name, sample);
      if (found !== null) count.differences.push(`${name} ${dtype} ${i}: ${found}`);
    }
  }
  return count;
}
