/**
 * @file Functions with a backward of their own: turning their outputs into outputs of a graph node, and the C++-level
 * API to define one.
 * @mirrors torch/csrc/autograd/custom_function.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { AutoFwGradMode, AutoGradMode, GradMode } from "#c10/core/GradMode";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN } from "#c10/util/Exception";
import { Edge } from "#torch/csrc-equivalent/autograd/edge";
import { any_variable_requires_grad, collect_next_edges } from "#torch/csrc-equivalent/autograd/function";
import { Node, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { ERR_BACKWARD_TWICE, SavedVariable } from "#torch/csrc-equivalent/autograd/saved_variable";
import { check_inplace } from "#torch/csrc-equivalent/autograd/VariableTypeUtils";
import {
  bump_version,
  CreationMeta,
  get_view_autograd_meta,
  isDifferentiableType,
  materialize_autograd_meta,
  set_gradient_edge,
} from "#torch/csrc-equivalent/autograd/variable/impl";
import { rebase_history } from "#torch/csrc-equivalent/autograd/variable/rebase_history";
import { VariableInfo } from "#torch/csrc-equivalent/autograd/variable_info";
import { _process_forward_mode_AD } from "./process_forward_mode_AD.ts";

export { check_variable_result } from "./check_variable_result.ts";

// Note [What a custom Function may return]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An output that forward newly made simply gets the Function's node. Three kinds need more:
//   - an input returned unchanged: its own node must stay, so a view of it is returned and gets the Function's node;
//   - an input changed in place (`mark_dirty`): the same object must come back, with its history rebased;
//   - a view of an input: it gets the node, but autograd's own record of the view would contradict it if somebody changed
//     the view in place, so that is forbidden (`CreationMeta.IN_CUSTOM_FUNCTION`).

export function _wrap_outputs(
  input_vars: variable_list,
  non_differentiable: ReadonlySet<TensorImpl>,
  dirty_inputs: ReadonlySet<TensorImpl>,
  raw_outputs: readonly (Tensor | null)[],
  cdata: Node | null,
  to_save_if_setup_context: ReadonlySet<TensorImpl>,
  view_as_self_fn: (self: Tensor) => Tensor,
): (Tensor | null)[] {
  const inputs = new Set<TensorImpl>();
  for (const input of input_vars) inputs.add(input.impl_);
  const outputs: (Tensor | null)[] = [];
  const outputs_impl = new Set<TensorImpl>();
  let num_diff_outputs = 0;

  for (let i = 0; i < raw_outputs.length; i++) {
    const raw_output = raw_outputs[i];
    if (raw_output === null) {
      if (cdata !== null) TORCH_INTERNAL_ASSERT(cdata.add_undefined_input() === i);
      outputs.push(null);
      continue;
    }
    const impl = raw_output.impl_;
    const is_input = inputs.has(impl);
    const is_modified = dirty_inputs.has(impl);
    const is_differentiable =
      cdata !== null && !non_differentiable.has(impl) && isDifferentiableType(raw_output.scalar_type());
    if (cdata !== null) {
      const output_nr = is_differentiable ? cdata.add_input_metadata(raw_output) : cdata.add_undefined_input();
      TORCH_INTERNAL_ASSERT(output_nr === i);
    }
    TORCH_CHECK(
      !is_input || is_modified || !to_save_if_setup_context.has(impl),
      "An input that has been returned as-is as output is being saved for backward. " +
        "This is not supported if you override setup_context. You should return and " +
        "save a view of the input instead, e.g. with x.view_as(x) or setup ctx inside " +
        "the forward function itself.",
    );
    const output = is_differentiable
      ? set_history(raw_output, cdata, i, is_input, is_modified, raw_outputs.length, view_as_self_fn)
      : without_history(raw_output, is_input, is_modified, view_as_self_fn);
    const diff_view_meta = get_view_autograd_meta(output);
    if (!(is_input && is_modified) && diff_view_meta !== null && diff_view_meta.has_bw_view()) {
      diff_view_meta.set_creation_meta(CreationMeta.IN_CUSTOM_FUNCTION);
    }
    if (is_differentiable) num_diff_outputs++;
    outputs_impl.add(impl);
    outputs.push(output);
  }

  if (num_diff_outputs > 1) {
    for (const output of outputs) {
      const diff_view_meta = output === null ? null : get_view_autograd_meta(output);
      if (diff_view_meta?.has_bw_view()) diff_view_meta.set_creation_meta(CreationMeta.MULTI_OUTPUT_NODE);
    }
  }
  for (const dirty_input of dirty_inputs) {
    TORCH_CHECK(
      outputs_impl.has(dirty_input),
      "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified " +
        "inplace must all be outputs of the Function.",
    );
  }
  return outputs;
}

function set_history(
  output: Tensor,
  cdata: Node,
  output_nr: number,
  is_input: boolean,
  is_modified: boolean,
  num_outputs: number,
  view_as_self_fn: (self: Tensor) => Tensor,
): Tensor {
  const edge = new Edge(cdata, output_nr);
  if (is_modified) {
    if (output.is_leaf() && output.requires_grad()) {
      throw new RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.");
    }
    if (!is_input) {
      const message =
        "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be " +
        "passed to ctx.mark_dirty().";
      TORCH_CHECK(!output.is_view(), message);
      TORCH_WARN(message);
    }
    TORCH_CHECK(
      !(output.is_view() && num_outputs > 1),
      "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than " +
        "one Tensor. This is not supported by the current autograd engine. You should either make sure the input is not a " +
        "view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it into two " +
        "Functions: one doing the inplace that returns a single Tensor and a second one that does the other operations). " +
        "You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change.",
    );
    // `forward` ran without recording, so no kernel has checked yet whether this tensor's graph may be rewritten.
    check_inplace(output, true);
    // The old value is gone, so its gradient belongs to nobody.
    materialize_autograd_meta(output).set_grad(null);
    rebase_history(output, edge);
    return output;
  }
  const result = is_input ? view_as_self_with_no_grad(output, view_as_self_fn) : output;
  set_gradient_edge(result, edge);
  return result;
}

function without_history(
  output: Tensor,
  is_input: boolean,
  is_modified: boolean,
  view_as_self_fn: (self: Tensor) => Tensor,
): Tensor {
  if (!output.requires_grad()) {
    // A view instead of the input itself, so that the output has metadata of its own.
    return is_input && !is_modified ? view_as_self_with_no_grad(output, view_as_self_fn) : output;
  }
  if (is_input) return output.detach();
  if (!output.is_view()) output.detach_();
  // A view of an input stays attached, like a view taken under no_grad.
  return output;
}

/** As in the user's `forward`, the view has neither history nor tangent. */
function view_as_self_with_no_grad(self: Tensor, view_as_self_fn: (self: Tensor) => Tensor): Tensor {
  const fw_grad_mode = new AutoFwGradMode(false);
  const grad_mode = new AutoGradMode(false);
  try {
    return view_as_self_fn(self);
  } finally {
    grad_mode.restore();
    fw_grad_mode.restore();
  }
}

/** The object shared by forward and backward of a Function. */
export class AutogradContext {
  /** Values that are not tensors of the call. */
  readonly saved_data = new Map<string, unknown>();
  private non_differentiable_ = new Set<TensorImpl>();
  private dirty_inputs_ = new Set<TensorImpl>();
  private saved_variables_: SavedVariable[] = [];
  private to_save_: variable_list = [];
  materialize_grads_ = true;
  private grad_fn_: Node | null = null;
  private has_freed_buffers_ = false;

  /** Saves inputs and outputs that backward needs. It takes effect when forward has returned. */
  save_for_backward(to_save: variable_list): void {
    this.to_save_ = to_save;
  }

  save_variables(): void {
    const ptr = this.grad_fn_;
    this.saved_variables_ = this.to_save_.map((var_) => {
      const is_output = var_.defined() && var_.grad_fn() === ptr;
      return new SavedVariable(var_, is_output);
    });
    this.to_save_ = [];
  }

  get_saved_variables(): variable_list {
    TORCH_CHECK(!this.has_freed_buffers_, ERR_BACKWARD_TWICE);
    const ptr = this.grad_fn_;
    TORCH_INTERNAL_ASSERT(ptr !== null);
    return this.saved_variables_.map((var_) => var_.unpack(ptr));
  }

  release_variables(): void {
    for (const var_ of this.saved_variables_) var_.reset_data();
    this.saved_variables_ = [];
    this.has_freed_buffers_ = true;
  }

  mark_dirty(inputs: variable_list): void {
    this.dirty_inputs_ = new Set(inputs.map((var_) => var_.impl_));
  }

  mark_non_differentiable(outputs: variable_list): void {
    this.non_differentiable_ = new Set(outputs.map((var_) => var_.impl_));
  }

  /** If false, backward receives undefined tensors for missing gradients, instead of zeros. */
  set_materialize_grads(value: boolean): void {
    this.materialize_grads_ = value;
  }

  get_and_bump_dirty(): ReadonlySet<TensorImpl> {
    for (const impl of this.dirty_inputs_) bump_version(new Tensor(impl));
    return this.dirty_inputs_;
  }

  get_non_differentiable(): ReadonlySet<TensorImpl> {
    return this.non_differentiable_;
  }

  needs_input_grad(output_edge_index: number): boolean {
    const ptr = this.grad_fn_;
    TORCH_INTERNAL_ASSERT(ptr !== null);
    return ptr.task_should_compute_output(output_edge_index);
  }

  set_grad_fn(node: Node): void {
    this.grad_fn_ = node;
  }
}

/** A Function's static methods `forward` and `backward`; it is called through `apply`. */
export interface FunctionDefinition<Args extends unknown[]> {
  readonly name: string;
  forward(ctx: AutogradContext, ...args: Args): Tensor | Tensor[];
  /** Returns one gradient per argument of forward; undefined tensors for arguments that are not tensors. */
  backward(ctx: AutogradContext, grad_outputs: variable_list): variable_list;
}

/** The node of a Function defined below the front end. */
export class CppNode extends Node {
  readonly ctx_ = new AutogradContext();
  is_variable_input_: boolean[] = [];
  output_info_: VariableInfo[] = [];
  private readonly function_: FunctionDefinition<never[]>;

  constructor(fn: FunctionDefinition<never[]>) {
    super();
    this.function_ = fn;
    this.ctx_.set_grad_fn(this);
  }

  name(): string {
    return `torch::autograd::CppNode<${this.function_.name}>`;
  }

  override trace_name(): string {
    return `torch::autograd::CppNode::apply`;
  }

  apply(inputs: variable_list): variable_list {
    const backward_inputs = inputs.map((input, i) =>
      input.defined() || !this.ctx_.materialize_grads_ ? input : this.output_info_[i].zeros(),
    );
    const outputs = this.function_.backward(this.ctx_, backward_inputs);
    const num_forward_inputs = this.is_variable_input_.length;
    while (outputs.length > num_forward_inputs && !outputs[outputs.length - 1].defined()) outputs.pop();
    if (outputs.length !== num_forward_inputs) {
      throw new RuntimeError(
        `function ${this.name()} returned an incorrect number of gradients ` +
          `(expected ${num_forward_inputs}, got ${outputs.length})`,
      );
    }
    const results: variable_list = [];
    for (let i = 0; i < num_forward_inputs; i++) {
      const output = outputs[i];
      if (this.is_variable_input_[i] === true) {
        results.push(output);
      } else if (output.defined()) {
        throw new RuntimeError(
          `function ${this.name()} returned a gradient different that is defined at position ${i + 1}, ` +
            "std the corresponding forward input was not a Variable",
        );
      }
    }
    return results;
  }

  override release_variables(): void {
    this.ctx_.release_variables();
  }
}

/** `Function<T>::apply`. */
export function apply_function<Args extends unknown[]>(fn: FunctionDefinition<Args>, ...args: Args): Tensor[] {
  const node = new CppNode(fn as unknown as FunctionDefinition<never[]>);
  const input_vars: variable_list = [];
  for (const arg of args) {
    const list = Array.isArray(arg) ? arg : [arg];
    for (const element of list) {
      const is_variable = element instanceof Tensor;
      node.is_variable_input_.push(is_variable);
      if (is_variable) input_vars.push(element);
    }
  }
  const is_executable = GradMode.is_enabled() && any_variable_requires_grad(input_vars);
  node.set_next_edges(is_executable ? collect_next_edges(input_vars) : []);
  node.clear_input_metadata();

  const fw_grad_mode = new AutoFwGradMode(false);
  const grad_mode = new AutoGradMode(false);
  let outputs: Tensor | Tensor[];
  try {
    outputs = fn.forward(node.ctx_, ...args);
  } finally {
    grad_mode.restore();
    fw_grad_mode.restore();
  }
  const raw_outputs = Array.isArray(outputs) ? outputs : [outputs];
  const non_differentiable = node.ctx_.get_non_differentiable();
  const dirty_inputs = node.ctx_.get_and_bump_dirty();
  const wrapped_outputs = _wrap_outputs(
    input_vars,
    non_differentiable,
    dirty_inputs,
    raw_outputs,
    is_executable ? node : null,
    new Set(),
    (self) => self.view_as(self),
  ) as Tensor[];
  const said = { raw_outputs, outputs: wrapped_outputs, non_differentiable, dirty_inputs };
  _process_forward_mode_AD(input_vars, said, () => {
    throw new RuntimeError(
      "jvp is not implemented for the c++ API of custom Function yet.Please open a feature request on GitHub if you need this.",
    );
  });
  if (is_executable) {
    node.output_info_ = wrapped_outputs.map((output) => new VariableInfo(output));
    node.ctx_.save_variables();
  }
  return wrapped_outputs;
}
