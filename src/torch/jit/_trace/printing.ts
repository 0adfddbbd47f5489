/**
 * @file The warnings that PyTorch's printing gives about a traced tensor: it is written in Python, and asks the tensor for its values.
 * @mirrors torch/_tensor_str.py
 * @differs The text is made without recording. PyTorch records the operators of printing, which no output of the trace uses.
 */
import { current_recorder } from "../../_C.ts";
import type { Tensor } from "../../_tensor/index.ts";
import { PRINT_OPTS } from "../../_tensor_str.ts";
import { WARN_PYTHON_DATAFLOW, without_recording } from "../_C.ts";
import { enter_library_frame, leave_library_frame } from "./library_frames.ts";
import { WARN_ITERATION, warn_in_library } from "./warnings.ts";

const STR = "torch._tensor_str";

function converted(to: string, line: number, module = STR): void {
  warn_in_library(module, line, `Converting a tensor to a Python ${to}${WARN_PYTHON_DATAFLOW}`);
}

/** `f"{value}"` of an element. */
export function warn_of_format(): void {
  converted("number", 1142, "torch._tensor");
}

function formatted(elements: readonly unknown[], line: number): void {
  warn_in_library(STR, line, WARN_ITERATION);
  for (const _ of elements) warn_of_format();
}

/** `_Formatter.__init__`. @returns whether each number is tested for scientific notation, and the test is one of a tensor */
function formatter(elements: readonly number[], is_floating: boolean): boolean {
  if (!is_floating) {
    formatted(elements, 141);
    return false;
  }
  converted("boolean", 158);
  const nonzero_finite = elements.filter((x) => Number.isFinite(x) && x !== 0);
  if (nonzero_finite.length === 0) return false;
  warn_in_library(STR, 176, WARN_ITERATION);
  let int_mode = true;
  for (const value of nonzero_finite) {
    converted("boolean", 177);
    int_mode = Number.isInteger(value);
    if (!int_mode) break;
  }
  const magnitudes = nonzero_finite.map(Math.abs);
  const [min, max] = [Math.min(...magnitudes), Math.max(...magnitudes)];
  const by_values = PRINT_OPTS.sci_mode === null;
  let sci_mode = PRINT_OPTS.sci_mode ?? false;
  if (by_values) {
    converted("boolean", 182);
    sci_mode = max / min > 1000;
    if (!sci_mode) {
      converted("boolean", 182);
      sci_mode = max > 1e8 || min < 1e-4;
    }
    converted("boolean", int_mode ? 192 : 202);
  }
  if (int_mode) formatted(nonzero_finite, sci_mode ? 193 : 197);
  else formatted(nonzero_finite, sci_mode ? 203 : 207);
  return by_values;
}

/** `_tensor_str_with_formatter`. @param tested whether the number format is a tensor, which is tested for each element */
function elements_of(self: Tensor, summarize: boolean, tested: boolean): void {
  const { edgeitems } = PRINT_OPTS;
  const test = (count: number): void => {
    for (let i = 0; tested && i < count; i++) converted("boolean", 216);
  };
  if (self.dim() === 0) {
    converted("number", 239);
    test(1);
    return;
  }
  const cut = summarize && self.shape[0] > 2 * edgeitems;
  if (self.dim() === 1) {
    converted("boolean", 273);
    converted("boolean", 276);
    if (summarize) converted("boolean", 276);
    for (const [line, count] of cut
      ? [
          [278, edgeitems],
          [280, edgeitems],
        ]
      : [[283, self.shape[0]]]) {
      converted("list", line);
      test(count);
    }
    return;
  }
  converted("boolean", 304);
  if (summarize) converted("boolean", 304);
  for (const row of rows_shown(self, summarize)) elements_of(row, summarize, tested);
}

/** The rows of a tensor that are printed. */
function rows_shown(self: Tensor, summarize: boolean): Tensor[] {
  const { edgeitems } = PRINT_OPTS;
  const rows = self.unbind(0);
  return summarize && rows.length > 2 * edgeitems ? [...rows.slice(0, edgeitems), ...rows.slice(-edgeitems)] : rows;
}

/** The elements that are printed. */
function elements_shown(self: Tensor, summarize: boolean): number[] {
  if (self.dim() === 0) return [Number(self.item())];
  return rows_shown(self, summarize).flatMap((row) => elements_shown(row, summarize));
}

/** The text of a tensor, made by `print`, with PyTorch's warnings about it. */
export function traced_text(self: Tensor, print: () => string): string {
  const tracing = current_recorder() !== null;
  // The elements of a vector are read by `tolist`, which leaves these two operators in the trace: they return the tensor itself.
  if (tracing && self.dim() === 1 && self.numel() > 0) {
    enter_library_frame("torch._tensor_str._vector_str", ["self"], [self]);
    self.resolve_conj().resolve_neg();
    leave_library_frame();
  }
  return without_recording(() => {
    if (tracing && !self.is_complex() && !self.is_sparse && !self.is_meta) {
      converted("boolean", 613);
      if (self.numel() > 0) {
        converted("boolean", 333);
        const summarize = self.numel() > PRINT_OPTS.threshold;
        converted("boolean", 367);
        elements_of(self, summarize, formatter(elements_shown(self, summarize), self.is_floating_point()));
      }
    }
    return print();
  });
}
