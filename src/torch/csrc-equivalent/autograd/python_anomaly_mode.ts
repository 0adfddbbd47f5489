/**
 * @file Anomaly metadata that users can read and write: `grad_fn.metadata` is its dictionary.
 * @mirrors torch/csrc/autograd/python_anomaly_mode.h
 */
import { TORCH_WARN } from "#c10/util/Exception";
import { AnomalyMetadata, capture_stack } from "./anomaly_mode.ts";
import type { Node } from "./node.ts";
import { functionToPyObject } from "./python_cpp_function.ts";

export class PyAnomalyMetadata extends AnomalyMetadata {
  static readonly ANOMALY_TRACE_KEY = "traceback_";
  static readonly ANOMALY_PARENT_KEY = "parent_";

  private readonly dict_ = new Map<unknown, unknown>();

  override store_stack(): void {
    this.dict_.set(PyAnomalyMetadata.ANOMALY_TRACE_KEY, capture_stack());
  }

  override print_stack(current_node_name: string): void {
    const trace = this.dict_.get(PyAnomalyMetadata.ANOMALY_TRACE_KEY);
    _print_stack(trace, current_node_name, false);
    let pyparent = this.dict_.get(PyAnomalyMetadata.ANOMALY_PARENT_KEY) as ParentNode | undefined;
    while (pyparent !== undefined) {
      _print_stack(pyparent.metadata.get(PyAnomalyMetadata.ANOMALY_TRACE_KEY), pyparent.name(), true);
      pyparent = pyparent.metadata.get(PyAnomalyMetadata.ANOMALY_PARENT_KEY) as ParentNode | undefined;
    }
  }

  override assign_parent(parent_node: Node | null): void {
    if (parent_node !== null) this.dict_.set(PyAnomalyMetadata.ANOMALY_PARENT_KEY, functionToPyObject(parent_node));
  }

  dict(): Map<unknown, unknown> {
    return this.dict_;
  }
}

interface ParentNode {
  readonly metadata: ReadonlyMap<unknown, unknown>;
  name(): string;
}

function _print_stack(stack: unknown, current_node_name: string, is_parent: boolean): void {
  if (stack === undefined) {
    TORCH_WARN(
      `Error detected in ${current_node_name}. No forward pass information available. ` +
        "Enable detect anomaly during forward pass for more information.",
    );
  } else if (is_parent) {
    TORCH_WARN(
      `\n\nPrevious calculation was induced by ${current_node_name}. ` +
        `Traceback of forward call that induced the previous calculation:\n${String(stack)}`,
    );
  } else {
    TORCH_WARN(
      `Error detected in ${current_node_name}. Traceback of forward call that caused the error:\n${String(stack)}`,
    );
  }
}
