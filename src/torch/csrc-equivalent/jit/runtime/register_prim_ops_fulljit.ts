/**
 * @file Operators that only the full runtime has: autograd, what the executor puts into graphs, and operations that read the node's attributes.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops_fulljit.cpp
 */

import { get_autocast_dtype, is_autocast_enabled } from "#aten/autocast_mode/index";
import { IValue } from "#aten/core/ivalue";
import { IntType, OptionalType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { drop, last, peek, pop, type Stack } from "#aten/core/stack";
import { tensor_facts } from "#aten/core/tensor_type";
import { sum_to } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { backward, grad } from "#torch/csrc-equivalent/autograd/autograd";
import { JITException } from "./jit_exception.ts";
import { register_operation_creators, register_operations } from "./operator.ts";
import { pop_bool, pop_index, push_bool, push_int } from "./register_ops_utils.ts";
import { pop_tensor, push_tensor } from "./register_prim_ops/tensors.ts";
import { sort_any } from "./sort_any.ts";

// ---- autograd

/** A list of tensors in which None stands for an undefined one; no list at all is an empty one. */
function optional_tensors(value: IValue): Tensor[] {
  if (value.isNone()) return [];
  return value
    .toList()
    .vec()
    .map((item) => (item.isNone() ? new Tensor() : item.toTensor()));
}

const pop_optional_bool = (stack: Stack): boolean | null => pop(stack).payload as boolean | null;

register_operations({
  "aten::grad": (stack) => {
    const allow_unused = pop_bool(stack);
    const create_graph = pop_bool(stack);
    const retain_graph = pop_optional_bool(stack);
    const grad_outputs = optional_tensors(pop(stack));
    const inputs = pop(stack).toTensorList();
    const outputs = pop(stack).toTensorList();
    const gradients = grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused);
    const items = gradients.map((tensor) => (tensor.defined() ? IValue.fromTensor(tensor) : IValue.None));
    stack.push(IValue.fromList(new List(OptionalType.ofTensor(), items)));
  },
  "aten::backward.TensorList": (stack) => {
    const create_graph = pop_bool(stack);
    const retain_graph = pop_optional_bool(stack);
    const grad_tensors = optional_tensors(pop(stack));
    backward(pop(stack).toTensorList(), grad_tensors, retain_graph, create_graph);
  },
  "aten::backward": (stack) => {
    const create_graph = pop_bool(stack);
    const retain_graph = pop_optional_bool(stack);
    const gradient = pop(stack);
    const self = pop_tensor(stack);
    backward([self], gradient.isNone() ? [] : [gradient.toTensor()], retain_graph, create_graph);
  },
});

// ---- undefined tensors: a gradient that is zero is not computed

/** Whether a value is, or holds, a tensor that is not zero. */
function is_nonzero_gradient(value: IValue): boolean {
  if (value.isTensor()) return value.toTensor().defined();
  TORCH_INTERNAL_ASSERT(value.isTensorList(), "a gradient is a tensor or a list of tensors");
  return value.toTensorList().some((tensor) => tensor.defined());
}

function of_gradients(test: (values: readonly IValue[]) => boolean): (stack: Stack) => void {
  return (stack) => {
    const num_inputs = pop_index(stack);
    const result = test(last(stack, num_inputs));
    drop(stack, num_inputs);
    push_bool(stack, result);
  };
}

register_operations({
  "prim::AutogradZero": (stack) => push_tensor(stack, new Tensor()),
  "prim::AutogradAnyNonZero": of_gradients((values) => values.some(is_nonzero_gradient)),
  "prim::AutogradAllZero": of_gradients((values) => values.every((value) => !value.toTensor().defined())),
  "prim::AutogradAllNonZero": of_gradients((values) => values.every((value) => value.toTensor().defined())),
  "prim::AutogradAdd": (stack) => {
    const b = pop(stack);
    const a = pop(stack);
    const [x, y] = [a, b].map((value) => (value.isNone() ? new Tensor() : value.toTensor()));
    push_tensor(stack, !x.defined() ? y : !y.defined() ? x : x.add_Tensor(y));
  },
  "aten::_grad_sum_to_size": (stack) => {
    const size = pop(stack);
    const self = pop_tensor(stack);
    push_tensor(stack, size.isNone() ? self : sum_to(self, size.toIntList()));
  },
});

// ---- sorting lists of any type

register_operations({
  "aten::sort.any": (stack) => {
    const reverse = pop_bool(stack);
    sort_any(pop(stack).toList().vec(), reverse);
  },
  "aten::sorted.any": (stack) => {
    const list = pop(stack).toList();
    const items = [...list.vec()];
    sort_any(items, false);
    stack.push(IValue.fromList(new List(list.elementType(), items)));
  },
});

// ---- autocast

register_operations({
  "aten::is_autocast_enabled": (stack) => push_bool(stack, is_autocast_enabled(DeviceType.CUDA)),
  "aten::is_autocast_cpu_enabled": (stack) => push_bool(stack, is_autocast_enabled(DeviceType.CPU)),
  "aten::get_autocast_dtype": (stack) =>
    push_int(stack, get_autocast_dtype(Device.parse(pop(stack).toStringRef()).type())),
});

// ---- what the interpreter or the executor does itself

/** Operators that never run, and what PyTorch says if one does. */
const replaced: Readonly<Record<string, string>> = {
  "prim::profile": "Must be lowered to Interpreter's PROFILE instruction",
  "prim::profile_ivalue": "Must be lowered to Interpreter's PROFILE instruction",
  "prim::FallbackGraph": "Must be converted to prim::FunctionCall by replaceFallbackGraphWithFallbackFunction",
  "prim::Guard": "Should be replaced by prim::BailOut",
  "prim::BailOut": "prim::BailOut not yet implemented",
  "prim::TypeCheck": "prim::TypeCheck not yet implemented",
  "aten::wait": "wait is implemented directly in the interpreter",
  "prim::awaitable_wait": "await is implemented directly in the interpreter",
  "prim::awaitable_nowait": "await is implemented directly in the interpreter",
  "aten::warn": "warn is implemented directly in the interpreter",
};
for (const [name, message] of Object.entries(replaced))
  register_operations({
    [name]: () => {
      throw new RuntimeError(message);
    },
  });

register_operations({
  "prim::BailoutTemplate": (stack) => push_int(stack, 1),
  "prim::IgnoredPythonOp": () => {
    throw new JITException(
      "This Python function is annotated to be ignored and cannot be and has not been included in the exported" +
        " binary, meaning that it cannot be executed now. Make sure that ignored operations are never executed after import",
    );
  },
  "prim::TimePoint": (stack) => push_int(stack, Math.round(performance.now() * 1e6)),
  "prim::AddStatValue": (stack) => drop(stack, 2),
});

// ---- operations that depend on the node

register_operation_creators({
  /** Whether the inputs need gradients exactly as they did when they were profiled. */
  "prim::RequiresGradCheck": (node) => {
    const expected = node.tys("types").map((type) => tensor_facts(type).requiresGrad);
    return (stack) => {
      const n = expected.length;
      push_bool(
        stack,
        expected.every((requires_grad, i) => peek(stack, i, n).toTensor().requires_grad() === requires_grad),
      );
    };
  },
  "prim::ConstantChunk": (node) => {
    const chunks = node.i("chunks");
    const dim = node.i("dim");
    const outputs_used = node.outputs().map((output) => output.hasUses());
    return (stack) => {
      const result = at.chunk(pop_tensor(stack), chunks, dim);
      const given = result.length;
      TORCH_CHECK(given <= chunks, `Expected chunk to return ${chunks} outputs, but got ${given}`);
      for (const part of result) push_tensor(stack, part);
      for (let i = given; i < chunks; i++) {
        TORCH_CHECK(!outputs_used[i], `Expected chunk to return at least ${chunks} outputs, but got only ${given}`);
        stack.push(IValue.None);
      }
    };
  },
  /** The sizes of all chunks but the last, and of the last. */
  "prim::ChunkSizes": (node) => {
    const raw_dim = node.i("dim");
    const chunks = node.i("chunks");
    return (stack) => {
      const shape = pop(stack).toIntList();
      const dim = maybe_wrap_dim(raw_dim, shape.length);
      const split_size = Math.floor((shape[dim] + chunks - 1) / chunks);
      const num_splits = Math.max(Math.floor((shape[dim] + split_size - 1) / split_size), 1);
      const rest = shape[dim] % chunks === 0 ? split_size : split_size - (split_size * num_splits - shape[dim]);
      for (const size of [split_size, rest]) {
        const sizes = shape.map((s, d) => IValue.fromInt(d === dim ? size : s));
        stack.push(IValue.fromList(new List(IntType, sizes)));
      }
    };
  },
});
