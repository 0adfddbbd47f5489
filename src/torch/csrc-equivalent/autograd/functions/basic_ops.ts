/**
 * @file Small nodes: the root of a backward with several outputs, and nodes that throw or block gradients.
 * @mirrors torch/csrc/autograd/functions/basic_ops.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError } from "#c10/util/Exception";
import { type edge_list, Node, UINT64_MAX, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { type OwningList, undefined_variables } from "#torch/csrc-equivalent/autograd/owning_list";
import { tensor_data } from "#torch/csrc-equivalent/autograd/variable/impl";
import { wrap_outputs } from "./utils.ts";

/** Throws when a gradient reaches it. It runs before all other nodes, so that none of them works in vain. */
export class Error extends Node {
  readonly msg: string;

  constructor(msg: string, next_edges: edge_list = []) {
    super(next_edges, UINT64_MAX);
    this.msg = msg;
  }

  name(): string {
    return "torch::autograd::Error";
  }

  apply(_inputs: variable_list): variable_list {
    throw new RuntimeError(this.msg);
  }
}

/** The node of an operator without a derivative: forward works, backward throws. */
export class NotImplemented extends Error {
  constructor(forward_fn: string, next_edges: edge_list = []) {
    super(`derivative for ${forward_fn} is not implemented`, next_edges);
  }

  override name(): string {
    return "torch::autograd::NotImplemented";
  }
}

/** An identity whose backward throws: for results that may be used but not differentiated. */
export class DelayedError extends Node {
  readonly msg: string;

  constructor(msg: string, num_inputs: number) {
    super();
    this.msg = msg;
    for (let i = 0; i < num_inputs; i++) this.add_undefined_input();
  }

  name(): string {
    return "torch::autograd::DelayedError";
  }

  apply(inputs: variable_list): variable_list {
    const outputs = inputs.map((var_) => (var_.defined() ? tensor_data(var_) : new Tensor()));
    return wrap_outputs(inputs, outputs, (next_edges) => new Error(this.msg, next_edges));
  }
}

/** An identity that passes no gradient on. */
export class UndefinedGrad extends Node {
  constructor() {
    super();
    this.add_undefined_input();
  }

  name(): string {
    return "torch::autograd::UndefinedGrad";
  }

  apply(inputs: variable_list): variable_list {
    const outputs = inputs.map((var_) => (var_.defined() ? tensor_data(var_.clone()) : new Tensor()));
    return wrap_outputs(inputs, outputs, (next_edges) => new UndefinedGradBackward(next_edges));
  }
}

export class UndefinedGradBackward extends Node {
  name(): string {
    return "torch::autograd::UndefinedGradBackward";
  }

  apply(inputs: variable_list): variable_list {
    return undefined_variables(inputs.length);
  }
}

/** The node above several roots: it gives each root the gradient that the caller passed. */
export class GraphRoot extends Node {
  /** The engine clears them at the end of the run. @differs PyTorch's are cleared by a destructor. */
  readonly outputs: OwningList;

  constructor(functions: edge_list, inputs: OwningList) {
    super(functions);
    this.outputs = inputs.copy();
    for (const t of inputs.tensors) {
      if (t.defined()) this.add_input_metadata(t);
      else this.add_undefined_input();
    }
  }

  name(): string {
    return "torch::autograd::GraphRoot";
  }

  apply(_inputs: variable_list): variable_list {
    return [...this.outputs.tensors];
  }
}

export class Identity extends Node {
  name(): string {
    return "torch::autograd::Identity";
  }

  apply(inputs: variable_list): variable_list {
    return inputs;
  }
}
