/**
 * @file Kernels of scans (cumulative operations), line by line along a dim.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 */
import {
  AT_DISPATCH,
  type acc_t,
  cast,
  type InstanceOf,
  type Instantiations,
  load,
  round_to,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import {
  cumprod_line_instances,
  cumsum_line_instances,
  logcumsumexp_line_instances,
} from "#aten/native/cpu/generated/ReduceOpsKernel/Cumulative";
import { line_of, type Scanned, told_of_scan } from "#aten/native/cpu/vec/scan/driver";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { cumprod_stub, cumsum_stub, logcumsumexp_stub } from "#aten/native/ReduceOps/Cumulative";
import { resize_output } from "#aten/native/Resize";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { exp, isfinite, log1p, max_propagate_nan, min_propagate_nan } from "#c10/util/math";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** @template cumsum_out_cpu: all types and halves */
export function cumsum_line(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  let sum: acc_t = 0;
  for (let i = 0; i < n; i++) {
    sum = round_to<acc_t>(sum + cast<acc_t>(load(x, i)));
    store(out, i, cast<scalar_t>(sum));
  }
}

/** @template cumprod_out_cpu: all types and halves */
export function cumprod_line(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  let product: acc_t = 1;
  for (let i = 0; i < n; i++) {
    product = round_to<acc_t>(product * cast<acc_t>(load(x, i)));
    store(out, i, cast<scalar_t>(product));
  }
}

/**
 * The larger exponent is factored out, so that nothing overflows.
 * @template logcumsumexp_out_cpu: floating types and halves
 */
export function logcumsumexp_line(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  let sum: acc_t = -Infinity;
  for (let i = 0; i < n; i++) {
    const v: acc_t = cast<acc_t>(load(x, i));
    const min: acc_t = min_propagate_nan(sum, v);
    const max: acc_t = max_propagate_nan(sum, v);
    // The difference of two equal infinities is NaN, so it is not computed.
    if (min !== max || isfinite(min)) sum = log1p(exp(min - max)) + max;
    else sum = v;
    store(out, i, cast<scalar_t>(sum));
  }
}

/** Iterator over the starts of lines, for all operands. */
export function lines_over(dim: number, outputs: readonly Tensor[], self: Tensor): TensorIterator {
  const config = new TensorIteratorConfig()
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .declare_static_shape(self.sizes(), [dim]);
  for (const output of outputs) config.add_output(output);
  return config.add_const_input(self).build();
}

interface Scan {
  readonly line: InstanceOf<typeof cumsum_line>;
  /** Stride between the elements of a line, for each operand. */
  readonly strides: readonly number[];
  readonly n: number;
}

function scan_loop(operands: readonly OperandInfo[], n0: number, n1: number, { line, strides, n }: Scan): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [o_stride, x_stride] = strides;
  for (let j = 0; j < n1; j++)
    for (let i = 0; i < n0; i++) line(out.view(), out.at(i, j), o_stride, x.view(), x.at(i, j), x_stride, n);
}

/** A JavaScript loop for one line, and its name. */
type Line = readonly [symbol: string, instances: Instantiations<typeof cumsum_line>];

/** `kind` is the WebAssembly scan with the same result, if there is one. */
function cum_base_kernel(
  [symbol, instances]: Line,
  kind: Scanned | null,
  result: Tensor,
  self: Tensor,
  wrap_dim: number,
): void {
  const dim = maybe_wrap_dim(wrap_dim, self.dim());
  const scanned = AT_DISPATCH(instances, self.scalar_type());
  resize_output(result, self.sizes());
  if (self.numel() === 0) return;
  if (self.dim() === 0) {
    result.fill__Tensor(self);
    return;
  }
  const n = self.size(dim);
  const rows = { n, tensors: [self.impl_, result.impl_] };
  const line = (kind === null ? null : line_of(kind, rows)) ?? scanned;
  const scan: Scan = { line, strides: [result.stride(dim), self.stride(dim)], n };
  const lines = lines_over(dim, [result], self);
  if (tracer === null) lines.for_each(scan_loop, scan);
  else callSlow(lines, scan, told_of_scan(symbol, kind, rows, self.sizes()));
}

function callSlow(lines: TensorIterator, scan: Scan, told: TraceData): void {
  const for_each = lines.for_each.bind(lines) as (loop: typeof scan_loop, scan: Scan) => void;
  traceCall("loop", told["scalar"] as string, for_each, [scan_loop, scan], told);
}

function cumsum_cpu_kernel(result: Tensor, self: Tensor, dim: number): void {
  cum_base_kernel(["cumsum_line", cumsum_line_instances], "cumsum", result, self, dim);
}

function cumprod_cpu_kernel(result: Tensor, self: Tensor, dim: number): void {
  cum_base_kernel(["cumprod_line", cumprod_line_instances], "cumprod", result, self, dim);
}

function logcumsumexp_cpu_kernel(result: Tensor, self: Tensor, dim: number): void {
  cum_base_kernel(["logcumsumexp_line", logcumsumexp_line_instances], null, result, self, dim);
}

REGISTER_DISPATCH(cumsum_stub, cumsum_cpu_kernel, "cumsum_cpu_kernel");
REGISTER_DISPATCH(cumprod_stub, cumprod_cpu_kernel, "cumprod_cpu_kernel");
REGISTER_DISPATCH(logcumsumexp_stub, logcumsumexp_cpu_kernel, "logcumsumexp_cpu_kernel");
