/**
 * @file A recorded OpInfo sample, called on the CPU and on the device with tensors that lie alike in their storages: results, gradients, what
 * became of every byte of the arguments, errors.
 * @original
 */
import { farthest, type Tolerances, tolerances } from "../../helpers/assert_close.ts";
import { argumentsOf, inPlace, operator, type Recorded, type Sample, uninitialized } from "../../helpers/opinfo.ts";
import { type Any, decode, dtypeName, fromBytes } from "../../helpers/recorded.ts";
import { torch } from "./both.ts";

/** How tensors lie in their storages: as recorded; with others' elements around; with others' elements between as well. */
export type Layout = "recorded" | "offset" | "spread";
export const FORMS = ["result", "in place", "out", "gradient"] as const;
export type Form = (typeof FORMS)[number];

const GUARD = 0x5b;

/** Over a storage of `n` elements with `bytes_at` set, the tensor's place in it. */
interface Placed {
  readonly on_host: Any;
  readonly on_device: Any;
}

function whole(t: Any): Any {
  return t.detach().as_strided([t.untyped_storage().nbytes() / t.itemsize], [1], 0);
}

/** Both tensors have the bytes, shape, strides and offset; `t` is a tensor of the CPU over a storage of its own. */
function placed(t: Any, layout: Layout): Placed {
  const own = whole(t);
  const n = own.numel();
  const [step, before, after] = layout === "recorded" ? [1, 0, 0] : layout === "offset" ? [1, 3, 2] : [2, 3, 2];
  const host = torch.empty([n * step + before + after], { dtype: t.dtype }) as Any;
  const bytes: Uint8Array = host.untyped_storage().bytes();
  const from: Uint8Array = own.untyped_storage().bytes();
  bytes.fill(t.dtype === torch.bool ? 1 : GUARD);
  const size = t.itemsize;
  for (let i = 0; i < n; i++) bytes.set(from.subarray(i * size, (i + 1) * size), (i * step + before) * size);
  const at = [t.shape, t.stride().map((s: number) => s * step), t.storage_offset() * step + before] as const;
  return { on_host: host.as_strided(...at), on_device: host.to("webgpu").as_strided(...at) };
}

interface Given {
  readonly args: Any[];
  readonly kwargs: Any;
  readonly tensors: Any[];
}

function both(values: Any, layout: Layout): [Given, Given] {
  const tensors: [Any[], Any[]] = [[], []];
  const walk = (v: Any): [Any, Any] => {
    if (v instanceof torch.Tensor) {
      if ((v as Any).device.type === "meta") return [v, v];
      const { on_host, on_device } = placed(v, layout);
      tensors[0].push(on_host);
      tensors[1].push(on_device);
      return [on_host, on_device];
    }
    if (Array.isArray(v)) {
      const pairs = v.map(walk);
      return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
    }
    if (v === "cpu") return ["cpu", "webgpu"];
    if (v !== null && typeof v === "object" && Object.getPrototypeOf(v) === Object.prototype) {
      const pairs = Object.entries(v).map(([k, each]) => [k, walk(each)] as const);
      return [
        Object.fromEntries(pairs.map(([k, [a]]) => [k, a])),
        Object.fromEntries(pairs.map(([k, [, b]]) => [k, b])),
      ];
    }
    return [v, v];
  };
  const [host, device] = walk(values);
  return [
    { args: host[0], kwargs: host[1], tensors: tensors[0] },
    { args: device[0], kwargs: device[1], tensors: tensors[1] },
  ];
}

function bytes_of(t: Any): Uint8Array {
  const host = whole(t).cpu();
  return host
    .untyped_storage()
    .bytes()
    .slice(0, host.numel() * host.itemsize);
}

/** The bytes of a storage that elements of `t` lie in. */
function covered(t: Any, nbytes: number): Uint8Array {
  const own = new Uint8Array(nbytes);
  const [shape, stride, size] = [t.shape, t.stride(), t.itemsize];
  const walk = (dim: number, at: number): void => {
    if (dim === shape.length) own.fill(1, at * size, (at + 1) * size);
    else for (let i = 0; i < shape[dim]; i++) walk(dim + 1, at + i * stride[dim]);
  };
  if (t.numel() > 0) walk(0, t.storage_offset());
  return own;
}

/** Null, or how the memory of two arguments differs after the call. */
function memory_complaint(host: Any, device: Any, elements: boolean): string | null {
  const dtype = dtypeName(host);
  const [a, b] = [bytes_of(host), bytes_of(device)];
  if (a.length !== b.length) return `storage of ${b.length} bytes instead of ${a.length}`;
  const own = covered(host, a.length);
  const foreign = a.findIndex((byte, i) => own[i] === 0 && byte !== b[i]);
  if (foreign !== -1) return `byte ${foreign}, which is another's, became ${b[foreign]}, on the CPU ${a[foreign]}`;
  return elements ? farthest(fromBytes(b, dtype), fromBytes(a, dtype), dtype) : null;
}

/**
 * Where PyTorch's OpInfo has a `toleranceOverride` for the second device: 3 dims of large numbers that cancel. And in a grid's gradient the slopes of a
 * cubic curve over equal neighbours: their sum is 0 but for the last bits, which the CPU has in double.
 */
const OVERRIDES: Readonly<Record<string, Tolerances>> = {
  "nn.functional.conv_transpose3d": { ...tolerances, float32: { rtol: 1.3e-6, atol: 1e-4 } },
  "nn.functional.grid_sample": { ...tolerances, float32: { rtol: 1.3e-6, atol: 3e-5 } },
};

/** Null, or how a result of the device differs from the CPU's. */
export function result_complaint(
  device: Any,
  host: Any,
  values: boolean,
  strides = true,
  by = tolerances,
): string | null {
  if (host instanceof torch.Tensor) {
    const [got, want] = [device, host as Any];
    if (!(got instanceof torch.Tensor)) return `got ${String(got)} instead of a tensor`;
    const facts = (t: Any): string =>
      `${dtypeName(t)} [${t.shape}] ${strides ? `strides [${t.stride()}]` : ""} ${t.requires_grad ? `grad ${t.grad_fn?.name()}` : ""}`;
    if (facts(got) !== facts(want)) return `${facts(got)} instead of ${facts(want)}`;
    const place = want.device.type === "cpu" ? "webgpu" : want.device.type;
    if ((got as Any).device.type !== place) return `on ${(got as Any).device}`;
    if (!values || place === "meta") return null;
    const elements = (t: Any): ReturnType<typeof fromBytes> => {
      const dense = t.detach().cpu().contiguous().clone();
      return fromBytes(
        dense
          .untyped_storage()
          .bytes()
          .slice(0, dense.numel() * dense.itemsize),
        dtypeName(t),
      );
    };
    return farthest(elements(got), elements(want), dtypeName(want), by);
  }
  if (host !== null && typeof host === "object" && Symbol.iterator in host) {
    const [got, want] = [[...(device as Iterable<Any>)], [...host]];
    if (got.length !== want.length) return `${got.length} results instead of ${want.length}`;
    for (const [i, each] of want.entries()) {
      const said = result_complaint(got[i], each, values, strides, by);
      if (said !== null) return `result ${i}: ${said}`;
    }
    return null;
  }
  const [got, want] = [device, host].map((v) => (v instanceof torch.Float ? v.valueOf() : v));
  if (typeof want === "number" && typeof got === "number") return farthest([got], [want], "float32");
  return Object.is(got, want) || String(got) === String(want) ? null : `${String(got)} instead of ${String(want)}`;
}

type Ran = { readonly value: Any } | { readonly error: Error };

function ran(f: () => Any): Ran {
  try {
    return { value: f() };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Messages of functions that have no `out`, or not one like this. */
const TAKES_NO_OUT = /unexpected keyword|out=|argument 'out'|\(got|no overload|received an invalid|does not match/;
const REFUSED = "Cannot convert a WebGPU Tensor to ";

/** The words of the device where the CPU's name it. */
function words(error: Error): string {
  return `${error.name}: ${error.message}`.replaceAll("webgpu:0", "cpu").replaceAll("PrivateUse1", "CPU");
}

function tensors_of(value: Any): Any[] {
  if (value instanceof torch.Tensor) return [value];
  return value !== null && typeof value === "object" && Symbol.iterator in value ? [...value].flatMap(tensors_of) : [];
}

function is_half(v: Any): boolean {
  return v instanceof torch.Tensor && ((v as Any).dtype === torch.float16 || (v as Any).dtype === torch.bfloat16);
}

function dtype_of_halves({ tensors }: Given): Any {
  return tensors.find(is_half)?.dtype;
}

/** The value with float32 in place of a half dtype. */
function in_float32(value: Any, half: Any): Any {
  if (is_half(value)) return value.float();
  if (value === half && half !== undefined) return torch.float32;
  if (Array.isArray(value)) return value.map((v) => in_float32(v, half));
  if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, in_float32(v, half)]));
  return value;
}

type Run = (given: Given) => Any;

/** The arguments with outputs for `results`: with their shapes and strides, or empty. */
function with_out(results: Any, [host, device]: [Given, Given], empty: boolean): [Given, Given] | null {
  const all = tensors_of(results);
  if (all.length === 0 || all.some((t) => t.device.type !== "cpu" || t.dtype === torch.float64)) return null;
  const outs = all.map((t: Any) =>
    empty
      ? placed(torch.empty([0], { dtype: t.dtype }), "recorded")
      : placed(torch.zeros(t.shape, { dtype: t.dtype }), "spread"),
  );
  const given = (g: Given, side: "on_host" | "on_device"): Given => {
    const tensors = outs.map((o) => o[side]);
    const out = results instanceof torch.Tensor ? tensors[0] : tensors;
    return { args: g.args, kwargs: { ...g.kwargs, out }, tensors: [...g.tensors, ...tensors] };
  };
  return [given(host, "on_host"), given(device, "on_device")];
}

/** Operators whose indices may differ, as on CUDA: among equal elements any may be chosen, so the elements at the places are compared. */
const BY_ELEMENTS: ReadonlySet<string> = new Set(["topk", "kthvalue"]);
function by_elements(plain: Run): Run {
  return (given) => {
    const [values, indices] = plain(given);
    const dim = given.kwargs.dim ?? given.args[2] ?? -1;
    const places = indices.dim() < given.args[0].dim() ? indices.unsqueeze(dim) : indices;
    return [values, given.args[0].gather(dim, places)];
  };
}

/** Null, or how the call differs on the device. */
export function sample_complaint(name: string, sample: Sample, form: Form, layout: Layout, turn = 0): string | null {
  const values = !uninitialized.test(name.replace("aten::", ""));
  const fn = form === "in place" ? inPlace(name) : operator(name);
  const plain: Run = ({ args, kwargs }) => (Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs));
  const make = (): [Given, Given] => both([argumentsOf(name, sample), decode(sample.kwargs)], layout);
  let given = make();
  let run = BY_ELEMENTS.has(name) && form === "result" ? by_elements(plain) : plain;
  if (form === "out") {
    const first = ran(() => plain(make()[0]));
    if ("error" in first) return null;
    const into = (): [Given, Given] | null => with_out(first.value, make(), turn % 2 === 1);
    const [made, tried] = [into(), into()];
    if (made === null || tried === null) return null;
    const answer = ran(() => plain(tried[0]));
    if ("error" in answer && TAKES_NO_OUT.test(answer.error.message)) return null;
    given = made;
  }
  if (form === "gradient") run = (g) => gradients(plain, g);
  const [host, device] = [ran(() => run(given[0])), ran(() => run(given[1]))];
  // A kernel of the device computes in float32 and rounds a half once; the CPU's may round in between. Nearer to float32 is as good.
  const rounds_once = (got: Any): boolean => {
    const all = tensors_of(got);
    if (form === "in place" || !all.some((t) => is_half(t))) return false;
    const wide = (v: Any): Any => in_float32(v, dtype_of_halves(given[0]));
    const exact = ran(() => run({ args: wide(make()[0].args), kwargs: wide(make()[0].kwargs), tensors: [] }));
    if ("error" in exact) return false;
    return tensors_of(exact.value).every(
      (t, i) => result_complaint(all[i], t.to(all[i].dtype), values, false) === null,
    );
  };
  const is_double = (t: Any): boolean => t.dtype === torch.float64;
  if ("error" in device && device.error.message.startsWith(REFUSED)) {
    const doubles = "error" in host || tensors_of(host.value).some(is_double) || given[0].tensors.some(is_double);
    if (doubles || JSON.stringify([sample.args, sample.kwargs]).includes('"float64"')) return null;
  }
  if ("error" in host) {
    if (!("error" in device)) {
      const late = ran(() => tensors_of(device.value).map((t) => t.cpu()));
      return "error" in late
        ? `late: ${words(late.error)}, CPU ${words(host.error)}`
        : `gave a result instead of ${words(host.error)}`;
    }
    return words(host.error) === words(device.error)
      ? null
      : `said ${words(device.error)}\n   CPU ${words(host.error)}`;
  }
  if ("error" in device) return `threw ${device.error.stack?.slice(0, 900)}`;
  const said = result_complaint(device.value, host.value, values, form !== "gradient", OVERRIDES[name]);
  if (said === "on cpu" && given[1].tensors.length === 0) return null; // nothing named the device
  if (said !== null && !rounds_once(device.value)) return said;
  for (const [i, t] of given[0].tensors.entries()) {
    const memory = values ? memory_complaint(t, given[1].tensors[i], said === null) : null;
    if (memory !== null) return `memory of tensor ${i}: ${memory}`;
  }
  return null;
}

function gradients(plain: Run, given: Given): Any {
  const inputs = given.tensors.filter((t) => t.is_floating_point()).map((t) => t.requires_grad_(true));
  const outs = tensors_of(plain(given)).filter((o) => o.requires_grad);
  if (outs.length === 0) return [];
  const cotangents = outs.map((o) =>
    torch
      .tensor(
        Array.from({ length: o.numel() }, (_, i) => (i % 7) / 2 + 1),
        { dtype: o.dtype, device: o.device },
      )
      .reshape(o.shape),
  );
  return torch.autograd.grad(outs, inputs, cotangents, { allow_unused: true });
}

/** Whether the sample has the form at all. */
export function has_form(name: string, sample: Sample, form: Form, dtype: string): boolean {
  if ("error" in sample.result) return form === "result";
  if (form === "in place") return sample.inplace !== undefined && !name.startsWith("__");
  return form !== "gradient" || dtype === "float32"; // as PyTorch compares gradients: of halves they are sums of roundings
}

export type { Recorded, Sample };
