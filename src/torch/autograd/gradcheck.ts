/**
 * @file Comparison of gradients with finite differences.
 * @mirrors torch/autograd/gradcheck.py
 * @differs Ours checks real dense tensors and contiguous gradients; PyTorch also has batched gradients (which need vmap), complex and
 * sparse tensors.
 *
 * Note [Slow and fast]
 * ~~~~~~~~~~~~~~~~~~~~
 * The slow mode compares every entry of the Jacobian J: one forward for each input element, one backward for each output element. The fast
 * mode compares one number for each pair of input and output, v^T J u with random vectors u and v: one backward gives v^T J, which is
 * multiplied by u; one difference along u gives J u, which is multiplied by v. An error in one entry changes this number, unless others
 * cancel it.
 */
import {
  AssertionError,
  NotImplementedError,
  named,
  RuntimeError,
  TORCH_WARN,
  TypeError_,
  ValueError,
} from "#c10/util/Exception";
import { _C, _functions, float_repr, python_type } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Generator as RandomGenerator } from "#torch/types";
import { _get_analytical_jacobian_forward_ad, find_undefined_mismatch } from "./gradcheck_forward.ts";

/** The error that `gradcheck` raises. */
export class GradcheckError extends RuntimeError {}
named(GradcheckError, "GradcheckError");

type Func = (...inputs: never[]) => unknown;

interface Settings {
  /** Half the distance between the two points of a finite difference. */
  readonly eps: number;
  readonly atol: number;
  readonly rtol: number;
  /** The largest allowed difference between two runs of the same backward. */
  readonly nondet_tol: number;
  readonly check_undefined_grad: boolean;
  readonly check_grad_dtypes: boolean;
  readonly fast_mode: boolean;
  readonly check_forward_ad: boolean;
  readonly check_backward_ad: boolean;
}

/** Refuses options of gradcheck that are not built. */
function refuse(check_batched_grad: boolean, check_batched_forward_grad: boolean, masked: boolean | null): void {
  if (check_batched_grad)
    throw new NotImplementedError("gradcheck: check_batched_grad needs torch.vmap, which is not implemented");
  if (check_batched_forward_grad)
    throw new NotImplementedError("gradcheck: check_batched_forward_grad needs torch.vmap, which is not implemented");
  if (masked) throw new NotImplementedError("gradcheck: masked is for sparse tensors, which are not implemented");
}

function _as_tuple(x: unknown): unknown[] {
  return Array.isArray(x) ? x : [x];
}

function call(func: Func, inputs: readonly unknown[]): unknown[] {
  if (typeof func !== "function") throw new TypeError_(`'${python_type(func)}' object is not callable`);
  return _as_tuple((func as (...args: unknown[]) => unknown)(...inputs));
}

function is_floating_tensor(x: unknown): x is Tensor {
  return x instanceof Tensor && x.is_floating_point();
}

function requires_grad(x: unknown): x is Tensor {
  return x instanceof Tensor && x.requires_grad;
}

function _differentiable_outputs(outputs: readonly unknown[]): Tensor[] {
  return outputs.filter(requires_grad);
}

// Numerical

/** All indices of a tensor of this size, the last dimension fastest. */
function* indices(size: readonly number[]): Generator<number[]> {
  const total = size.reduce((numel, length) => numel * length, 1);
  for (let linear = 0; linear < total; linear++) {
    const index: number[] = [];
    let rest = linear;
    for (let d = size.length - 1; d >= 0; d--) {
      index.unshift(rest % size[d]);
      rest = Math.floor(rest / size[d]);
    }
    yield index;
  }
}

function _check_outputs_same_dtype_and_shape(
  output1: Tensor,
  output2: Tensor,
  eps: number,
  idx: readonly number[],
): void {
  const where = `when inputs are perturbed on index (${idx.join(", ")}${idx.length === 1 ? "," : ""}) by ${eps}, but got:`;
  const shape = (t: Tensor): string => `torch.Size([${t.shape.join(", ")}])`;
  if (shape(output1) !== shape(output2)) {
    throw new AssertionError(
      `Expected \`func\` to return outputs with the same shape ${where} shapes ${shape(output1)} and ${shape(output2)}.`,
    );
  }
  if (output1.dtype !== output2.dtype) {
    throw new AssertionError(
      `Expected \`func\` to return outputs with the same dtype ${where} ` +
        `dtypes ${String(output1.dtype)} and ${String(output2.dtype)}.`,
    );
  }
}

/**
 * d outputs / d entry: one column of the Jacobian of each output, by a central difference. With `step`, the difference is along this
 * vector, whose length is `eps`.
 */
function _compute_numerical_gradient(
  fn: () => Tensor[],
  entry: Tensor,
  eps: number,
  idx: readonly number[],
  step: number | Tensor = eps,
): Tensor[] {
  const orig = entry.clone();
  entry.copy_(orig.sub(step));
  const outa = fn();
  entry.copy_(orig.add(step));
  const outb = fn();
  entry.copy_(orig);
  return outa.map((a, i) => {
    const b = outb[i];
    _check_outputs_same_dtype_and_shape(a, b, eps, idx);
    return b
      .sub(a)
      .div(2 * eps)
      .detach()
      .reshape([-1]);
  });
}

/** One Jacobian per output, of shape (elements of the input, elements of the output). */
function get_numerical_jacobian_wrt_specific_input(
  func: Func,
  inputs: readonly unknown[],
  input: Tensor,
  outputs: readonly Tensor[],
  eps: number,
): Tensor[] {
  const jacobians = outputs.map((output) => output.new_zeros([input.numel(), output.numel()]));
  const fn = (): Tensor[] =>
    call(func, inputs)
      .filter(is_floating_tensor)
      .map((output) => output.clone());
  // `.data` shares the memory but has no version counter.
  const x = input.data;
  let d_idx = 0;
  for (const idx of indices(x.shape)) {
    const entry = idx.length === 0 ? x : x.__getitem__(idx);
    const column = _compute_numerical_gradient(fn, entry, eps, idx);
    for (const [i, jacobian] of jacobians.entries()) jacobian.__setitem__(d_idx, column[i]);
    d_idx++;
  }
  return jacobians;
}

// Analytical

/** The gradient of each element of `output` with respect to each input. */
function _compute_analytical_jacobian_rows(output: Tensor, diff_inputs: readonly Tensor[]): (Tensor | null)[][] {
  const grad_out_base = _C._VariableFunctions.zeros_like(output.detach()).contiguous();
  const flat_grad_out = grad_out_base.view([-1]);
  const rows: (Tensor | null)[][] = diff_inputs.map(() => []);
  for (let j = 0; j < flat_grad_out.numel(); j++) {
    flat_grad_out.zero_();
    flat_grad_out.__setitem__(j, 1);
    const grad_inputs = torch.autograd.grad(output, diff_inputs, {
      grad_outputs: grad_out_base,
      retain_graph: true,
      allow_unused: true,
    });
    for (const [i, d_x] of grad_inputs.entries()) rows[i].push(d_x?.clone() ?? null);
  }
  return rows;
}

/** v^T J with respect to each input, as a single row. */
function _vector_jacobian_row(output: Tensor, diff_inputs: readonly Tensor[], v: Tensor): (Tensor | null)[][] {
  const grad_inputs = torch.autograd.grad(output, diff_inputs, {
    grad_outputs: v,
    retain_graph: true,
    allow_unused: true,
  });
  return grad_inputs.map((vJ) => [vJ?.clone() ?? null]);
}

interface Stacked {
  readonly jacobians: Tensor[];
  readonly types_ok: boolean;
  readonly sizes_ok: boolean;
}

function _stack_and_check_tensors(
  rows: readonly (readonly (Tensor | null)[])[],
  diff_inputs: readonly Tensor[],
  numel_output: number,
): Stacked {
  let types_ok = true;
  let sizes_ok = true;
  const jacobians = diff_inputs.map((input, i) => {
    const jacobian = input.detach().new_zeros([input.numel(), numel_output]);
    for (const [j, row] of rows[i].entries()) {
      if (row === null) continue;
      if (String(row.shape) !== String(input.shape)) sizes_ok = false;
      else if (row.dtype !== input.dtype) types_ok = false;
      if (row.numel() !== input.numel()) {
        throw new AssertionError(
          `Expected out_jacobian column to have ${row.numel()} elements, but got ${input.numel()}`,
        );
      }
      jacobian.select(1, j).copy_(row.detach().reshape([-1]));
    }
    return jacobian;
  });
  return { jacobians, types_ok, sizes_ok };
}

const FAILED_NONDET_MSG = `\n
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.`;

function _check_analytical_jacobian_attributes(
  diff_inputs: readonly Tensor[],
  output: Tensor,
  settings: Settings,
  v: Tensor | null = null,
): Tensor[] {
  const compute = (): Stacked =>
    v === null
      ? _stack_and_check_tensors(_compute_analytical_jacobian_rows(output, diff_inputs), diff_inputs, output.numel())
      : _stack_and_check_tensors(_vector_jacobian_row(output, diff_inputs, v), diff_inputs, 1);
  const first = compute();
  const second = compute();
  if (!first.types_ok && settings.check_grad_dtypes) throw new GradcheckError("Gradient has dtype mismatch");
  if (!first.sizes_ok) throw new GradcheckError("Analytical gradient has incorrect size");
  const reentrant = first.jacobians.every((jacobian, i) => {
    const other = second.jacobians[i];
    return jacobian.numel() === 0 || max_difference(jacobian, other) <= settings.nondet_tol;
  });
  if (!reentrant) {
    throw new GradcheckError(
      "Backward is not reentrant, i.e., running backward with " +
        "same input and grad_output multiple times gives different values, " +
        "although analytical gradient matches numerical gradient." +
        `The tolerance for nondeterminism was ${float_repr(settings.nondet_tol)}.${FAILED_NONDET_MSG}`,
    );
  }
  return first.jacobians;
}

function max_difference(a: Tensor, b: Tensor): number {
  return Number(a.sub(b).abs().max().item());
}

// Checks

function _check_inputs(inputs: readonly unknown[]): void {
  let any_input_requiring_grad = false;
  for (const [idx, inp] of inputs.entries()) {
    if (!requires_grad(inp)) continue;
    if (String(inp.dtype) !== "torch.float64") {
      TORCH_WARN(
        `Input #${idx} requires gradient and is not a double precision floating point or complex. ` +
          "This check will likely fail if all the inputs are not of double precision floating point or complex. ",
      );
    }
    const sizes = inp.shape;
    const strides = inp.stride() as readonly number[];
    if (!strides.every((st, d) => st > 0 || sizes[d] <= 1)) {
      throw new RuntimeError(
        `The ${idx}th input has a dimension with stride 0. gradcheck only ` +
          "supports inputs that are non-overlapping to be able to " +
          "compute the numerical gradients correctly. You should call " +
          ".contiguous on the input before passing it to gradcheck.",
      );
    }
    any_input_requiring_grad = true;
  }
  if (!any_input_requiring_grad) {
    throw new ValueError(
      "gradcheck expects at least one input tensor to require gradient, " + "but none of them have requires_grad=True.",
    );
  }
}

function _slow_gradcheck(
  func: Func,
  inputs: readonly unknown[],
  func_out: readonly unknown[],
  outputs: readonly Tensor[],
  settings: Settings,
): void {
  const diff_inputs = inputs.filter(requires_grad);
  const floating_outputs = func_out.filter(is_floating_tensor);
  const numerical = diff_inputs.map((input) =>
    get_numerical_jacobian_wrt_specific_input(func, inputs, input, floating_outputs, settings.eps),
  );
  if (outputs.length === 0) {
    if (numerical.flat().some((jacobian) => Number(jacobian.ne(0).sum().item()) > 0)) {
      throw new GradcheckError("Numerical gradient for function expected to be zero");
    }
    return;
  }
  for (const [i, output] of outputs.entries()) {
    const analytical = _check_analytical_jacobian_attributes(diff_inputs, output, settings);
    const position = floating_outputs.indexOf(output);
    for (const [j, a] of analytical.entries()) {
      const n = numerical[j][position];
      if (!_C._VariableFunctions.allclose(a, n, settings.rtol, settings.atol)) {
        throw new GradcheckError(mismatch(i, j, n, a));
      }
    }
  }
}

function zeros_for(outputs: readonly Tensor[]): Tensor[] {
  return outputs.map((o) => _C._VariableFunctions.zeros_like(o.detach()));
}

function all_zero(t: Tensor): boolean {
  return Number(t.ne(0).sum().item()) === 0;
}

/** A random vector of length 1 for each tensor, from a separate generator. */
function _make_vectors(tensors: readonly Tensor[], generator: RandomGenerator): Tensor[] {
  return tensors.map((x) => {
    const vec = _C._VariableFunctions
      .rand([x.numel()], { generator })
      .to(x.dtype)
      .view([...x.shape]);
    return vec.div(vec.mul(vec).sum().sqrt());
  });
}

/** See Note [Slow and fast]. */
function _fast_gradcheck(
  func: Func,
  inputs: readonly unknown[],
  func_out: readonly unknown[],
  outputs: readonly Tensor[],
  settings: Settings,
): void {
  const diff_inputs = inputs.filter(requires_grad);
  const positions = func_out
    .filter(is_floating_tensor)
    .flatMap((o, position) => (outputs.includes(o) ? [position] : []));
  const generator = new _C.Generator();
  const all_u = _make_vectors(diff_inputs, generator);
  const all_v = _make_vectors(outputs, generator);
  const fn = (): Tensor[] =>
    call(func, inputs)
      .filter(is_floating_tensor)
      .map((output) => output.clone());
  const numerical = diff_inputs.map((input, i) => {
    const jvp = _compute_numerical_gradient(fn, input.data, settings.eps, [], all_u[i].mul(settings.eps));
    return outputs.map((_, j) => jvp[positions[j]].dot(all_v[j].reshape([-1])));
  });
  const analytical = outputs.map((output, j) =>
    _check_analytical_jacobian_attributes(diff_inputs, output, settings, all_v[j]).map((vJ, i) =>
      vJ.reshape([-1]).dot(all_u[i].reshape([-1])),
    ),
  );
  for (const [i, numerical_of_input] of numerical.entries()) {
    for (const [j, n] of numerical_of_input.entries()) {
      const a = analytical[j][i];
      // `atol` is meant per entry; the elements of u and v are not negative, so the sum of so many entries is compared.
      const atol = settings.atol * Number(all_u[i].sum().item()) * Number(all_v[j].sum().item());
      if (_C._VariableFunctions.allclose(a, n, settings.rtol, atol)) continue;
      const [slow_n, slow_a] = [
        get_numerical_jacobian_wrt_specific_input(func, inputs, diff_inputs[i], outputs, settings.eps)[positions[j]],
        _check_analytical_jacobian_attributes(diff_inputs, outputs[j], settings)[i],
      ];
      throw new GradcheckError(mismatch(j, i, n, a) + in_slow_mode(slow_n, slow_a, settings));
    }
  }
}

/** The Jacobian of forward mode, or its products with random vectors, against finite differences. */
function _forward_gradcheck(
  func: Func,
  inputs: readonly unknown[],
  func_out: readonly unknown[],
  outputs: readonly Tensor[],
  settings: Settings,
): void {
  const diff_inputs = inputs.filter(requires_grad);
  const floating_outputs = func_out.filter(is_floating_tensor);
  const fn = (given: readonly unknown[]): Tensor[] => call(func, given).filter(is_floating_tensor);
  const cloned = (): Tensor[] => fn(inputs).map((output) => output.clone());
  const all_u = _make_vectors(diff_inputs, new _C.Generator());
  const fast = settings.fast_mode && outputs.length > 0;
  const analytical = _get_analytical_jacobian_forward_ad(fn, inputs, floating_outputs, fast ? all_u : null);
  for (const [i, input] of diff_inputs.entries()) {
    const numerical = fast
      ? _compute_numerical_gradient(cloned, input.data, settings.eps, [], all_u[i].mul(settings.eps))
      : get_numerical_jacobian_wrt_specific_input(func, inputs, input, floating_outputs, settings.eps);
    for (const [j, output] of floating_outputs.entries()) {
      if (outputs.length === 0 && !all_zero(numerical[j]))
        throw new GradcheckError("Numerical gradient for function expected to be zero");
      if (!output.requires_grad) continue;
      const a = fast ? analytical[i][j].reshape([-1]) : analytical[i][j];
      const atol = fast ? settings.atol * Number(all_u[i].sum().item()) : settings.atol;
      if (!_C._VariableFunctions.allclose(a, numerical[j], settings.rtol, atol))
        throw new GradcheckError(mismatch(outputs.indexOf(output), i, numerical[j], a, "computed with forward mode "));
    }
  }
  if (!settings.check_undefined_grad) return;
  const found = find_undefined_mismatch(fn, inputs, all_u);
  if (found === null) return;
  const [res1, res2] = found.tangents;
  throw new GradcheckError(
    `('Mismatch in tangent values for output with index: ', ${found.index_o}, ' when input: ', ${found.input}, ` +
      `' has an undefined tangent value. ', ' Got: ', ${res1}, ' but expected: ', ${res2})`,
  );
}

function mismatch(output_idx: number, input_idx: number, numerical: Tensor, analytical: Tensor, mode = ""): string {
  return (
    `Jacobian ${mode}mismatch for output ${output_idx} with respect to input ${input_idx},\n` +
    `numerical:${formatted(numerical)}\nanalytical:${formatted(analytical)}\n`
  );
}

/** `f"{t}"`: a number for a 0-dim tensor. */
function formatted(t: Tensor): string {
  return t.dim() === 0 ? float_repr(Number(t.item())) : String(t);
}

const FAST_FAIL_SLOW_OK_MSG = `Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with \`fast_mode=False\` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have \`gradcheck_fast_mode=False\`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have \`gradcheck_fast_mode=False\``;

function in_slow_mode(numerical: Tensor, analytical: Tensor, settings: Settings): string {
  const slow_would_pass = _C._VariableFunctions.allclose(analytical, numerical, settings.rtol, settings.atol);
  return (
    "\nThe above quantities relating the numerical and analytical jacobians are computed \n" +
    "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n" +
    "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n" +
    `Numerical:\n ${String(numerical)}\n` +
    `Analytical:\n${String(analytical)}\n\n` +
    `The max per-element difference (slow mode) is: ${float_repr(max_difference(numerical, analytical))}.\n` +
    (slow_would_pass ? FAST_FAIL_SLOW_OK_MSG : "")
  );
}

/** Checks that a gradient of zeros gives zeros, since backward is linear. */
function _test_backward_mul_by_grad_output(outputs: readonly Tensor[], inputs: readonly unknown[]): void {
  const diff_inputs = inputs.filter(requires_grad);
  if (diff_inputs.length === 0) throw new GradcheckError("no Tensors requiring grad found in input");
  if (outputs.length === 0) return;
  const grads_input = torch.autograd.grad(outputs, diff_inputs, {
    grad_outputs: zeros_for(outputs),
    allow_unused: true,
  });
  for (const [i, gi] of grads_input.entries()) {
    if (gi === null) continue;
    const di = diff_inputs[i];
    if (!all_zero(gi)) throw new GradcheckError("backward not multiplied by grad_output");
    if (gi.dtype !== di.dtype) throw new GradcheckError("grad is incorrect type");
    if (String(gi.shape) !== String(di.shape)) throw new GradcheckError("grad is incorrect size");
  }
}

/** Checks that an undefined gradient works like zeros. */
function _test_undefined_backward_mode(func: Func, inputs: readonly unknown[]): void {
  const diff_inputs = inputs.filter(requires_grad);
  const run = (): Tensor[] => _differentiable_outputs(call(func, inputs));
  const undefined_grad = (o: Tensor): Tensor => _functions.UndefinedGrad()(o) as Tensor;
  const check = (outputs: readonly Tensor[]): void => {
    let grads_input: (Tensor | null)[];
    try {
      grads_input = torch.autograd.grad(outputs, diff_inputs, { grad_outputs: zeros_for(outputs), allow_unused: true });
    } catch (error) {
      warn_bc_breaking();
      throw new GradcheckError(
        "Expected backward function to handle undefined output grads. " +
          'Please look at "Notes about undefined output gradients" in ' +
          `"tools/autograd/derivatives.yaml" (${String(error)})`,
      );
    }
    if (grads_input.some((gi) => gi !== null && !all_zero(gi))) {
      warn_bc_breaking();
      throw new GradcheckError(
        "Expected all input grads to be undefined or zero when all output grads are undefined " +
          'or zero. Please look at "Notes about undefined output gradients" in ' +
          '"tools/autograd/derivatives.yaml"',
      );
    }
  };
  const outputs = run();
  if (outputs.length === 0) return;
  check(outputs.map(undefined_grad));
  if (outputs.length === 1) return;
  for (let undef_grad_idx = 0; undef_grad_idx < outputs.length; undef_grad_idx++) {
    check(run().map((o, idx) => (idx === undef_grad_idx ? undefined_grad(o) : o)));
  }
}

function warn_bc_breaking(): void {
  TORCH_WARN(
    "Backwards compatibility: New undefined gradient support checking " +
      "feature is enabled by default, but it may break existing callers " +
      "of this function. If this is true for you, you can call this " +
      'function with "check_undefined_grad=False" to disable the feature',
  );
}

/**
 * Compares the gradients of `func` at `inputs` with finite differences: |a - n| <= atol + rtol * |n| for every entry. It needs float64;
 * in float32 the rounding errors are larger than the differences.
 * @param inputs an array of tensors and other values; the tensors that require grad are checked
 * @throws {GradcheckError} if the gradients differ, unless `raise_exception` is false
 */
export const gradcheck = def(
  "gradcheck(func, inputs, *, eps=1e-06, atol=1e-05, rtol=0.001, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False, check_backward_ad=True, fast_mode=False, masked=None)",
  (
    func: Func,
    inputs: unknown,
    eps: number,
    atol: number,
    rtol: number,
    raise_exception: boolean,
    nondet_tol: number,
    check_undefined_grad: boolean,
    check_grad_dtypes: boolean,
    check_batched_grad: boolean,
    check_batched_forward_grad: boolean,
    check_forward_ad: boolean,
    check_backward_ad: boolean,
    fast_mode: boolean,
    masked: boolean | null,
  ): boolean => {
    if (!check_forward_ad && !check_backward_ad)
      throw new AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True");
    if (check_batched_grad && !check_backward_ad)
      throw new AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True");
    if (check_batched_forward_grad && !check_forward_ad)
      throw new AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True");
    refuse(check_batched_grad, check_batched_forward_grad, masked);
    const settings = {
      eps,
      atol,
      rtol,
      nondet_tol,
      check_undefined_grad,
      check_grad_dtypes,
      fast_mode,
      check_forward_ad,
      check_backward_ad,
    };
    if (raise_exception) return _gradcheck_helper(func, _as_tuple(inputs), settings);
    try {
      return _gradcheck_helper(func, _as_tuple(inputs), settings);
    } catch (error) {
      if (error instanceof GradcheckError) return false;
      throw error;
    }
  },
);

function _gradcheck_helper(func: Func, inputs: readonly unknown[], settings: Settings): boolean {
  _check_inputs(inputs);
  const func_out = call(func, inputs);
  const outputs = _differentiable_outputs(func_out);
  // If no output is differentiable, both modes check that the numerical gradients are zero.
  if (settings.check_backward_ad) {
    const check = settings.fast_mode && outputs.length > 0 ? _fast_gradcheck : _slow_gradcheck;
    check(func, inputs, func_out, outputs, settings);
  }
  if (settings.check_forward_ad) _forward_gradcheck(func, inputs, func_out, outputs, settings);
  if (!settings.check_backward_ad) return true;
  _test_backward_mul_by_grad_output(outputs, inputs);
  if (settings.check_undefined_grad) _test_undefined_backward_mode(func, inputs);
  return true;
}

/**
 * Checks second derivatives: `gradcheck` of the gradients of `func`, as functions of `inputs` and `grad_outputs`.
 * @param grad_outputs random if not given
 */
export const gradgradcheck = def(
  "gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-06, atol=1e-05, rtol=0.001, gen_non_contig_grad_outputs=False, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_fwd_over_rev=False, check_rev_over_rev=True, fast_mode=False, masked=False)",
  (
    func: Func,
    inputs: unknown,
    grad_outputs: unknown,
    eps: number,
    atol: number,
    rtol: number,
    gen_non_contig_grad_outputs: boolean,
    raise_exception: boolean,
    nondet_tol: number,
    check_undefined_grad: boolean,
    check_grad_dtypes: boolean,
    check_batched_grad: boolean,
    check_fwd_over_rev: boolean,
    check_rev_over_rev: boolean,
    fast_mode: boolean,
    masked: boolean,
  ): boolean => {
    if (!check_fwd_over_rev && !check_rev_over_rev)
      throw new AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True");
    if (check_undefined_grad && !check_rev_over_rev)
      throw new AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True");
    if (check_batched_grad && !check_rev_over_rev)
      throw new AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True");
    if (gen_non_contig_grad_outputs)
      throw new NotImplementedError("gradgradcheck: gen_non_contig_grad_outputs is not implemented");
    const [new_func, all_inputs] = gradients_of(func, _as_tuple(inputs), grad_outputs);
    return gradcheck(new_func, all_inputs, {
      eps,
      atol,
      rtol,
      raise_exception,
      nondet_tol,
      check_undefined_grad,
      check_grad_dtypes,
      check_batched_grad,
      check_forward_ad: check_fwd_over_rev,
      check_backward_ad: check_rev_over_rev,
      fast_mode,
      masked,
    });
  },
);

/** The gradients of `func` as a function of its inputs and of `grad_outputs`, together with the arguments for a call. */
function gradients_of(
  func: Func,
  tupled_inputs: readonly unknown[],
  grad_outputs: unknown,
): [new_func: Func, inputs: unknown[]] {
  const tupled_grad_outputs =
    grad_outputs === null
      ? _differentiable_outputs(call(func, tupled_inputs)).map(random_like)
      : (_as_tuple(grad_outputs) as Tensor[]);
  const num_outputs = tupled_grad_outputs.length;
  const diff_input = tupled_inputs.map(requires_grad);
  const new_func = (...args: unknown[]): Tensor[] => {
    const input_args = args.slice(0, args.length - num_outputs);
    // Dual tensors are made of detached inputs.
    for (const [i, x] of input_args.entries()) if (diff_input[i]) (x as Tensor).requires_grad_();
    const outputs = _differentiable_outputs(call(func, input_args));
    const diff_input_args = input_args.filter((_, i) => diff_input[i]) as Tensor[];
    const grad_inputs = torch.autograd.grad(outputs, diff_input_args, {
      grad_outputs: args.slice(args.length - num_outputs) as Tensor[],
      create_graph: true,
      allow_unused: true,
    });
    return grad_inputs.filter((g) => g !== null);
  };
  return [new_func, [...tupled_inputs, ...tupled_grad_outputs]];
}

/** Random values in [-1, 1). */
function random_like(x: Tensor): Tensor {
  return _C._VariableFunctions.zeros_like(x.detach()).uniform_(-1, 1).requires_grad_();
}
