/**
 * @file Views, joined and new tensors in operators of core ATen.
 * @mirrors torch/_decomp/decompositions.py
 */
import { NotImplemented } from "#python/Objects/object";
import { Float } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { SymInt } from "#torch/fx/experimental/sym_node";
import {
  add,
  arange,
  at,
  aten,
  contiguous,
  type Dtype,
  type Keywords,
  mul,
  register,
  type Size,
  scalar_like,
  sub,
  where,
} from "./core_aten_registry.ts";

const shape_of = (t: Tensor): Size[] => [...t.shape] as Size[];
const strings_equal = (a: readonly unknown[], b: readonly unknown[]): boolean => String(a) === String(b);

// Parts and joins --------------------------------------------------------------------------------------------------------------

register("unbind.int", (self: Tensor, given = 0) => {
  const dim = at(given, self.dim());
  const parts = Array.from({ length: self.shape[dim] as number }, (_, i) => aten("slice.Tensor", self, dim, i, i + 1));
  return parts.map((part) => aten("squeeze.dims", part, [dim]));
});
register("stack", (tensors: Tensor[], dim = 0) => {
  const shape = shape_of(tensors[0] as Tensor);
  const alike = tensors.every((t) => strings_equal(shape_of(t), shape));
  const place = at(dim, shape.length + 1);
  if (!alike || place === shape.length)
    return aten(
      "cat",
      tensors.map((t) => aten("unsqueeze", t, place)),
      ...(dim === 0 ? [] : [dim]),
    );
  const joined = aten("cat", tensors, ...(place === 0 ? [] : [place]));
  return aten("view", joined, [...shape.slice(0, place), tensors.length, ...shape.slice(place)]);
});
register("unsafe_split.Tensor", (self: Tensor, size: number, dim = 0) => {
  const length = self.shape[at(dim, self.dim())] as number;
  const sizes = new Array<number>(Math.floor(length / size)).fill(size);
  if (length % size !== 0) sizes.push(length % size);
  return aten("split_with_sizes", self, sizes, ...(dim === 0 ? [] : [dim]));
});
register("unsafe_split_with_sizes", (self: Tensor, sizes: Size[], dim = 0) =>
  aten("split_with_sizes", self, sizes, ...(dim === 0 ? [] : [dim])),
);

// Orders of elements -----------------------------------------------------------------------------------------------------------

register("squeeze.dim", (self: Tensor, dim: number) => aten("squeeze.dims", self, [dim]));
register("roll", (self: Tensor, given: number | number[], dims: number[] = []) => {
  const shifts = [given].flat();
  if (shifts.length === 1 && dims.length === 0 && self.dim() !== 1) {
    const flat = aten("view", self, [self.numel()]);
    return aten("view", rolled(flat, shifts[0] as number, 0), shape_of(self));
  }
  return shifts.reduce((t, shift, i) => rolled(t, shift, dims[i] ?? 0), self);
});
function rolled(self: Tensor, shift: number, dim: number): Tensor {
  const length = self.shape[at(dim, self.dim())] as number;
  const start = (((length - shift) % length) + length) % length;
  const places = aten("fmod.Scalar", add(arange(0, length, self.device), start), length);
  return aten("index_select", self, dim, places);
}
register("rot90", (self: Tensor, k = 1, [a, b]: number[] = [0, 1]) => {
  const [turns, from, to] = [((k % 4) + 4) % 4, at(a as number, self.dim()), at(b as number, self.dim())];
  const dims = Array.from({ length: self.dim() }, (_, i) => i);
  [dims[from], dims[to]] = [to, from];
  if (turns === 1) return aten("permute", aten("flip", self, [to]), dims);
  if (turns === 2) return aten("flip", self, [from, to]);
  if (turns === 3) return aten("permute", aten("flip", self, [from]), dims);
  return contiguous(self);
});
register("pixel_shuffle", (self: Tensor, factor: number) => {
  const shape = shape_of(self) as number[];
  const [c, h, w] = shape.slice(-3) as [number, number, number];
  const batch = shape.slice(0, -3);
  const n = batch.length;
  const parts = aten("view", self, [...batch, c / factor ** 2, factor, factor, h, w]);
  const order = [...batch.map((_, i) => i), n, n + 3, n + 1, n + 4, n + 2];
  const whole = [...batch, c / factor ** 2, h * factor, w * factor];
  return contiguous(aten("view", contiguous(aten("permute", parts, order)), whole));
});
register("pixel_unshuffle", (self: Tensor, factor: number) => {
  const shape = shape_of(self) as number[];
  const [c, h, w] = shape.slice(-3) as [number, number, number];
  const batch = shape.slice(0, -3);
  const n = batch.length;
  const parts = aten("view", self, [...batch, c, h / factor, factor, w / factor, factor]);
  const order = [...batch.map((_, i) => i), n, n + 2, n + 4, n + 1, n + 3];
  const whole = [...batch, c * factor ** 2, h / factor, w / factor];
  return contiguous(aten("view", contiguous(aten("permute", parts, order)), whole));
});
register("channel_shuffle", (self: Tensor, groups: number) => {
  const [n, c, ...rest] = shape_of(self) as number[];
  const parts = aten("view", self, [n, groups, (c as number) / groups, ...rest]);
  const swapped = aten("permute", parts, [0, 2, 1, ...rest.map((_, i) => i + 3)]);
  return aten("view", contiguous(swapped), [n, c, ...rest]);
});
register("trace", (self: Tensor) => aten("sum.dim_IntList", contiguous(aten("diagonal", self)), []));

// Copies of views --------------------------------------------------------------------------------------------------------------

const copy_of = (copy: string, view: string): void =>
  register(copy, (...args: unknown[]) => contiguous(aten(view, ...args)));
copy_of("alias_copy", "alias");
copy_of("unsqueeze_copy", "unsqueeze");
copy_of("squeeze_copy", "squeeze");
copy_of("squeeze_copy.dim", "squeeze.dim");
copy_of("squeeze_copy.dims", "squeeze.dims");
copy_of("transpose_copy.int", "transpose.int");
copy_of("t_copy", "t");
copy_of("expand_copy", "expand");
copy_of("diagonal_copy", "diagonal");

// New tensors ------------------------------------------------------------------------------------------------------------------

const ranged = (start: unknown, end: unknown, { dtype, device }: Keywords): Tensor =>
  aten("arange.start_step", start, end, {
    ...(dtype == null ? {} : { dtype }),
    layout: torch.strided,
    ...(device == null ? {} : { device }),
    pin_memory: false,
  });
register("arange", (end: unknown, keywords: Keywords = {}) => ranged(0, end, keywords));
register("arange.start", (start: unknown, end: unknown, keywords: Keywords = {}) => ranged(start, end, keywords));

function identity(n: Size, m: Size, { dtype, device }: Keywords): Tensor {
  const place = device ?? torch.device("cpu");
  const rows = arange(0, n, place, torch.uint8);
  const columns = arange(0, m, place, torch.uint8);
  const equal = aten("eq.Tensor", aten("unsqueeze", rows, -1), columns);
  const to = (dtype ?? torch.get_default_dtype()) as Dtype;
  return to === torch.bool ? equal : aten("_to_copy", equal, { dtype: to });
}
const SMALL = 255; // larger sizes count in int64
register("eye", (n: Size, keywords: Keywords = {}) =>
  n instanceof SymInt || n > SMALL ? NotImplemented : identity(n, n, keywords),
);
register("eye.m", (n: Size, m: Size, keywords: Keywords = {}) =>
  [n, m].some((size) => size instanceof SymInt || size > SMALL) ? NotImplemented : identity(n, m, keywords),
);

/** Half of the values are counted from the start, half from the end. */
function spaced(start: number, end: number, steps: number, dtype: Dtype, device: unknown): Tensor {
  const places = arange(0, steps, device);
  const step = Float((end - start) / (steps - 1));
  const from_start = aten("lt.Scalar", places, Float(steps / 2));
  const low = add(mul(aten("_to_copy", places, { dtype }), step), start);
  const back = aten("_to_copy", sub(steps - 1, places), { dtype });
  return where(from_start, low, sub(end, mul(back, step)));
}
register("linspace", (start: unknown, end: unknown, steps: number, keywords: Keywords = {}) => {
  const dtype = (keywords["dtype"] ?? torch.get_default_dtype()) as Dtype;
  if (
    !dtype.is_floating_point ||
    steps < 2 ||
    ![start, end].every((bound) => typeof bound === "number" || Number.isFinite(Number(bound)))
  )
    return NotImplemented;
  return spaced(start as number, end as number, steps, dtype, keywords["device"] ?? torch.device("cpu"));
});
register("new_empty", (self: Tensor, size: Size[], { dtype, device }: Keywords = {}) =>
  aten("empty.memory_format", size, {
    dtype: dtype ?? self.dtype,
    layout: torch.strided,
    device: device ?? self.device,
    pin_memory: false,
  }),
);
register("fill.Scalar", (self: Tensor, value: unknown) => aten("full_like", self, value, { pin_memory: false }));
register("fill.Tensor", (self: Tensor, value: Tensor) => aten("copy", self, value));
register("zero", (self: Tensor) =>
  aten("full_like", self, 0, { pin_memory: false, memory_format: torch.preserve_format }),
);

/** The part on one side of a diagonal. */
const triangle =
  (comparison: string) =>
  (self: Tensor, diagonal = 0) => {
    const [rows, columns] = shape_of(self).slice(-2) as [Size, Size];
    const across = aten("unsqueeze", arange(0, columns, self.device), -2);
    const down = aten("unsqueeze", arange(0, rows, self.device), -1);
    const inside = aten(comparison, sub(across, down), diagonal);
    if (self.dtype === torch.bool) return aten("logical_and", inside, self);
    return where(inside, self, scalar_like(0, self));
  };
register("tril", triangle("le.Scalar"));
register("triu", triangle("ge.Scalar"));

// Selected elements ------------------------------------------------------------------------------------------------------------

register("masked_fill.Scalar", (self: Tensor, mask: Tensor, value: unknown) =>
  where(mask, scalar_like(self.dtype.is_floating_point ? Float(Number(value)) : value, self), self),
);
register("masked_fill.Tensor", (self: Tensor, mask: Tensor, value: Tensor) =>
  value.dtype === self.dtype ? where(mask, value, self) : NotImplemented,
);

const indices = (dim: number, index: Tensor): (Tensor | null)[] => [...new Array<null>(dim).fill(null), index];
function index_filled(self: Tensor, given: number, index: Tensor, value: Tensor): Tensor {
  const dim = at(given, self.dim());
  const shape = shape_of(self);
  shape[dim] = index.numel();
  return aten("index_put", self, indices(dim, index), aten("expand", value, shape));
}
register("index_fill.int_Scalar", (self: Tensor, dim: number, index: Tensor, value: unknown) => {
  if (self.dim() === 0) return NotImplemented;
  const { dtype, device } = self;
  const filler = aten("scalar_tensor", value, { dtype, layout: torch.strided, device, pin_memory: false });
  return index_filled(self, dim, index, filler);
});
register("index_fill.int_Tensor", (self: Tensor, dim: number, index: Tensor, value: Tensor) =>
  self.dim() === 0 || value.dtype !== self.dtype ? NotImplemented : index_filled(self, dim, index, value),
);
register("index_copy", (self: Tensor, dim: number, index: Tensor, source: Tensor) =>
  self.dim() === 0 ? NotImplemented : aten("index_put", self, indices(at(dim, self.dim()), index), source),
);
register("index_add", (self: Tensor, dim: number, index: Tensor, source: Tensor, { alpha = 1 }: Keywords = {}) => {
  if (self.dim() === 0 || index.dim() > 1) return NotImplemented;
  const added = alpha === 1 ? source : mul(source, alpha);
  return aten("index_put", self, indices(at(dim, self.dim()), index), added, true);
});
register("take", (self: Tensor, index: Tensor) => aten("index.Tensor", aten("view", self, [-1]), [index]));
