/**
 * @file Version counters: how backward notices that a saved tensor was changed in place.
 * @mirrors torch/csrc/autograd/saved_variable.cpp
 */

/** Counts the writes into a piece of memory. Tensors that share the memory share the object. */
export class VersionCounter {
  private version_ = 0;

  current_version(): number {
    return this.version_;
  }

  bump(): void {
    this.version_++;
  }
}

/** A tensor as the engine knows it: its counter and its node. The numbers themselves do not matter here. */
export interface Tensor {
  /** Null for an inference tensor, which has no counter. */
  readonly counter: VersionCounter | null;
  /** `torch.FloatTensor [4]`, as errors show it. */
  readonly description: string;
  /** The name of the node that made it; null for a leaf, or outside the graph. */
  readonly grad_fn: string | null;
}

const DESCRIPTION = "torch.FloatTensor [4]";

/** A tensor with memory of its own. */
export function tensor(grad_fn: string | null = null): Tensor {
  return { counter: new VersionCounter(), description: DESCRIPTION, grad_fn };
}

/** A tensor made in inference mode. */
export function inference_tensor(): Tensor {
  return { counter: null, description: DESCRIPTION, grad_fn: null };
}

/** x.view(...), in no_grad: other strides on the same memory. */
export function view(x: Tensor): Tensor {
  // ex:begin(24.shared)
  return { ...x, grad_fn: null };
  // ex:stub
  // return tensor();
  // ex:end
}

/** x.detach(): the same memory, outside the graph. */
export function detach(x: Tensor): Tensor {
  // ex:begin(24.shared)
  return { ...x, grad_fn: null };
  // ex:stub
  // return tensor();
  // ex:end
}

/** x.data: the same memory, outside the graph, and out of sight of the counter: what is written through it is not noticed. */
export function data(x: Tensor): Tensor {
  // ex:begin(24.shared)
  return { ...x, counter: new VersionCounter(), grad_fn: null };
  // ex:stub
  // return tensor();
  // ex:end
}

/** x.clone(), outside inference mode. */
export function clone(_x: Tensor): Tensor {
  return tensor();
}

/** x.add_(1), or any other write into x. */
export function add_(x: Tensor): void {
  // ex:begin(24.counts)
  x.counter?.bump();
  // ex:stub
  // void x;
  // ex:end
}

/** x._version */
export function version(x: Tensor): number {
  // ex:begin(24.inference)
  if (x.counter === null) throw new Error("Inference tensors do not track version counter.");
  return x.counter.current_version();
  // ex:stub
  // return (x.counter as VersionCounter).current_version();
  // ex:end
}

/** A tensor that a node of the graph keeps for backward. */
export class SavedVariable {
  private tensor_: Tensor | null;
  // ex:begin(24.saved)
  private readonly saved_version_: number;
  // ex:stub
  // ex:end

  constructor(x: Tensor) {
    // ex:begin(24.inference)
    if (x.counter === null)
      throw new Error(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
      );
    // ex:stub
    // ex:end
    this.tensor_ = x;
    // ex:begin(24.saved)
    this.saved_version_ = x.counter.current_version();
    // ex:stub
    // ex:end
  }

  /** The tensor, for backward. It refuses if the tensor was written to since it was saved. */
  unpack(): Tensor {
    // ex:begin(24.freed)
    if (this.tensor_ === null)
      throw new Error(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
      );
    // ex:stub
    // ex:end
    // ex:begin(24.saved)
    const { counter, description, grad_fn } = this.tensor_;
    const current = (counter as VersionCounter).current_version();
    if (current !== this.saved_version_) {
      const made = grad_fn === null ? "" : `, which is output 0 of ${grad_fn},`;
      throw new Error(
        `one of the variables needed for gradient computation has been modified by an inplace operation: [${description}]${made} is at version ${current}; expected version ${this.saved_version_} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).`,
      );
    }
    return this.tensor_;
    // ex:stub
    // return this.tensor_ as Tensor;
    // ex:end
  }

  /** After backward has used it. */
  reset_data(): void {
    // ex:begin(24.freed)
    this.tensor_ = null;
    // ex:stub
    // ex:end
  }
}
