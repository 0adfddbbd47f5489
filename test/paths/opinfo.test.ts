/**
 * The path of OpInfo's samples beside PyTorch 2.13.0: operators that a TorchDispatchMode sees, and the profiler's rows.
 * Recorded by tools/oracle/record_opinfo_paths.py; the samples are those of test/fixtures/opinfo.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { addGlobalCallback, RecordFunctionCallback, removeCallback } from "#aten/record_function";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { argumentsOf, operator, type Recorded, type Sample } from "../helpers/opinfo.ts";
import { type Any, decode, readFixture } from "../helpers/recorded.ts";

type Row = readonly [depth: number, name: string];
interface Path {
  readonly mode: readonly string[];
  readonly profile: readonly Row[];
}
const { samples: recorded } = readFixture<{ samples: Record<string, Record<string, Record<string, Path>>> }>(
  new URL("../fixtures/paths/opinfo.json.gz", import.meta.url),
);

/** Called in another way here: a property is read twice, and what changes its input is not given a copy. */
const CALLED_OTHERWISE = new Set(["H", "T", "mT", "resize_", "resize_as_"]);

/** A mode sees other operators: the gradient applies reflections in another order. */
const MODE_DIFFERS = new Set(["linalg.householder_product", "ormqr"]);

/**
 * The profiler shows other rows, and why. Nearly all are buffers inside one kernel; the `@differs` marks of the kernels' files tell them,
 * too. A name that agrees must leave the list.
 */
const PROFILE_DIFFERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "LAPACK gets its workspace as a tensor; routines here need none": `
      geqrf linalg.eigvalsh linalg.householder_product linalg.ldl_factor linalg.ldl_factor_ex linalg.matrix_rank.hermitian
      linalg.pinv.hermitian linalg.qr ormqr qr`,
    "least squares: LAPACK's results are indexed matrix by matrix, here they are written at once": "linalg.lstsq",
    "each thread of a channels-last kernel has sums of its own": `
      _batch_norm_with_update _native_batch_norm_legit native_batch_norm nn.functional.batch_norm`,
    "oneDNN's result is a tensor of its own, and columns are kept in other tensors": `
      nn.functional.conv1d nn.functional.conv2d nn.functional.conv3d nn.functional.conv_transpose1d
      nn.functional.conv_transpose2d nn.functional.conv_transpose3d`,
    "places and weights of neighbours are tensors; here they are arrays": `
      nn.functional.interpolate.bicubic nn.functional.interpolate.bilinear nn.functional.interpolate.linear
      nn.functional.interpolate.nearest nn.functional.interpolate.nearest-exact nn.functional.interpolate.trilinear
      nn.functional.upsample_bilinear nn.functional.upsample_nearest`,
    "a fast path of FBGEMM, which returns without the tables of bags": "nn.functional.embedding_bag",
    "lines are sorted in a copy of the input": "kthvalue",
    "one kernel; here a composition of operators": "addr",
    "the halves of a wide matrix are views that `cat` copies one by one":
      "linalg.lu linalg.lu_factor linalg.lu_factor_ex",
  }).flatMap(([why, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, why] as const),
  ),
);

const modes = torch.utils._python_dispatch as Any;

class Below extends modes.TorchDispatchMode {
  readonly seen: string[] = [];
  __torch_dispatch__(func: Any, _types: Any, args: Any[], kwargs: Any): Any {
    this.seen.push(
      func
        .name()
        .replace(/^aten::/, "")
        .replace(/\.default$/, ""),
    );
    return func(...args, kwargs);
  }
}

function tensors(value: Any): Any[] {
  if (value instanceof torch.Tensor) return (value as Any).is_floating_point() ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(tensors);
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).flatMap(tensors)
    : [];
}

/** The sample's call, with inputs of its own. */
function work(name: string, sample: Sample): () => unknown {
  const fn = operator(name);
  const args = argumentsOf(name, sample);
  const kwargs = decode(sample.kwargs);
  const run = () => (Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs));
  if (sample.grads === undefined) return run;
  const given = tensors([...args, ...Object.values(kwargs)]);
  const inputs = sample.grads.of.map((i) => given[i].requires_grad_());
  const forward = () => {
    const out = run();
    return tensors(Array.isArray(out) || out instanceof torch.Tensor ? out : [...out]).filter((o) => o.requires_grad);
  };
  const grads = forward().map((o) => torch.ones_like(o).contiguous());
  return () => torch.autograd.grad(forward(), inputs, grads, { allow_unused: true });
}

function profiled(run: () => unknown): Row[] {
  const rows: Row[] = [];
  let depth = 0;
  const handle = addGlobalCallback(
    new RecordFunctionCallback(
      (fn) => {
        if (fn.name().startsWith("autograd::engine")) return null;
        rows.push([depth, fn.name().replace(/^aten::/, "")]);
        depth++;
        return fn;
      },
      (_fn, context) => {
        if (context !== null) depth--;
      },
    ),
  );
  try {
    run();
  } finally {
    removeCallback(handle);
  }
  return rows;
}

function path_of(name: string, sample: Sample): Path {
  work(name, sample)();
  const mode: Any = new Below();
  const run = work(name, sample);
  mode.with(run);
  return { mode: mode.seen, profile: profiled(work(name, sample)) };
}

/** The recordings that agree in every sample: `mode`, `profile`, both or neither. */
function agreements(name: string): { mode: boolean; profile: boolean } {
  const opinfo = readFixture<Recorded>(new URL(`../fixtures/opinfo/${name}.json.gz`, import.meta.url));
  const agrees = { mode: true, profile: true };
  for (const [dtype, samples] of Object.entries(recorded[name])) {
    for (const [i, expected] of Object.entries(samples)) {
      const found = path_of(opinfo.name, opinfo.dtypes[dtype][Number(i)]);
      if (!MODE_DIFFERS.has(name)) expect(found.mode, `${dtype} ${i}, mode`).toEqual(expected.mode);
      if (!PROFILE_DIFFERS.has(name)) expect(found.profile, `${dtype} ${i}, profile`).toEqual(expected.profile);
      agrees.mode &&= JSON.stringify(found.mode) === JSON.stringify(expected.mode);
      agrees.profile &&= JSON.stringify(found.profile) === JSON.stringify(expected.profile);
    }
  }
  return agrees;
}

const names = Object.keys(recorded).filter((name) => !CALLED_OTHERWISE.has(name));
const taken = cases_in_turn("operators whose paths are PyTorch's", names, 16);
test.each(taken)("%s", (name) => {
  expect(agreements(name)).toEqual({ mode: !MODE_DIFFERS.has(name), profile: !PROFILE_DIFFERS.has(name) });
});
