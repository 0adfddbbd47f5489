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

/** Which tensors of a call one vmap batches, and where: `in_dims` of its n tensors. */
type Dims = (n: number) => (number | null)[];

const all_at_0: Dims = (n) => new Array<number>(n).fill(0);
const all_at_the_end: Dims = (n) => new Array<number>(n).fill(-1);
const the_first: Dims = (n) => Array.from({ length: n }, (_, i) => (i === 0 ? 0 : null));
const the_others: Dims = (n) => Array.from({ length: n }, (_, i) => (i === 0 ? null : 0));

/** A way to batch a call: one entry for each vmap, the outermost first. */
export const ways: Readonly<Record<string, readonly Dims[]>> = {
  "all at 0": [all_at_0],
  "all at the end": [all_at_the_end],
  "the first": [the_first],
  "the others": [the_others],
};

/** Two vmaps, one inside the other. */
export const nested_ways: Readonly<Record<string, readonly Dims[]>> = {
  "all at 0, twice": [all_at_0, all_at_0],
  "all at the end, and inside it all at 0": [all_at_the_end, all_at_0],
  "the first, and inside it the others": [the_first, the_others],
  "the others, and inside it the first": [the_others, the_first],
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

/** How often `other` is applied for the batch position `at` (0 or 1 for each vmap); vmaps that do not batch the tensor have no part in it. */
function variant(t: Any, at: readonly number[], dims: readonly (number | null)[]): Any {
  let value = t;
  for (const [level, bit] of at.entries())
    if (dims[level] !== null && bit === 1) for (let i = 0; i <= level; i++) value = other(value);
  return value;
}

/** The values of a function at every batch position, stacked at each level. `dims` says where; a level without a dimension is not stacked. */
function stacked(levels: number, dims: readonly (number | null)[], value: (at: readonly number[]) => Any): Any {
  const level = (at: readonly number[]): Any => {
    const dim = dims[at.length];
    if (at.length === levels) return value(at);
    return dim === null ? level([...at, 0]) : torch.stack([level([...at, 0]), level([...at, 1])], dim as number);
  };
  return level([]);
}

/** The difference between vmap and a loop in one sample; null if nothing does, undefined if the loop cannot run. */
export function difference(name: string, sample: Sample, way: readonly Dims[]): string | null | undefined {
  const fn = operator(name);
  const given = [argumentsOf(name, sample), decode(sample.kwargs)] as const;
  const found = tensors_in(given).map(({ tensor }) => tensor);
  const in_dims = way.map((dims_of) => dims_of(found.length));
  if (found.length === 0 || in_dims.some((dims) => dims.every((dim) => dim === null))) return undefined;
  const call = (tensors: readonly Any[]): Any => {
    let i = 0;
    const [args, kwargs] = with_tensors(given, () => tensors[i++]);
    const result = Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
    return outputs(result);
  };
  const dims_of_tensor = found.map((_, i) => in_dims.map((dims) => dims[i]));
  let expected: Any[];
  try {
    const each = new Map<string, Any[]>();
    const at_position = (at: readonly number[]): Any[] => {
      const key = at.join();
      const known = each.get(key) ?? call(found.map((t, i) => variant(t, at, dims_of_tensor[i]).clone()));
      each.set(key, known);
      return known;
    };
    const front = way.map(() => 0);
    expected = at_position(front).map((_, j) => stacked(way.length, front, (at) => at_position(at)[j]));
  } catch {
    return undefined;
  }
  if (expected.length === 0) return undefined;
  try {
    const batched = found.map((t, i) =>
      stacked(way.length, dims_of_tensor[i], (at) => variant(t, at, dims_of_tensor[i])),
    );
    const mapped = in_dims.reduceRight<(...tensors: Any[]) => Any>(
      (inner, dims) => (torch.func as Any).vmap(inner, dims),
      (...tensors) => call(tensors),
    );
    const actual = mapped(...batched);
    for (const [j, want] of expected.entries())
      (torch.testing as Any).assert_close(actual[j], want, { equal_nan: true, rtol: 1e-3, atol: 1e-4 });
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return null;
}

/** The differences in a file of samples of one operator. */
export function vmap_complaints({ name, dtypes }: Recorded, dtype: string, limit = 6, batched = ways): string[] {
  const complaints: string[] = [];
  for (const [i, sample] of dtypes[dtype].slice(0, limit).entries())
    for (const [way, dims] of Object.entries(batched)) {
      const said = difference(name, sample, dims);
      if (typeof said === "string") complaints.push(`${name} ${dtype} sample ${i}, ${way} batched: ${said}`);
    }
  return complaints;
}
