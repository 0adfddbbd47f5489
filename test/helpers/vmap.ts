/**
 * @file Samples of PyTorch's OpInfo under vmap: the batched call must give what a loop over the batch gives.
 */
import torch from "glasstorch/func";
import { argumentsOf, operator, type Recorded, type Sample } from "./opinfo.ts";
import { type Any, decode } from "./recorded.ts";

/** Operators that vmap refuses, or whose results are random or uninitialized: a loop cannot tell anything about them. */
const left_out =
  /^(new_)?empty|^resize_|^bernoulli|dropout|rrelu|normal|uniform|multinomial|^rand|exponential|cauchy|geometric|log_normal|poisson$|nonzero|unique|allclose|equal$|item|bincount|^to_sparse|gumbel|svd_lowrank|pca_lowrank|^lobpcg|is_set_to|_like$/;

export function takes_part(name: string): boolean {
  return !left_out.test(name.replace("aten::", ""));
}

/** Which tensors of a call are batched, and where: `dims` of the n tensors. */
export const ways: Readonly<Record<string, (n: number) => (number | null)[]>> = {
  "all at 0": (n) => new Array<number>(n).fill(0),
  "all at the end": (n) => new Array<number>(n).fill(-1),
  "the first": (n) => Array.from({ length: n }, (_, i) => (i === 0 ? 0 : null)),
  "the others": (n) => Array.from({ length: n }, (_, i) => (i === 0 ? null : 0)),
};

type Path = readonly (string | number)[];

function tensors_in(value: Any, path: Path = []): { path: Path; tensor: Any }[] {
  if (value instanceof torch.Tensor) return [{ path, tensor: value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => tensors_in(item, [...path, i]));
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value).flatMap(([key, item]) => tensors_in(item, [...path, key]))
    : [];
}

/** The value with other tensors. */
function with_tensors(value: Any, next: () => Any): Any {
  if (value instanceof torch.Tensor) return next();
  if (Array.isArray(value)) return value.map((item) => with_tensors(item, next));
  if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, with_tensors(item, next)]));
  return value;
}

/** A second sample beside the first, of the same kind. */
function other(t: Any): Any {
  return t.is_floating_point() || t.is_complex() ? t.mul(0.875) : t.clone();
}

const outputs = (result: Any): Any[] =>
  result instanceof torch.Tensor ? [result] : Array.isArray(result) ? result.flatMap(outputs) : [];

/** The difference between vmap and a loop in one sample; null if nothing does, undefined if the loop cannot run. */
export function difference(
  name: string,
  sample: Sample,
  dims_of: (n: number) => (number | null)[],
): string | null | undefined {
  const fn = operator(name);
  const given = [argumentsOf(name, sample), decode(sample.kwargs)] as const;
  const found = tensors_in(given).map(({ tensor }) => tensor);
  const dims = dims_of(found.length);
  if (found.length === 0 || dims.every((dim) => dim === null)) return undefined;
  const call = (tensors: readonly Any[]): Any => {
    let i = 0;
    const [args, kwargs] = with_tensors(given, () => tensors[i++]);
    const result = Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
    return outputs(result);
  };
  const samples = found.map((t, i) => (dims[i] === null ? [t, t] : [t, other(t)]));
  let expected: Any[];
  try {
    const each = [0, 1].map((b) => call(samples.map((pair) => pair[b].clone())));
    expected = each[0].map((_: Any, j: number) => torch.stack([each[0][j], each[1][j]]));
  } catch {
    return undefined;
  }
  if (expected.length === 0) return undefined;
  try {
    const batched = samples.map((pair, i) =>
      dims[i] === null ? pair[0] : torch.stack(pair as Any, dims[i] as number),
    );
    const actual = (torch.func as Any).vmap((...tensors: Any[]) => call(tensors), dims)(...batched);
    for (const [j, want] of expected.entries())
      (torch.testing as Any).assert_close(actual[j], want, { equal_nan: true, rtol: 1e-3, atol: 1e-4 });
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return null;
}

/** The differences in a file of samples of one operator. */
export function vmap_complaints({ name, dtypes }: Recorded, dtype: string, limit = 6): string[] {
  const complaints: string[] = [];
  for (const [i, sample] of dtypes[dtype].slice(0, limit).entries())
    for (const [way, dims_of] of Object.entries(ways)) {
      const said = difference(name, sample, dims_of);
      if (typeof said === "string") complaints.push(`${name} ${dtype} sample ${i}, ${way} batched: ${said}`);
    }
  return complaints;
}
