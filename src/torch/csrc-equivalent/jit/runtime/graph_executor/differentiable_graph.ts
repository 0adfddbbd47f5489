/**
 * @file Runs `prim::DifferentiableGraph`: forward on detached tensors, and one node of autograd for the whole graph.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp#DifferentiableGraphOp
 *
 * The mechanism in miniature: the inputs that need gradients become edges of a new node; what backward needs is saved in the node; forward
 * runs; the results get the node as their `grad_fn`. When gradients reach the node, it runs the graph of backward with an executor of its
 * own, which profiles and optimizes like any other.
 */
import { IValue } from "#aten/core/ivalue";
import { TensorType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { last, pop, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import { isFloatingType } from "#c10/core/ScalarType";
import { INVALID_EDGE } from "#torch/csrc-equivalent/autograd/edge";
import { create_gradient_edge } from "#torch/csrc-equivalent/autograd/function";
import { Node as AutogradNode, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { registerCppFunction, THPCppFunction } from "#torch/csrc-equivalent/autograd/python_cpp_function";
import { SavedVariable } from "#torch/csrc-equivalent/autograd/saved_variable";
import { gradient_edge } from "#torch/csrc-equivalent/autograd/variable/impl";
import type { Graph, Node } from "../../ir/ir.ts";
import { Gradient } from "../autodiff.ts";
import { InterpreterState } from "../interpreter.ts";
import { type Operation, register_operation_creators } from "../operator.ts";
import { executors_of_differentiable_graph } from "./executors_of_differentiable_graph.ts";
import { executor_factory, type GraphExecutorImplBase } from "./index.ts";

function tensorList(tensors: readonly Tensor[]): IValue {
  return IValue.fromList(
    new List(
      TensorType,
      tensors.map((tensor) => IValue.fromTensor(tensor)),
    ),
  );
}

/** A value that backward needs. A list of tensors is saved tensor by tensor, so that nobody can change it in between. */
type Capture = SavedVariable | readonly SavedVariable[] | IValue;

export class DifferentiableGraphBackward extends AutogradNode {
  private readonly executor: GraphExecutorImplBase;
  private readonly captures_: Capture[] = [];
  /** How the incoming gradients become arguments: null for a tensor, a length for a list of tensors. */
  private readonly input_instructions_: (number | null)[] = [];

  constructor(executor: GraphExecutorImplBase) {
    super();
    this.executor = executor;
  }

  name(): string {
    return "torch::jit::(anonymous namespace)::DifferentiableGraphBackward";
  }

  apply(inputs: variable_list): variable_list {
    const stack: Stack = [];
    let position = 0;
    for (const length of this.input_instructions_) {
      if (length === null) stack.push(IValue.fromTensor(inputs[position++]));
      else {
        stack.push(tensorList(inputs.slice(position, position + length)));
        position += length;
      }
    }
    for (const capture of this.captures_) stack.push(this.unpack(capture));
    this.executor.run(stack);
    const outputs: Tensor[] = [];
    for (const value of pop(stack).toTuple()) {
      if (value.isTensorList()) for (const tensor of value.toTensorList()) this.produceOutput(tensor, outputs);
      else if (value.isTensor()) this.produceOutput(value.toTensor(), outputs);
      else outputs.push(new Tensor()); // an input without a gradient, `other` of expand_as
    }
    return outputs;
  }

  private unpack(capture: Capture): IValue {
    if (capture instanceof SavedVariable) return IValue.fromTensor(capture.unpack(this));
    if (capture instanceof IValue) return capture;
    return tensorList(capture.map((variable) => variable.unpack(this)));
  }

  private produceOutput(output: Tensor, outputs: Tensor[]): void {
    const i = outputs.length;
    const { function: next, input_nr } = this.next_edge(i);
    if (next === null) outputs.push(new Tensor());
    else outputs.push(output.defined() ? output : next.input_metadata(input_nr).zeros_like());
  }

  capture(value: IValue, is_output: boolean): void {
    const save = (tensor: Tensor): SavedVariable => new SavedVariable(tensor, is_output);
    if (value.isTensor()) this.captures_.push(save(value.toTensor()));
    else if (value.isTensorList()) this.captures_.push(value.toTensorList().map(save));
    else this.captures_.push(value);
  }

  /** An input of forward gets a gradient. */
  addOutputForIValue(value: IValue): void {
    const tensors = value.isTensorList() ? value.toTensorList() : [value.toTensor()];
    for (const tensor of tensors) this.add_next_edge(tensor.defined() ? gradient_edge(tensor) : INVALID_EDGE);
  }

  private addInputVariable(output: Tensor): void {
    // Whether a result needs a gradient was only guessed, so it may be one of integers.
    if (!isFloatingType(output.scalar_type())) {
      this.add_undefined_input();
      return;
    }
    create_gradient_edge(output, this);
    output.set_requires_grad(true);
  }

  /** A result of forward brings a gradient. */
  addInputIValue(value: IValue): void {
    if (value.isTensorList()) {
      const tensors = value.toTensorList();
      this.input_instructions_.push(tensors.length);
      for (const tensor of tensors) this.addInputVariable(tensor);
    } else if (value.isTensor()) {
      this.input_instructions_.push(null);
      this.addInputVariable(value.toTensor());
    }
  }
}

/** Python has no class of its own for this node. */
class CppFunction extends THPCppFunction {}
registerCppFunction(DifferentiableGraphBackward, CppFunction);

function detach(value: IValue): IValue {
  const detached = (tensor: Tensor): Tensor => (tensor.defined() ? tensor.detach() : tensor);
  if (value.isTensor()) return IValue.fromTensor(detached(value.toTensor()));
  return value.isTensorList() ? tensorList(value.toTensorList().map(detached)) : value;
}

class DifferentiableGraphOp {
  private readonly grad: Gradient;
  readonly f: GraphExecutorImplBase;
  readonly df: GraphExecutorImplBase;

  constructor(grad: Gradient) {
    this.grad = grad;
    this.f = executor_factory.make(grad.f, "<forward op>");
    this.df = executor_factory.make(grad.df, "<backward op>");
  }

  run(stack: Stack): void {
    const { grad } = this;
    const node = new DifferentiableGraphBackward(this.df);
    const inputs = last(stack, grad.f.inputs().length);
    for (const i of grad.df_output_vjps) node.addOutputForIValue(inputs[i]);
    for (const i of grad.df_input_captured_inputs) node.capture(inputs[i], false);
    stack.splice(stack.length - inputs.length, inputs.length, ...inputs.map(detach));
    new InterpreterState(this.f.getPlanFor(stack, null).code).run(stack);
    const outputs = last(stack, grad.f.outputs().length);
    for (const i of grad.df_input_vjps) node.addInputIValue(outputs[i]);
    for (const i of grad.df_input_captured_outputs) node.capture(outputs[i], true);
    stack.length -= outputs.length - grad.f_real_outputs; // the temporaries
  }
}

/** Writes graphs and lists of a gradient into a node. */
export function packGradient(gradient: Gradient, node: Node): void {
  node
    .g_("Subgraph", gradient.f)
    .g_("ReverseSubgraph", gradient.df)
    .i_("f_real_outputs", gradient.f_real_outputs)
    .is_("df_input_vjps", gradient.df_input_vjps)
    .is_("df_input_captured_inputs", gradient.df_input_captured_inputs)
    .is_("df_input_captured_outputs", gradient.df_input_captured_outputs)
    .is_("df_output_vjps", gradient.df_output_vjps);
}

register_operation_creators({
  "prim::DifferentiableGraph": (node) => {
    const gradient = new Gradient(node.g("Subgraph") as Graph);
    gradient.df = node.g("ReverseSubgraph") as Graph;
    gradient.f_real_outputs = node.i("f_real_outputs");
    gradient.df_input_vjps.push(...node.is("df_input_vjps"));
    gradient.df_input_captured_inputs.push(...node.is("df_input_captured_inputs"));
    gradient.df_input_captured_outputs.push(...node.is("df_input_captured_outputs"));
    gradient.df_output_vjps.push(...node.is("df_output_vjps"));
    const op = new DifferentiableGraphOp(gradient);
    const operation: Operation = (stack) => op.run(stack);
    executors_of_differentiable_graph.set(operation, op);
    return operation;
  },
});
