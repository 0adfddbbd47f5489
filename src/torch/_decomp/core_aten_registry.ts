/**
 * @file The table of decompositions to core ATen that only a program asks for, and the operators in which they are written.
 * @mirrors torch/_decomp/__init__.py#core_aten_decompositions
 * @see for_graphs.ts (those that Inductor also uses)
 */
import { NotImplemented } from "#python/Objects/object";
import type { OpOverload } from "#torch/_ops";
import { ops } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { SymInt } from "#torch/fx/experimental/sym_node";

export type Keywords = Readonly<Record<string, unknown>>;
export type Decomposition = (...args: unknown[]) => unknown;
/** A length: a number, or a symbol while sizes vary. */
export type Size = number | SymInt;
export type Dtype = Tensor["dtype"];

/** By the name of the operator, without `.default`. */
export const for_core_aten = new Map<string, Decomposition>();

/** `aten("mul.Tensor", x, y)`. */
export function aten(name: string, ...args: unknown[]): Tensor {
  const [base = "", overload = "default"] = name.split(".");
  return (ops.aten[base][overload] as OpOverload)(...args) as unknown as Tensor;
}

/** Registers a decomposition that holds for every dtype. */
export function register(names: string, fn: (...args: never[]) => unknown): void {
  for (const name of names.split(" ")) for_core_aten.set(name, fn as Decomposition);
}

/** Whether a value is computed in its own dtype. */
export const keeps_dtype = (value: unknown): boolean =>
  !(value instanceof Tensor) || value.dtype === torch.float32 || value.dtype === torch.float64;

/** Registers a decomposition for float32 and float64: for other dtypes the operator stays. */
export function register_float(names: string, fn: (...args: never[]) => unknown): void {
  register(names, (...args: unknown[]) => (args.every(keeps_dtype) ? (fn as Decomposition)(...args) : NotImplemented));
}

/** A tensor of one element, for `where`. */
export const scalar = (value: unknown, dtype: Dtype, device: unknown): Tensor =>
  aten("scalar_tensor", value, { dtype, layout: torch.strided, device });
export const scalar_like = (value: unknown, t: Tensor): Tensor => scalar(value, t.dtype, t.device);
export const full = (size: readonly Size[], value: unknown, t: Tensor, dtype: Dtype = t.dtype): Tensor =>
  aten("full", size, value, { dtype, layout: torch.strided, device: t.device, pin_memory: false });

export const mul = (a: unknown, b: unknown): Tensor => aten("mul.Tensor", a, b);
export const add = (a: unknown, b: unknown): Tensor => aten("add.Tensor", a, b);
export const sub = (a: unknown, b: unknown): Tensor => aten("sub.Tensor", a, b);
export const div = (a: unknown, b: unknown): Tensor => aten("div.Tensor", a, b);
export const where = (condition: Tensor, a: Tensor, b: Tensor): Tensor => aten("where.self", condition, a, b);
export const total = (t: Tensor): Tensor => aten("sum.dim_IntList", t, []);

/** `start, start + 1, ...` */
export const arange = (start: Size, end: Size, device: unknown, dtype: Dtype | null = null): Tensor =>
  aten("arange.start_step", start, end, {
    ...(dtype === null ? {} : { dtype }),
    layout: torch.strided,
    device,
    pin_memory: false,
  });

/** A dimension counted from the front. */
export const at = (dim: number, rank: number): number => (dim < 0 ? dim + rank : dim);

/** A copy of a view in memory of its own. */
export const contiguous = (t: Tensor): Tensor => aten("clone", t, { memory_format: torch.contiguous_format });

const NONE = 0;
const MEAN = 1;
/** The loss of a batch. */
export function reduced(loss: Tensor, reduction: number): Tensor {
  if (reduction === NONE) return loss;
  return reduction === MEAN ? aten("mean", loss) : total(loss);
}
/** The gradient's factor for a loss that is a mean. */
export const mean_factor = (t: Tensor, reduction: number): number => (reduction === MEAN ? 1 / t.numel() : 1);
