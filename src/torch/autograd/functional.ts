/**
 * @file `torch.autograd.functional`: Jacobians and Hessians of a function at a point, and their products with vectors.
 * @mirrors torch/autograd/functional.py
 * @differs Ours reads an array as a tuple, so no sequence is refused as a list, and `strategy="forward-mode"` raises NotImplementedError;
 * PyTorch refuses lists and has both strategies.
 *
 * Note [The double backward trick]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Backward computes u^T J for a vector u with the sizes of the outputs. This is a linear function of u, and its Jacobian is J^T. So the
 * backward of this backward, with respect to u, computes (v^T J^T)^T = J v, without forward mode. The value of u does not matter; it is
 * zeros.
 *
 *     inputs --func--> outputs --backward(u)--> u^T J --backward(v), with respect to u--> J v
 */
import { AssertionError, IndexError, NotImplementedError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { pack, tuple } from "#python/Objects/tupleobject";
import { PyObject_IsTrue, python_type, THPSize_repr } from "#torch/_C";
import { transforms } from "#torch/_functorch/loading";
import { type Args, def, type Signature } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { dual_level, make_dual, unpack_dual } from "./forward_ad.ts";
import { enable_grad, set_grad_enabled } from "./grad_mode.ts";

/** One tensor, or several. */
type Tensors = Tensor | readonly Tensor[];
/** One new tensor for one tensor, or several for several. */
type Like<T> = T extends readonly Tensor[] ? { -readonly [K in keyof T]: Tensor } : Tensor;
/** The type of a Jacobian: one row for each of several outputs, with one tensor for each of several inputs. */
type Rows<Outputs, Inputs> = Outputs extends readonly Tensor[]
  ? { -readonly [K in keyof Outputs]: Like<Inputs> }
  : Like<Inputs>;
type Func<Inputs, Outputs> = (...inputs: Inputs extends readonly Tensor[] ? Inputs : [Tensor]) => Outputs;
/** The function behind a declared function; it accepts any function. */
type AnyFunc = (...inputs: Tensor[]) => Tensors;

// Tuples

/** `inp` as a tuple of tensors, and whether it was a tuple. */
function _as_tuple(inp: unknown, arg_name: string, fn_name: string): [is_tuple: boolean, tensors: Tensor[]] {
  const is_tuple = Array.isArray(inp);
  const tensors: unknown[] = is_tuple ? inp : [inp];
  tensors.forEach((el, i) => {
    if (el instanceof Tensor) return;
    const place = is_tuple ? `value at index ${i}` : `given ${arg_name}`;
    throw new TypeError_(
      `The ${arg_name} given to ${fn_name} must be either a Tensor or a tuple of Tensors but the ${place} has type ${type_repr(el, "class")}.`,
    );
  });
  return [is_tuple, tensors as Tensor[]];
}

/** The result in the form of the argument: one tensor or a tuple. */
function _tuple_postprocess(res: Tensor[], is_tuple: boolean): Tensors {
  return is_tuple ? tuple(res) : res[0];
}

/** The result in the form of the arguments, for a tuple (outputs) of tuples (inputs). */
function postprocess_rows(res: Tensor[][], is_outputs_tuple: boolean, is_inputs_tuple: boolean): unknown {
  const rows = res.map((row) => _tuple_postprocess(row, is_inputs_tuple));
  return is_outputs_tuple ? tuple(rows) : rows[0];
}

/** The tensors for the computation: with `create_graph` connected to the user's graph, otherwise detached. */
function _grad_preprocess(inputs: readonly Tensor[], create_graph: boolean, need_graph: boolean): Tensor[] {
  return inputs.map((inp) =>
    // A view, not the user's tensor itself, so that gradients with respect to it stop here.
    create_graph && inp.requires_grad ? inp.view_as(inp) : inp.detach().requires_grad_(need_graph),
  );
}

function _grad_postprocess(tensors: Tensor[], create_graph: boolean): Tensor[] {
  check_not_empty(tensors);
  return create_graph ? tensors : tensors.map((t) => t.detach());
}

/** Raises Python's error for access to the first element of an empty tuple. */
function check_not_empty(tuple: readonly unknown[]): void {
  if (tuple.length === 0) throw new IndexError("tuple index out of range");
}

function call(func: AnyFunc, inputs: readonly Tensor[]): Tensors {
  if (typeof func !== "function") throw new TypeError_(`'${python_type(func)}' object is not callable`);
  return func(...inputs);
}

// Refusals

/** The vector `v` for the function `fn_name`, after a check that it has the sizes of `other`. */
function preprocess_v(
  v: Tensors,
  fn_name: string,
  create_graph: boolean,
  other: readonly Tensor[],
  is_other_tuple: boolean,
): Tensor[] {
  const tensors = _grad_preprocess(_as_tuple(v, "v", fn_name)[1], create_graph, false);
  _validate_v(tensors, other, is_other_tuple);
  return tensors;
}

function _validate_v(v: readonly Tensor[], other: readonly Tensor[], is_other_tuple: boolean): void {
  if (other.length !== v.length) {
    throw new RuntimeError(
      is_other_tuple
        ? `v is a tuple of invalid length: should be ${other.length} but got ${v.length}.`
        : "The given v should contain a single Tensor.",
    );
  }
  v.forEach((el_v, idx) => {
    const [wanted, size] = [THPSize_repr(other[idx].shape), THPSize_repr(el_v.shape)];
    if (size === wanted) return;
    const prepend = is_other_tuple ? `Entry ${idx} in ` : "";
    throw new RuntimeError(`${prepend}v has invalid size: should be ${wanted} but got ${size}.`);
  });
}

/** Checks that `v` may be omitted: only for a single element. */
function check_v_may_be_left_out(tensors: readonly Tensor[], because: string): void {
  if (tensors.length === 1 && tensors[0].numel() === 1) return;
  throw new RuntimeError(`The vector v can only be None if ${because}.`);
}

const A_SINGLE_INPUT = "the input to the user-provided function is a single Tensor with a single element";

/** The message of strict mode if the i-th tensor of a kind does not require grad. */
const INDEPENDENT = {
  outputs: (i: number) =>
    `Output ${i} of the user-provided function does not require gradients.` +
    " The outputs must be computed in a differentiable manner from the input when running in strict mode.",
  grad_inputs: (i: number) =>
    `The gradient with respect to input ${i} is independent of the inputs of the` +
    " user-provided function. This is not allowed in strict mode.",
  jacobian: (i: number) =>
    "While computing the hessian, found that the jacobian of the user-provided" +
    ` function with respect to input ${i} is independent of the input. This is not` +
    " allowed in strict mode. You should ensure that your function is twice" +
    " differentiable and that the jacobian depends on the inputs (this would be" +
    " violated by a linear function for example).",
  hessian: (i: number) =>
    `The hessian of the user-provided function with respect to input ${i}` +
    " is independent of the input. This is not allowed in strict mode." +
    " You should ensure that your function is thrice differentiable and that" +
    " the hessian depends on the inputs.",
} as const;

function _check_requires_grad(
  inputs: readonly (Tensor | null)[],
  input_type: keyof typeof INDEPENDENT,
  strict: boolean,
): void {
  if (!strict) return;
  inputs.forEach((inp, i) => {
    if (inp === null) {
      throw new RuntimeError(
        `The output of the user-provided function is independent of input ${i}. This is not allowed in strict mode.`,
      );
    }
    if (!inp.requires_grad) throw new RuntimeError(INDEPENDENT[input_type](i));
  });
}

/** The message of strict mode if the i-th gradient does not exist. */
const MISSING = {
  back: (i: number) =>
    `The output of the user-provided function is independent of input ${i}. This is not allowed in strict mode.`,
  back_trick: (i: number) =>
    `The gradient with respect to the input is independent of entry ${i}` +
    " in the grad_outputs when using the double backward trick to compute" +
    " forward mode gradients. This is not allowed in strict mode.",
  double_back: (i: number) =>
    `The jacobian of the user-provided function is independent of input ${i}. This is not allowed in strict mode.`,
  double_back_trick: (i: number) =>
    `The hessian of the user-provided function is independent of entry ${i} in the grad_jacobian. This is not allowed in strict ` +
    "mode as it prevents from using the double backward trick to replace forward mode AD.",
} as const;
type Stage = keyof typeof MISSING;

/** Replaces missing gradients by zeros; strict mode refuses them. */
function _fill_in_zeros(
  grads: readonly (Tensor | null)[],
  refs: readonly Tensor[],
  { strict, create_graph }: Mode,
  stage: Stage,
): Tensor[] {
  return grads.map((grad, i) => {
    if (grad === null) {
      if (strict) throw new RuntimeError(MISSING[stage](i));
      return torch.zeros_like(refs[i]);
    }
    if (strict && create_graph && !grad.requires_grad) {
      const what = stage.includes("double") ? "hessian" : "jacobian";
      throw new RuntimeError(
        `The ${what} of the user-provided function is independent of input ${i}. This is not allowed in strict mode when create_graph=True.`,
      );
    }
    return grad;
  });
}

// Gradients

/** Like `torch.autograd.grad`, but outputs without a graph are skipped; if none has a graph, all gradients are null. */
function _autograd_grad(
  outputs: readonly (Tensor | null)[],
  inputs: readonly Tensor[],
  grad_outputs: readonly (Tensor | null)[] | null,
  create_graph: boolean,
  retain_graph: boolean | null = null,
): (Tensor | null)[] {
  const new_outputs: Tensor[] = [];
  const new_grad_outputs: (Tensor | null)[] = [];
  outputs.forEach((out, i) => {
    if (out === null || !out.requires_grad) return;
    new_outputs.push(out);
    new_grad_outputs.push(grad_outputs?.[i] ?? null);
  });
  if (new_outputs.length === 0) return inputs.map(() => null);
  return torch.autograd.grad(new_outputs, inputs, {
    grad_outputs: new_grad_outputs,
    allow_unused: true,
    create_graph,
    retain_graph,
  });
}

interface Mode {
  readonly create_graph: boolean;
  readonly strict: boolean;
}

/** Runs `body` in the user's grad mode, or with grad mode enabled if the user wants a graph. */
function with_users_grad_mode<R>(create_graph: boolean, body: () => R): R {
  return set_grad_enabled(create_graph || torch.is_grad_enabled(), body);
}

// Products with vectors

type Options = Args<
  "_(v=None, create_graph=False, strict=False)",
  [v: Tensors | null, create_graph: boolean, strict: boolean]
>;

/** The type of `vjp`: the product has the sizes of the inputs. */
interface ProductOfInputs {
  <const I extends Tensors, const O extends Tensors>(
    func: Func<I, O>,
    inputs: I,
    ...options: Options
  ): [func_output: Like<O>, product: Like<I>];
  readonly __signature__: Signature;
}

/** The type of `jvp`: the product has the sizes of the outputs. */
interface ProductOfOutputs {
  <const I extends Tensors, const O extends Tensors>(
    func: Func<I, O>,
    inputs: I,
    ...options: Options
  ): [func_output: Like<O>, product: Like<O>];
  readonly __signature__: Signature;
}

/** The type of `vhp` and `hvp`: the product has the sizes of the inputs, and the function has one result. */
interface HessianProduct {
  <const I extends Tensors>(
    func: Func<I, Tensor>,
    inputs: I,
    ...options: Options
  ): [func_output: Tensor, product: Like<I>];
  readonly __signature__: Signature;
}

/**
 * The outputs of the function at `inputs`, and v^T J: the product of a vector with the sizes of the outputs and the Jacobian.
 * @param v may be omitted if there is one output with one element; then it is 1
 * @param create_graph whether both results are differentiable
 * @param strict whether an output that does not depend on an input is an error; otherwise the product is zeros
 */
export const vjp = def(
  "vjp(func, inputs, v=None, create_graph=False, strict=False)",
  (func: AnyFunc, given: Tensors, given_v: Tensors | null, create_graph: boolean, strict: boolean) => {
    const mode = mode_of(create_graph, strict);
    const { is_inputs_tuple, inputs, is_outputs_tuple, outputs, v } = enable_grad(() => {
      const [is_inputs_tuple, tensors] = _as_tuple(given, "inputs", "vjp");
      const inputs = _grad_preprocess(tensors, mode.create_graph, true);
      const [is_outputs_tuple, outputs] = outputs_of(func, inputs, "vjp", mode.strict);
      const v = given_v === null ? null : preprocess_v(given_v, "vjp", mode.create_graph, outputs, is_outputs_tuple);
      if (v === null) {
        check_v_may_be_left_out(outputs, "the user-provided function returns a single Tensor with a single element");
      }
      return { is_inputs_tuple, inputs, is_outputs_tuple, outputs, v };
    });
    const product = with_users_grad_mode(mode.create_graph, () =>
      _fill_in_zeros(_autograd_grad(outputs, inputs, v, mode.create_graph), inputs, mode, "back"),
    );
    return results(outputs, is_outputs_tuple, product, is_inputs_tuple, mode);
  },
) as unknown as ProductOfInputs;

/**
 * The outputs of the function at `inputs`, and J v: the product of the Jacobian and a vector with the sizes of the inputs. See Note [The
 * double backward trick].
 * @param v may be omitted if there is one input with one element; then it is 1
 */
export const jvp = def(
  "jvp(func, inputs, v=None, create_graph=False, strict=False)",
  (func: AnyFunc, given: Tensors, given_v: Tensors | null, create_graph: boolean, strict: boolean) => {
    const mode = mode_of(create_graph, strict);
    const { v, is_outputs_tuple, outputs, grad_outputs, grad_inputs } = enable_grad(() => {
      const { inputs, v } = inputs_and_v(given, given_v, "jvp", mode);
      const [is_outputs_tuple, outputs] = outputs_of(func, inputs, "jvp", mode.strict);
      const grad_outputs = outputs.map((out) => torch.zeros_like(out, { requires_grad: true }));
      const grad_inputs = _autograd_grad(outputs, inputs, grad_outputs, true);
      _check_requires_grad(grad_inputs, "grad_inputs", mode.strict);
      return { v, is_outputs_tuple, outputs, grad_outputs, grad_inputs };
    });
    const product = with_users_grad_mode(mode.create_graph, () =>
      _fill_in_zeros(_autograd_grad(grad_inputs, grad_outputs, v, mode.create_graph), outputs, mode, "back_trick"),
    );
    return results(outputs, is_outputs_tuple, product, is_outputs_tuple, mode);
  },
) as unknown as ProductOfOutputs;

/** The scalar result of the function at `inputs`, and v^T H: the product of a vector with the sizes of the inputs and the Hessian. */
export const vhp = def(
  "vhp(func, inputs, v=None, create_graph=False, strict=False)",
  (func: AnyFunc, given: Tensors, given_v: Tensors | null, create_graph: boolean, strict: boolean) => {
    const mode = mode_of(create_graph, strict);
    const { is_inputs_tuple, inputs, v, output, jac } = enable_grad(() =>
      first_gradient(func, given, given_v, "vhp", mode),
    );
    const product = with_users_grad_mode(mode.create_graph, () =>
      _fill_in_zeros(_autograd_grad(jac, inputs, v, mode.create_graph), inputs, mode, "double_back"),
    );
    return results([output], false, product, is_inputs_tuple, mode);
  },
) as unknown as HessianProduct;

/**
 * The scalar result of the function at `inputs`, and H v: the product of the Hessian and a vector with the sizes of the inputs. `vhp` needs
 * one backward less and gives the same result for a twice continuously differentiable function, because its Hessian is symmetric.
 */
export const hvp = def(
  "hvp(func, inputs, v=None, create_graph=False, strict=False)",
  (func: AnyFunc, given: Tensors, given_v: Tensors | null, create_graph: boolean, strict: boolean) => {
    const mode = mode_of(create_graph, strict);
    const { is_inputs_tuple, inputs, v, output, grad_jac, double_back } = enable_grad(() => {
      const first = first_gradient(func, given, given_v, "hvp", mode);
      const grad_jac = first.inputs.map((inp) => torch.zeros_like(inp, { requires_grad: true }));
      const double_back = _autograd_grad(first.jac, first.inputs, grad_jac, true);
      _check_requires_grad(first.jac, "hessian", mode.strict);
      return { ...first, grad_jac, double_back };
    });
    const product = with_users_grad_mode(mode.create_graph, () =>
      _fill_in_zeros(_autograd_grad(double_back, grad_jac, v, mode.create_graph), inputs, mode, "double_back_trick"),
    );
    return results([output], false, product, is_inputs_tuple, mode);
  },
) as unknown as HessianProduct;

function mode_of(create_graph: boolean, strict: boolean): Mode {
  return { create_graph: PyObject_IsTrue(create_graph), strict: PyObject_IsTrue(strict) };
}

/** The inputs for the computation, and the vector with their sizes. */
function inputs_and_v(given: Tensors, given_v: Tensors | null, fn_name: string, { create_graph }: Mode) {
  const [is_inputs_tuple, tensors] = _as_tuple(given, "inputs", fn_name);
  const inputs = _grad_preprocess(tensors, create_graph, true);
  const v = given_v === null ? null : preprocess_v(given_v, fn_name, create_graph, inputs, is_inputs_tuple);
  if (v === null) check_v_may_be_left_out(inputs, A_SINGLE_INPUT);
  return { is_inputs_tuple, inputs, v };
}

/** The outputs of the user's function. */
function outputs_of(func: AnyFunc, inputs: readonly Tensor[], fn_name: string, strict: boolean): [boolean, Tensor[]] {
  const [is_outputs_tuple, outputs] = _as_tuple(call(func, inputs), "outputs of the user-provided function", fn_name);
  _check_requires_grad(outputs, "outputs", strict);
  return [is_outputs_tuple, outputs];
}

/** The scalar output of the user's function, as the Hessian needs it. */
function single_output_of(func: AnyFunc, inputs: readonly Tensor[], fn_name: string, strict: boolean): Tensor {
  const [is_outputs_tuple, outputs] = outputs_of(func, inputs, fn_name, strict);
  if (is_outputs_tuple) throw new RuntimeError(`The function given to ${fn_name} should return a single Tensor`);
  if (outputs[0].numel() !== 1) {
    throw new RuntimeError(`The Tensor returned by the function given to ${fn_name} should contain a single element`);
  }
  return outputs[0];
}

/** The first part of the products with a Hessian: the gradient of the function, and the vector to multiply the Hessian with. */
function first_gradient(func: AnyFunc, given: Tensors, given_v: Tensors | null, fn_name: string, mode: Mode) {
  const { is_inputs_tuple, inputs, v } = inputs_and_v(given, given_v, fn_name, mode);
  const output = single_output_of(func, inputs, fn_name, mode.strict);
  const jac = _autograd_grad([output], inputs, null, true);
  _check_requires_grad(jac, "jacobian", mode.strict);
  return { is_inputs_tuple, inputs, v, output, jac };
}

function results(
  outputs: Tensor[],
  is_outputs_tuple: boolean,
  product: Tensor[],
  is_product_tuple: boolean,
  { create_graph }: Mode,
): [Tensors, Tensors] {
  const [func_output, multiplied] = [
    _grad_postprocess(outputs, create_graph),
    _grad_postprocess(product, create_graph),
  ];
  return pack(_tuple_postprocess(func_output, is_outputs_tuple), _tuple_postprocess(multiplied, is_product_tuple));
}

// Whole matrices

type Strategy = "forward-mode" | "reverse-mode";

interface JacobianFunction {
  <const I extends Tensors, const O extends Tensors>(
    func: Func<I, O>,
    inputs: I,
    ...options: Args<
      "_(create_graph=False, strict=False, vectorize=False, strategy='reverse-mode')",
      [create_graph: boolean, strict: boolean, vectorize: boolean, strategy: Strategy]
    >
  ): Rows<O, I>;
  readonly __signature__: Signature;
}

/**
 * The Jacobian of the function at `inputs`. Its shape is the size of an output followed by the size of an input; `[i][j]` for output `i`
 * and input `j` if there are several. It needs one backward for each element of the outputs.
 * @param create_graph whether the result is differentiable
 * @param strict whether an output that does not depend on an input is an error; otherwise its block is zeros
 */
export const jacobian = def(
  "jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode')",
  (
    func: AnyFunc,
    given: Tensors,
    create_graph: boolean,
    strict: boolean,
    vectorize: boolean,
    strategy: Strategy,
  ): unknown => {
    if (strategy !== "forward-mode" && strategy !== "reverse-mode") {
      throw new AssertionError(
        'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your ' +
          'function has more outputs than inputs, "forward-mode" tends to be more performant. ' +
          'Otherwise, prefer to use "reverse-mode".',
      );
    }
    const mode = mode_of(create_graph, strict);
    if (strategy === "forward-mode") return _jacfwd(func, given, mode, PyObject_IsTrue(vectorize));
    return enable_grad(() => {
      const [is_inputs_tuple, tensors] = _as_tuple(given, "inputs", "jacobian");
      const inputs = _grad_preprocess(tensors, mode.create_graph, true);
      const [is_outputs_tuple, outputs] = outputs_of(func, inputs, "jacobian", mode.strict);
      const rows = PyObject_IsTrue(vectorize)
        ? vectorized_rows(outputs, inputs, mode)
        : outputs.map((out, i) => _grad_postprocess(jacobian_of_output(out, i, inputs, mode), mode.create_graph));
      check_not_empty(rows);
      return postprocess_rows(rows, is_outputs_tuple, is_inputs_tuple);
    });
  },
) as unknown as JacobianFunction;

/** The i-th row of a Jacobian: for each input, the gradients of all elements of the output. */
function jacobian_of_output(out: Tensor, i: number, inputs: readonly Tensor[], mode: Mode): Tensor[] {
  const jac_i: Tensor[][] = inputs.map(() => []);
  for (let j = 0; j < out.numel(); j++) {
    const element = out.reshape([-1]).select(0, j);
    const vj = _autograd_grad([element], inputs, null, mode.create_graph, true);
    vj.forEach((vj_el, el_idx) => {
      if (vj_el === null && mode.strict) {
        throw new RuntimeError(
          `Output ${i} of the user-provided function is independent of input ${el_idx}. This is not allowed in strict mode.`,
        );
      }
      if (vj_el !== null && mode.strict && mode.create_graph && !vj_el.requires_grad) {
        throw new RuntimeError(
          `The jacobian of the user-provided function is independent of input ${i}. This is not allowed in strict mode when create_graph=True.`,
        );
      }
      jac_i[el_idx].push(vj_el ?? torch.zeros_like(inputs[el_idx]));
    });
  }
  return jac_i.map((grads, el_idx) => torch.stack(grads, 0).view([...out.shape, ...inputs[el_idx].shape]));
}

/**
 * A Jacobian by forward mode: each call of the function with a unit tangent gives a column.
 * @differs One call for each column; PyTorch makes one call under `vmap`.
 */
function _jacfwd(func: AnyFunc, given: Tensors, { create_graph, strict }: Mode, vectorize: boolean): unknown {
  if (create_graph) {
    throw new NotImplementedError(
      "torch.autograd.functional.jacobian: `create_graph=True` " +
        'and `strategy="forward-mode"` are not supported together (yet). ' +
        'Please either set `create_graph=False` or `strategy="reverse-mode"`.',
    );
  }
  if (strict) {
    throw new RuntimeError(
      "torch.autograd.functional.jacobian: `strict=True` " +
        'and `strategy="forward-mode"` are not supported together (yet). ' +
        'Please either set `strict=False` or `strategy="reverse-mode"`.',
    );
  }
  const [is_inputs_tuple, inputs] = _as_tuple(given, "inputs", "jacobian");
  if (!vectorize)
    throw new NotImplementedError(
      "Computing Jacobian using forward-AD or forward-over-reverse Hessian is" +
        "only implemented for `vectorize=True`.",
    );
  let is_outputs_tuple = true;
  const columns: Tensor[][][] = inputs.map(() => []); // of input i, for each of its elements, the tangents of all outputs
  for (const [i, input] of inputs.entries()) {
    for (let element = 0; element < input.numel(); element++) {
      dual_level(() => {
        const duals = inputs.map((each, k) => {
          const tangent = torch.zeros_like(each);
          if (k === i) tangent.view([-1]).__setitem__(element, 1);
          return make_dual(each, tangent.view_as(each));
        });
        let outputs: Tensor[];
        [is_outputs_tuple, outputs] = _as_tuple(func(...duals), "outputs", "jacobian");
        columns[i].push(
          outputs.map((dual_out) => {
            const { primal, tangent } = unpack_dual(dual_out);
            return tangent ?? torch.zeros_like(primal);
          }),
        );
      });
    }
  }
  const rows = columns[0][0].map((out, j) =>
    inputs.map((input, i) =>
      torch
        .stack(
          columns[i].map((tangents) => tangents[j]),
          -1,
        )
        .reshape([...out.shape, ...input.shape]),
    ),
  );
  return postprocess_rows(rows, is_outputs_tuple, is_inputs_tuple);
}

/** The Jacobians of all outputs by one backward pass of a batch: the rows of the standard basis. */
function vectorized_rows(outputs: readonly Tensor[], inputs: readonly Tensor[], mode: Mode): Tensor[][] {
  if (mode.strict)
    throw new RuntimeError(
      "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. " +
        "Please either set `strict=False` or `vectorize=False`.",
    );
  const numels = outputs.map((out) => out.numel());
  const total = numels.reduce((sum, n) => sum + n, 0);
  let start = 0;
  const basis = outputs.map((out, i) => {
    const part = out.new_zeros([total, numels[i]]);
    part.diagonal(0 - start).fill_(1);
    start += numels[i];
    return part;
  });
  const flat_outputs = outputs.map((out) => out.reshape([-1]));
  const vjp = (grads: readonly Tensor[]): Tensor[] =>
    _autograd_grad(flat_outputs, inputs, grads, mode.create_graph, true).map(
      (vj, i) => vj ?? torch.zeros_like(inputs[i]),
    );
  const jacobians = transforms("torch.vmap")._vmap_internals(vjp, basis);
  const of_inputs = jacobians.map((jacobian, i) =>
    torch.split(jacobian, numels, 0).map((split, j) => split.view([...outputs[j].shape, ...inputs[i].shape])),
  );
  return outputs.map((_, j) =>
    _grad_postprocess(
      of_inputs.map((of_input) => of_input[j]),
      mode.create_graph,
    ),
  );
}

interface HessianFunction {
  <const I extends Tensors>(
    func: Func<I, Tensor>,
    inputs: I,
    ...options: Args<
      "_(create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy='reverse-mode')",
      [create_graph: boolean, strict: boolean, vectorize: boolean, outer_jacobian_strategy: Strategy]
    >
  ): Rows<I, I>;
  readonly __signature__: Signature;
}

/** The Hessian of a function with a scalar result: the Jacobian of its Jacobian, `[i][j]` if there are several inputs. */
export const hessian = def(
  "hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy='reverse-mode')",
  (
    func: AnyFunc,
    given: Tensors,
    create_graph: boolean,
    given_strict: boolean,
    vectorize: boolean,
    strategy: Strategy,
  ): unknown => {
    const strict = PyObject_IsTrue(given_strict);
    const [is_inputs_tuple, inputs] = _as_tuple(given, "inputs", "hessian");
    if (strategy !== "forward-mode" && strategy !== "reverse-mode") {
      throw new AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".');
    }
    const ensure_single_output_function = (...inp: Tensor[]) =>
      single_output_of(func, inp, "hessian", strict).squeeze();
    const jac_func = (...inp: Tensor[]): Tensor[] => {
      // An input that does not require grad would be detached, and lose its tangent.
      if (strategy === "forward-mode") for (const t of inp) t.requires_grad_(true);
      const jac = jacobian(ensure_single_output_function, inp, true);
      _check_requires_grad(jac, "jacobian", strict);
      return jac;
    };
    const res = jacobian(jac_func, inputs, { create_graph, strict, vectorize, strategy });
    return postprocess_rows(res, is_inputs_tuple, is_inputs_tuple);
  },
) as unknown as HessianFunction;
