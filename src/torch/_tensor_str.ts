/**
 * @file How a tensor prints, and `torch.set_printoptions`.
 * @mirrors torch/_tensor_str.py
 * @differs Elements are read from memory; PyTorch prints with tensor operators (`abs`, `min`, slices). Nothing of it shows in a trace.
 */
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { RuntimeError } from "#c10/util/Exception";
import { load_scalar, type TensorBase, THPVariable_CheckExact } from "./_C.ts";

export interface PrinterOptions {
  /** Digits after the point. */
  precision: number;
  /** More elements than this are summarized. */
  threshold: number;
  /** Elements shown at each end of a summarized dimension. */
  edgeitems: number;
  /** Characters a line. */
  linewidth: number;
  /** Scientific notation always or never; null decides by the values. */
  sci_mode: boolean | null;
}

const PROFILES: Readonly<Record<string, Omit<PrinterOptions, "sci_mode">>> = {
  default: { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80 },
  short: { precision: 2, threshold: 1000, edgeitems: 2, linewidth: 80 },
  full: { precision: 4, threshold: Infinity, edgeitems: 3, linewidth: 80 },
};

export const PRINT_OPTS: PrinterOptions = { ...(PROFILES["default"] as PrinterOptions), sci_mode: null };

/** Options that are not given stay; a `profile` sets all but `sci_mode` first. `sci_mode` is reset to null unless given. */
export function set_printoptions(
  options: Partial<PrinterOptions> & { profile?: "default" | "short" | "full" } = {},
): void {
  const { profile, sci_mode = null, ...given } = options;
  if (profile !== undefined) Object.assign(PRINT_OPTS, PROFILES[profile]);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null) Object.assign(PRINT_OPTS, { [name]: value });
  PRINT_OPTS.sci_mode = sci_mode;
}

/** The options that printing a tensor uses now. */
export function get_printoptions(): PrinterOptions {
  return { ...PRINT_OPTS };
}

// Python's format specifications

/** Whether what follows the first `digits` digits is exactly one half: JavaScript then rounds up, Python to even. */
function is_tie(rest: string): boolean {
  return /^50*$/.test(rest);
}

/** `f"{value:.{precision}f}"`. */
function format_fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21) return `${sign}${BigInt(magnitude)}${precision > 0 ? `.${"0".repeat(precision)}` : ""}`;
  const exact = magnitude.toFixed(100);
  const cut = exact.length - 100 + precision;
  const rest = precision === 0 ? exact.slice(cut) : exact.slice(cut);
  if (!is_tie(rest)) return sign + magnitude.toFixed(precision);
  const down = precision === 0 ? exact.slice(0, cut - 1) : exact.slice(0, cut);
  return sign + (Number(down.at(-1)) % 2 === 0 ? down : magnitude.toFixed(precision));
}

/** `f"{value:.{precision}e}"`. */
function format_exponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  const [digits = "", exponent = "0"] = magnitude.toExponential(99).split("e");
  const down = digits.slice(0, precision === 0 ? 1 : precision + 2);
  const tie = is_tie(digits.slice(precision === 0 ? 2 : precision + 2)) && Number(down.at(-1)) % 2 === 0;
  const [mantissa = "", rounded_exponent = "0"] = tie
    ? [down, exponent]
    : magnitude.toExponential(precision).split("e");
  const e = Number(rounded_exponent);
  return `${sign}${mantissa}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
}

function non_finite(value: number): string {
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

type Element = number | bigint | boolean;

/** One format for all elements of a tensor: integers with a point, fixed digits, or scientific. */
class Formatter {
  private readonly floating_dtype: boolean;
  private int_mode = true;
  private sci_mode = false;
  private max_width = 1;

  constructor(values: readonly Element[], floating_dtype: boolean) {
    this.floating_dtype = floating_dtype;
    if (!floating_dtype) {
      for (const value of values) this.max_width = Math.max(this.max_width, element_str(value).length);
      return;
    }
    const nonzero_finite = (values as readonly number[]).filter((value) => Number.isFinite(value) && value !== 0);
    if (nonzero_finite.length === 0) return;
    let min = Infinity;
    let max = 0;
    for (const value of nonzero_finite) {
      const magnitude = Math.abs(value);
      if (magnitude < min) min = magnitude;
      if (magnitude > max) max = magnitude;
      if (!Number.isInteger(value)) this.int_mode = false;
    }
    this.sci_mode = PRINT_OPTS.sci_mode ?? (max / min > 1000 || max > 1e8 || min < 1e-4);
    for (const value of nonzero_finite) {
      const width = this.sci_mode
        ? format_exponent(value, PRINT_OPTS.precision).length
        : this.int_mode
          ? format_fixed(value, 0).length + 1 // the point
          : format_fixed(value, PRINT_OPTS.precision).length;
      this.max_width = Math.max(this.max_width, width);
    }
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
    if (this.sci_mode) return format_exponent(number, PRINT_OPTS.precision);
    if (!this.int_mode) return format_fixed(number, PRINT_OPTS.precision);
    return Number.isFinite(number) ? `${format_fixed(number, 0)}.` : non_finite(number);
  }
}

function element_str(value: Element): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

/** A strided view of elements, taken apart dimension by dimension. */
interface Elements {
  readonly at: number;
  readonly dim: number;
}

class Printer {
  private readonly view: ReturnType<AtTensor["data_view"]>;
  private readonly sizes: readonly number[];
  private readonly strides: readonly number[];
  private readonly dtype: ScalarType;
  private readonly summarize: boolean;
  private readonly formatter: Formatter;
  private readonly whole: Elements;

  constructor(self: AtTensor) {
    this.view = self.data_view();
    this.sizes = self.sizes();
    this.strides = self.strides();
    this.dtype = self.scalar_type();
    this.summarize = self.numel() > PRINT_OPTS.threshold;
    this.whole = { at: self.data_offset(), dim: 0 };
    const shown: Element[] = [];
    this.collect(this.whole, shown);
    this.formatter = new Formatter(shown, isFloatingType(this.dtype));
  }

  /** Indices along a dimension that are shown; -1 stands for the dots between the ends. */
  private shown_indices(dim: number): number[] {
    const size = this.sizes[dim];
    const { edgeitems } = PRINT_OPTS;
    const all = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
    if (!this.summarize || size <= 2 * edgeitems) return all(0, size);
    return [...all(0, edgeitems), -1, ...all(size - edgeitems, size)];
  }

  private sub(elements: Elements, i: number): Elements {
    return { at: elements.at + i * this.strides[elements.dim], dim: elements.dim + 1 };
  }

  private collect(elements: Elements, into: Element[]): void {
    if (elements.dim === this.sizes.length) into.push(load_scalar(this.view, elements.at, this.dtype));
    else for (const i of this.shown_indices(elements.dim)) if (i !== -1) this.collect(this.sub(elements, i), into);
  }

  str(indent: number, elements: Elements = this.whole): string {
    const left = this.sizes.length - elements.dim;
    if (left === 0) return this.formatter.format(load_scalar(this.view, elements.at, this.dtype));
    if (left === 1) return this.vector_str(elements, indent);
    const slices = this.shown_indices(elements.dim).map((i) =>
      i === -1 ? "..." : this.str(indent + 1, this.sub(elements, i)),
    );
    return `[${slices.join(`,${"\n".repeat(left - 1)}${" ".repeat(indent + 1)}`)}]`;
  }

  private vector_str(elements: Elements, indent: number): string {
    const element_length = this.formatter.width() + 2;
    const per_line = Math.max(1, Math.floor((PRINT_OPTS.linewidth - indent) / element_length));
    const stride = this.strides[elements.dim];
    const data = this.shown_indices(elements.dim).map((i) =>
      i === -1
        ? PRINT_OPTS.edgeitems === 0
          ? "..."
          : " ..."
        : this.formatter.format(load_scalar(this.view, elements.at + i * stride, this.dtype)),
    );
    const lines: string[] = [];
    for (let i = 0; i < data.length; i += per_line) lines.push(data.slice(i, i + per_line).join(", "));
    return `[${lines.join(`,\n${" ".repeat(indent + 1)}`)}]`;
  }
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

function tuple_str(sizes: readonly number[]): string {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

function grad_fn_suffix(inp: TensorBase): string | null {
  let grad_fn: { name(): string } | null;
  try {
    grad_fn = inp.grad_fn as { name(): string } | null;
  } catch (error) {
    // A view made and written to without grad mode: asking for its node is an error, printing it is not.
    if (error instanceof RuntimeError) return "grad_fn=<Invalid>";
    throw error;
  }
  if (grad_fn !== null) return `grad_fn=<${grad_fn.name().split("::").at(-1)}>`;
  return inp.requires_grad ? "requires_grad=True" : null;
}

/** `repr(tensor)`. */
export function _str(inp: TensorBase, tensor_contents: string | null = null): string {
  const self = inp.cdata;
  const prefix = THPVariable_CheckExact(inp) ? "tensor(" : `${inp.constructor.name}(`;
  const indent = prefix.length;
  const suffixes: string[] = [];
  if (!self.device().is_cpu()) suffixes.push(`device='${self.device()}'`);

  const dtype = self.scalar_type();
  const default_dtype = get_default_dtype();
  const dtype_suffix = `dtype=${inp.dtype}`;
  let contents: string;
  if (self.is_meta()) {
    suffixes.push(`size=${tuple_str(self.sizes())}`);
    if (dtype !== default_dtype) suffixes.push(dtype_suffix);
    contents = "...";
  } else if (self.numel() === 0) {
    if (self.dim() !== 1) suffixes.push(`size=${tuple_str(self.sizes())}`);
    if (dtype !== default_dtype) suffixes.push(dtype_suffix); // no element shows that it is int64
    contents = "[]";
  } else {
    if (PRINT_OPTS.edgeitems === 0) suffixes.push(`size=${tuple_str(self.sizes())}`);
    if (dtype !== default_dtype && dtype !== ScalarType.Long && dtype !== ScalarType.Bool) suffixes.push(dtype_suffix);
    const host = self.device().is_cpu() ? self : inp.detach().to("cpu").cdata;
    contents = new Printer(host).str(indent);
  }

  const grad = grad_fn_suffix(inp);
  if (grad !== null) suffixes.push(grad);
  return add_suffixes(prefix + (tensor_contents ?? contents), suffixes, indent);
}
