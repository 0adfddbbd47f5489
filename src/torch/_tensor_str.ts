/**
 * @file Printing of tensors, and `torch.set_printoptions`.
 * @mirrors torch/_tensor_str.py
 * @differs Ours copies a tensor on a device of an external backend to the CPU; PyTorch prints it with the operators of that device.
 *
 * Note [Printing is a program]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * The number of digits is computed with tensor operators, and elements are read with `select` and `item`. Therefore a recording of
 * `print(x)` shows PyTorch's operators in PyTorch's order, and a tensor of any backend with these operators can be printed.
 */

import { symbols_of } from "#c10/core/SymInt";
import { RuntimeError } from "#c10/util/Exception";
import { format_exponent, format_fixed, non_finite } from "#c10/util/format_float";
import { _C, type TensorBase, THPVariable_CheckExact } from "./_C.ts";
import { def } from "./_signature.ts";
import type { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import { _disable_current_modes } from "./utils/_python_dispatch.ts";

export interface PrinterOptions {
  /** Digits after the decimal point. */
  precision: number;
  /** The number of elements above which a tensor is summarized. */
  threshold: number;
  /** The number of elements shown at each end of a summarized dimension. */
  edgeitems: number;
  /** Characters per line. */
  linewidth: number;
  /** true or false: always or never scientific notation; null: the values decide. */
  sci_mode: boolean | null;
}

const PROFILES: Readonly<Record<string, Omit<PrinterOptions, "sci_mode">>> = {
  default: { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80 },
  short: { precision: 2, threshold: 1000, edgeitems: 2, linewidth: 80 },
  full: { precision: 4, threshold: Infinity, edgeitems: 3, linewidth: 80 },
};

export const PRINT_OPTS: PrinterOptions = { ...(PROFILES["default"] as PrinterOptions), sci_mode: null };

/**
 * Sets print options; options that are not given keep their values. A `profile` first sets all options except `sci_mode`, which becomes
 * null unless it is given.
 */
export const set_printoptions = def(
  "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None)",
  (
    precision: number | null,
    threshold: number | null,
    edgeitems: number | null,
    linewidth: number | null,
    profile: "default" | "short" | "full" | null,
    sci_mode: boolean | null,
  ): void => {
    if (profile !== null) Object.assign(PRINT_OPTS, PROFILES[profile]);
    for (const [name, value] of Object.entries({ precision, threshold, edgeitems, linewidth }))
      if (value !== null) Object.assign(PRINT_OPTS, { [name]: value });
    PRINT_OPTS.sci_mode = sci_mode;
  },
);

/** The current print options. */
export function get_printoptions(): PrinterOptions {
  return { ...PRINT_OPTS };
}

// Python's format specifications

type Element = number | bigint | boolean;

/** `f"{value}"` for an integer or a bool. */
function element_str(value: Element): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

/** The value of a 0-dim tensor, for `f"{value:...}"`. */
function value_of(value: Tensor): number {
  return value.detach().item();
}

/** The format for all elements of a tensor: integers with a point, fixed-point, or scientific notation. */
class Formatter {
  private readonly floating_dtype: boolean;
  private int_mode = true;
  /** A tensor with one bool if the values decide; each test then reads the tensor. */
  private sci_mode: boolean | Tensor = false;
  private max_width = 1;

  constructor(tensor: Tensor) {
    this.floating_dtype = tensor.dtype.is_floating_point;
    const tensor_view = tensor.reshape(-1);
    if (!this.floating_dtype) {
      for (const value of tensor_view) this.widen(element_str(value_of(value)));
      return;
    }
    const nonzero_finite_vals = torch.masked_select(
      tensor_view,
      torch.isfinite(tensor_view).__and__(tensor_view.ne(0)),
    );
    if (nonzero_finite_vals.numel() === 0) return;
    const dtype = torch.double; // float16 would overflow when compared with 1e8
    const nonzero_finite_abs = nonzero_finite_vals.abs().to({ dtype });
    const nonzero_finite_min = nonzero_finite_abs.min().to({ dtype });
    const nonzero_finite_max = nonzero_finite_abs.max().to({ dtype });
    for (const value of nonzero_finite_vals) {
      if (value.__ne__(torch.ceil(value)).__bool__()) {
        this.int_mode = false;
        break;
      }
    }
    this.sci_mode = PRINT_OPTS.sci_mode ?? needs_exponent(nonzero_finite_min, nonzero_finite_max);
    const { precision } = PRINT_OPTS;
    if (this.is_sci_mode())
      for (const value of nonzero_finite_vals) this.widen(format_exponent(value_of(value), precision));
    else if (this.int_mode) for (const value of nonzero_finite_vals) this.widen(`${format_fixed(value_of(value), 0)}.`);
    else for (const value of nonzero_finite_vals) this.widen(format_fixed(value_of(value), precision));
  }

  private widen(value_str: string): void {
    if (value_str.length > this.max_width) this.max_width = value_str.length;
  }

  private is_sci_mode(): boolean {
    return typeof this.sci_mode === "boolean" ? this.sci_mode : this.sci_mode.__bool__();
  }

  width(): number {
    return this.max_width;
  }

  format(value: Element): string {
    return this.text(value).padStart(this.max_width);
  }

  private text(value: Element): string {
    if (!this.floating_dtype) return element_str(value);
    const number = value as number;
    if (this.is_sci_mode()) return format_exponent(number, PRINT_OPTS.precision);
    if (!this.int_mode) return format_fixed(number, PRINT_OPTS.precision);
    return Number.isFinite(number) ? `${format_fixed(number, 0)}.` : non_finite(number);
  }
}

/** The first comparison that is true, or the last one: Python's `or`. */
function needs_exponent(min: Tensor, max: Tensor): Tensor {
  const ratio = max.__truediv__(min).__gt__(torch.Float(1000));
  if (ratio.__bool__()) return ratio;
  const large = max.__gt__(torch.Float(1e8));
  return large.__bool__() ? large : min.__lt__(1e-4);
}

function scalar_str(self: Tensor, formatter: Formatter): string {
  return formatter.format(self.item());
}

function vector_str(self: Tensor, indent: number, summarize: boolean, formatter: Formatter): string {
  const { edgeitems, linewidth } = PRINT_OPTS;
  const element_length = formatter.width() + 2; // a comma and a space
  const elements_per_line = Math.max(1, Math.floor((linewidth - indent) / element_length));
  const formatted = (elements: Tensor): string[] =>
    (elements.tolist() as Element[]).map((value) => formatter.format(value));
  let data: string[];
  if (summarize && edgeitems === 0) data = ["..."];
  else if (summarize && self.size(0) > 2 * edgeitems)
    data = [...formatted(self.at({ stop: edgeitems })), " ...", ...formatted(self.at({ start: 0 - edgeitems }))];
  else data = formatted(self);
  const lines: string[] = [];
  for (let i = 0; i < data.length; i += elements_per_line) lines.push(data.slice(i, i + elements_per_line).join(", "));
  return `[${lines.join(`,\n${" ".repeat(indent + 1)}`)}]`;
}

/** The indices along the first dimension that are shown, and the position of the dots. */
function shown(self: Tensor, summarize: boolean): { places: number[]; dots_at: number } {
  const size = self.size(0);
  const { edgeitems } = PRINT_OPTS;
  if (!summarize || size <= 2 * edgeitems) return { places: Array.from({ length: size }, (_, i) => i), dots_at: -1 };
  const places = Array.from({ length: 2 * edgeitems }, (_, i) => (i < edgeitems ? i : size - 2 * edgeitems + i));
  return { places, dots_at: edgeitems };
}

function tensor_str_with_formatter(self: Tensor, indent: number, summarize: boolean, formatter: Formatter): string {
  const dim = self.dim();
  if (dim === 0) return scalar_str(self, formatter);
  if (dim === 1) return vector_str(self, indent, summarize, formatter);
  const { places, dots_at } = shown(self, summarize);
  const slices = places.map((i) => tensor_str_with_formatter(self.at(i), indent + 1, summarize, formatter));
  if (dots_at >= 0) slices.splice(dots_at, 0, "...");
  return `[${slices.join(`,${"\n".repeat(dim - 1)}${" ".repeat(indent + 1)}`)}]`;
}

/** The elements that a summary shows, as a tensor. */
function get_summarized_data(self: Tensor): Tensor {
  const dim = self.dim();
  const { edgeitems } = PRINT_OPTS;
  if (dim === 0) return self;
  if (dim === 1) {
    if (self.size(0) <= 2 * edgeitems) return self;
    return torch.cat([self.at({ stop: edgeitems }), self.at({ start: 0 - edgeitems })]);
  }
  if (edgeitems === 0) return self.new_empty(new Array<number>(dim).fill(0));
  const { places, dots_at } = shown(self, true);
  const slices = dots_at < 0 ? [...self] : places.map((i) => self.at(i));
  return torch.stack(slices.map(get_summarized_data));
}

function tensor_str(given: Tensor, indent: number): string {
  let self = given;
  const summarize = self.numel() > PRINT_OPTS.threshold;
  if (self._is_zerotensor()) self = self.clone();
  if (self.is_neg()) self = self.resolve_neg();
  const formatter = new Formatter(summarize ? get_summarized_data(self) : self);
  return tensor_str_with_formatter(self, indent, summarize, formatter);
}

function add_suffixes(tensor_str: string, suffixes: readonly string[], indent: number): string {
  let text = tensor_str;
  let last_line_len = tensor_str.length - tensor_str.lastIndexOf("\n") + 1;
  for (const suffix of suffixes) {
    if (last_line_len + suffix.length + 2 > PRINT_OPTS.linewidth) {
      text += `,\n${" ".repeat(indent)}${suffix}`;
      last_line_len = indent + suffix.length;
    } else {
      text += `, ${suffix}`;
      last_line_len += suffix.length + 2;
    }
  }
  return `${text})`;
}

function tuple_str(sizes: readonly unknown[]): string {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

function grad_fn_suffix(inp: TensorBase): string | null {
  let grad_fn: { name(): string } | null;
  try {
    grad_fn = inp.grad_fn as { name(): string } | null;
  } catch (error) {
    // Reading the node of a view that was created and changed without grad mode is an error, but printing must work.
    if (error instanceof RuntimeError) return "grad_fn=<Invalid>";
    throw error;
  }
  if (grad_fn !== null) return `grad_fn=<${grad_fn.name().split("::").at(-1)}>`;
  return inp.requires_grad ? "requires_grad=True" : null;
}

type WrapperStr = (tensor: Tensor) => string | null;
let functorch_wrapper_str: WrapperStr | null = null;

/** Called by the file that knows the tensors of transforms: the text of such a tensor, and null for another one. */
export function set_functorch_wrapper_str(fn: WrapperStr): void {
  functorch_wrapper_str = fn;
}

/** `repr(tensor)`. */
export function _str(self: Tensor, tensor_contents: string | null = null): string {
  return torch.no_grad(() => _disable_current_modes(() => str_intern(self, tensor_contents)));
}

function str_intern(dual: Tensor, tensor_contents: string | null): string {
  const of_wrapper = functorch_wrapper_str === null ? null : functorch_wrapper_str(dual);
  if (of_wrapper !== null) return of_wrapper;
  const { primal: inp, tangent } = torch.autograd.forward_ad.unpack_dual(dual);
  const is_plain_tensor = THPVariable_CheckExact(dual);
  const prefix = is_plain_tensor ? "tensor(" : `${dual.constructor.name}(`;
  const indent = prefix.length;
  const suffixes: string[] = [];
  const device = inp.device;
  if (device.type !== _C._get_default_device()) suffixes.push(`device='${device}'`);

  const { dtype } = inp;
  const size_suffix = `size=${tuple_str(symbols_of(inp.cdata.sizes()))}`;
  const dtype_suffix = `dtype=${dtype}`;
  const default_dtype = torch.get_default_dtype();
  let contents: string | null = tensor_contents;
  if (inp.is_meta || "fake_mode" in dual) {
    suffixes.push(size_suffix);
    if (dtype !== default_dtype) suffixes.push(dtype_suffix);
    contents ??= "...";
  } else if (inp.numel() === 0) {
    if (inp.dim() !== 1) suffixes.push(size_suffix);
    if (dtype !== default_dtype) suffixes.push(dtype_suffix); // an empty tensor does not show that it is int64
    contents ??= "[]";
  } else {
    if (PRINT_OPTS.edgeitems === 0) suffixes.push(size_suffix);
    if (dtype !== default_dtype && dtype !== torch.int64 && dtype !== torch.bool) suffixes.push(dtype_suffix);
    contents ??= tensor_str(inp.is_cpu ? inp : device.type === "lazy" ? inp.to("cpu") : inp.detach().to("cpu"), indent);
  }

  const grad = grad_fn_suffix(dual);
  if (grad !== null) suffixes.push(grad);
  if (tangent !== null) suffixes.push(`tangent=${tangent}`);
  const text = add_suffixes(prefix + contents, suffixes, indent);
  return dual instanceof torch.nn.Parameter && !is_plain_tensor ? `Parameter(${text})` : text;
}
