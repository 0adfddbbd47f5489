import { expect, test } from "vitest";
import { autograd_codegen, block, committed, recorded } from "./generated.ts";

/** One unseen operator of each kind. */
const NATIVE = `
- func: wobble(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: wobble.out
  variants: function, method
- func: wobble_(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  structured_delegate: wobble.out
  variants: method
- func: wobble.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: wobble_out
- func: every_other(Tensor(a) self, int dim, SymInt[] size) -> Tensor(a)
  variants: function, method
  dispatch:
    CompositeExplicitAutograd: every_other
- func: every_other_(Tensor(a!) self, int dim, SymInt[] size) -> Tensor(a!)
  variants: method
  tags: inplace_view
  dispatch:
    CompositeExplicitAutograd: every_other_
- func: halves(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  dispatch:
    CompositeExplicitAutograd: halves
- func: mix(Tensor[] tensors, Tensor? weight, Tensor?[] masks, int dim) -> (Tensor mixed, Tensor where)
  dispatch:
    CPU: mix
- func: nothing_known(Tensor self) -> Tensor
  dispatch:
    CPU: nothing_known
- func: how_many(Tensor self) -> int
  dispatch:
    CPU: how_many
- func: made_of_others(Tensor self) -> Tensor
- func: my_grid(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: my_grid
`;
const DERIVATIVES = `
- name: wobble(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  self: at::where(self >= other, grad * result, at::scalar_tensor(alpha, grad.options()))
  other: (-grad * self).sum_to_size_symint(other.sym_sizes())
- name: every_other(Tensor(a) self, int dim, SymInt[] size) -> Tensor(a)
  self: grad.reshape_symint(self.sym_sizes())
- name: halves(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  self: at::cat(grads, dim)
- name: mix(Tensor[] tensors, Tensor? weight, Tensor?[] masks, int dim) -> (Tensor mixed, Tensor where)
  tensors: cat_tensors_backward(grad, to_args_sizes_symint(tensors), to_args_scalartypes(tensors), dim)
  weight: grad.index(masks).sum()
  masks: non_differentiable
`;
const made = autograd_codegen({ native: NATIVE, derivatives: DERIVATIVES });

test("a functional operator: unpack, node, saved values, guard, redispatch, history, saved outputs, in PyTorch's order", () => {
  expect(block(made.VariableType, "function wobble(")).toBe(
    `function wobble(ks: DispatchKeySet, self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  unpack(self, "self", 0); unpack(other, "other", 1);
  const _any_requires_grad = compute_requires_grad2(self, other);
  let grad_fn: WobbleBackward0 | null = null;
  if (_any_requires_grad) {
    grad_fn = new WobbleBackward0();
    grad_fn.set_next_edges(collect_next_edges(self, other));
    grad_fn.alpha = alpha;
    if (grad_fn.should_compute_output(0)) grad_fn.other_ = new SavedVariable(other, false);
    grad_fn.other_sym_sizes = other.sizes();
    grad_fn.self_ = new SavedVariable(self, false);
    if (tracer !== null) trace_node(grad_fn);
  }
  let result: Tensor;
  if (any_forward_level && (isFwGradDefined(self) || isFwGradDefined(other))) {
    result = run_jit_decomposition_with_args_for_jvp("wobble", "aten::wobble", [self, other, alpha]) as Tensor;
  } else {
    const guard = new AutoDispatchBelowADInplaceOrView();
    try { result = _ops.wobble.redispatch(ks.and(after_autograd_keyset), self, other, alpha); } finally { guard.restore(); }
  }
  if (grad_fn !== null) {
    set_history(result, grad_fn);
    grad_fn.result_ = new SavedVariable(result, true);
  }
  return result;
}`,
  );
});

test("its node: arguments of a call run from the last to the first", () => {
  const node = block(made.Functions, "export class WobbleBackward0");
  const lines = [
    "arg_0 = at.scalar_tensor(alpha, grad.options());",
    "arg_1 = grad.mul_Tensor(result);",
    "arg_2 = self.ge_Tensor(other);",
    "at.where_self(arg_2, arg_1, arg_0);",
  ];
  const positions = lines.map((line) => node.indexOf(line));
  expect(positions.every((p) => p > 0)).toBe(true);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(node.indexOf("if (needs_other")).toBeLessThan(node.indexOf("if (needs_self")); // formulas by name, as PyTorch sorts them
  expect(node).toContain("const result = this.result_.unpack(this);");
  expect(node).toContain('  override name(): string { return "WobbleBackward0"; }\n');
  expect(node).toContain("this.self_.reset_data();");
  expect(node).toContain("  get _raw_saved_self(): SavedVariable { return this.self_; }\n");
  expect(node).toContain("get _saved_other_sym_sizes(): (number | bigint)[]");
});

test("the in-place variant shares the node and saves what it is about to overwrite", () => {
  const kernel = block(made.VariableType, "function wobble_(");
  expect(kernel.indexOf("check_inplace(self, _any_requires_grad);")).toBeGreaterThan(
    kernel.indexOf("compute_requires_grad"),
  );
  expect(kernel).toContain("original_self ??= self.clone();");
  expect(kernel).toContain("new SavedVariable(original_self, false)");
  expect(kernel).toContain("new AutoDispatchBelowAutograd()");
  expect(kernel).toContain("rebase_history(self, grad_fn);");
  expect(kernel).toContain("grad_fn.result_ = new SavedVariable(self, true, self.is_view());");
  expect(block(made.ADInplaceOrViewType, "function wobble_(")).toContain("increment_version(self);");
});

test("out: nobody may want a gradient of what is written", () => {
  const kernel = block(made.VariableType, "function wobble_out_out(");
  expect(kernel).toContain('if (compute_requires_grad2(self, other)) throw_error_out_requires_grad("wobble");');
  expect(kernel).toContain('if (compute_requires_grad1(out)) throw_error_out_requires_grad("wobble");');
  expect(kernel).not.toContain("grad_fn");
  expect(block(made.ADInplaceOrViewType, "function wobble_out_out(")).toContain("increment_version(out);");
});

test("a view: as_view under ADInplaceOrView, a class that can repeat it, an in-place form that keeps its history", () => {
  const view = block(made.ADInplaceOrViewType, "function every_other(");
  expect(view).toContain("const func = needs_view_func(self) ? new EveryOtherViewFunc(dim, size) : null;");
  expect(view).toContain("return as_view(self, _tmp, true, true, func, creation_meta_in_mode(CreationMeta.DEFAULT));");
  expect(block(made.ViewFuncs, "export class EveryOtherViewFunc")).toContain(
    "return _ops.every_other.call(input_base, this.dim, this.size);",
  );
  expect(block(made.VariableType, "function every_other_(")).toContain("set_history(self, grad_fn);");
});

test("a view that gives several: each is marked", () => {
  const view = block(made.ADInplaceOrViewType, "function halves(");
  expect(view).toContain("new HalvesViewFunc(dim, view_idx)");
  expect(view).toContain("creation_meta_in_mode(CreationMeta.MULTI_OUTPUT_NODE)");
  expect(block(made.VariableType, "function halves(")).toContain("set_history(flatten_tensor_args(result), grad_fn);");
});

test("lists and optionals: slots by length, saved lists, an undifferentiable argument, only the first output", () => {
  const kernel = block(made.VariableType, "function mix(");
  expect(kernel).toContain("compute_requires_grad1(weight) || compute_requires_grad_list(tensors)");
  expect(kernel).toContain("grad_fn.masks_ = make_saved_variable_list(masks);");
  expect(kernel).toContain("grad_fn.tensors_size_ = tensors.length;");
  expect(kernel).toContain("set_history(mixed, grad_fn);");
  expect(kernel).not.toContain('"masks"');
  const node = block(made.Functions, "export class MixBackward0");
  expect(node).toContain("const tensors_ix = gen.range(this.tensors_size_);");
  expect(node).toContain("TORCH_CHECK(!this.masks_released_, ERR_BACKWARD_TWICE);");
  expect(node).toContain("copy_range(grad_inputs, tensors_ix, cat_tensors_backward(");
});

test("without a formula: the shared kernel that fails in backward, or one that only passes on", () => {
  expect(made.VariableType).toContain('m.impl("nothing_known", autogradNotImplementedFallback());');
  expect(block(made.VariableType, "function how_many(")).not.toContain("grad_fn");
  expect(made.VariableType).not.toContain('m.impl("made_of_others"');
});

test("a factory of the C++ frontend sets requires_grad itself", () => {
  expect(block(made.variable_factories, "export function my_grid(")).toContain(
    "make_variable(at.my_grid(size, options.requires_grad(null)), options.requires_grad())",
  );
});

test("every node has PyTorch's name and lets users read what PyTorch's does", () => {
  const { nodes } = recorded<{ nodes: Record<string, string[]> }>("autograd/nodes");
  const text = committed("Functions");
  const classes = [...text.matchAll(/^export class (\w+) extends [\s\S]*?^}/gm)];
  expect(classes.length).toBeGreaterThan(130);
  for (const [body, name] of classes) {
    const getters = [...body.matchAll(/^ {2}get (\w+)\(/gm)].map((m) => m[1]).sort();
    // PyTorch makes no Python class of a node that it makes from the formulas of the operator on one tensor.
    const made_for_lists = /^Foreach\w+Backward\d+(Scalar|List|ScalarList|Tensor)?$/.test(name) && !(name in nodes);
    expect([name, getters]).toEqual([name, made_for_lists ? [] : nodes[name]]);
  }
});

/** PyTorch gives these a kernel for nested tensors, so they get an autograd kernel too; here they are composites. */
const COMPOSITE_HERE = new Set([
  "aten::chunk",
  "aten::linear",
  "aten::matmul",
  "aten::matmul.out",
  "aten::narrow",
  "aten::value_selecting_reduction_backward",
]);

test("registrations for Autograd and ADInplaceOrView are PyTorch's", () => {
  type Registration = [key: string, alias: boolean, fallthrough: boolean, active: boolean, file: string];
  const { ops } = recorded<{ ops: Record<string, { registrations: Registration[] }> }>("dispatch/operators");
  const manual = ["aten::copy_", "aten::detach", "aten::detach_", "aten::resize_"];
  const registered = (text: string) => new Set([...text.matchAll(/m\.impl\("([^"]+)"/g)].map((m) => `aten::${m[1]}`));
  const ours = {
    Autograd: registered(committed("VariableType")),
    ADInplaceOrView: registered(committed("ADInplaceOrViewType")),
  };
  const known = new Set([...ours.Autograd, ...ours.ADInplaceOrView]);
  for (const [name, { registrations }] of Object.entries(ops)) {
    if (COMPOSITE_HERE.has(name) || manual.includes(name)) continue;
    for (const key of ["Autograd", "ADInplaceOrView"] as const) {
      const theirs = registrations.some(
        ([k, , , , file]) => k === key && /^(?:VariableType|ADInplaceOrViewType)/.test(file),
      );
      if (!theirs || known.has(name)) expect([name, key, ours[key].has(name)]).toEqual([name, key, theirs]);
    }
  }
});
