/**
 * @file The origin of a node, and how passes keep it.
 * @mirrors torch/fx/traceback.py
 */
import { PyDict } from "#python/Objects/dictobject";
import type { Node } from "./node.ts";
import { has_name } from "./qualified_names.ts";

let current_meta: PyDict = new PyDict();
let should_preserve_node_meta = false;

/** Fields of `meta` that a node made while another is interpreted takes over. */
const COPIED = [
  "nn_module_stack",
  "torch_fn",
  "source_fn_stack",
  "original_aten",
  "recompute",
  "ac_graph_id",
  "from_node",
  "quantization_tag",
  "custom",
  "partitioner_tag",
];

const copy_of = (dict: ReadonlyMap<unknown, unknown>): PyDict => {
  const copy = new PyDict();
  for (const [key, value] of dict) copy.set(key, value);
  return copy;
};

export const has_preserved_node_meta = has_name(
  "torch.fx.traceback.has_preserved_node_meta",
  (): boolean => should_preserve_node_meta,
);

export const get_current_meta = has_name("torch.fx.traceback.get_current_meta", (): PyDict => current_meta);

/** Gives a new node the fields of the node that is interpreted. */
export function copy_current_meta(node: Node): void {
  const trace = current_meta.get("stack_trace");
  if (trace !== undefined && trace !== null) node.stack_trace = trace;
  for (const field of COPIED) {
    const value = current_meta.get(field);
    if (value !== undefined) node.meta.set(field, value);
  }
}

let original_aten_is_set = false;

/**
 * While `body` runs, new nodes know that this operator was called: the decompositions inside do not replace it. Without
 * `preserve_node_meta` nothing is noted. (`set_original_aten_op`)
 */
export function with_original_aten<R>(func: unknown, body: () => R): R {
  if (original_aten_is_set || !should_preserve_node_meta) return body();
  const before = current_meta;
  original_aten_is_set = true;
  current_meta = copy_of(current_meta);
  current_meta.set("original_aten", func);
  try {
    return body();
  } finally {
    original_aten_is_set = false;
    current_meta = before;
  }
}

/** A context: `with` in Python, `run` in TypeScript. */
class Context {
  private readonly enter: () => () => void;
  private leave: () => void = () => {};

  constructor(enter: () => () => void) {
    this.enter = enter;
  }

  __enter__(): null {
    this.leave = this.enter();
    return null;
  }

  __exit__(): void {
    this.leave();
  }

  run<R>(body: () => R): R {
    this.__enter__();
    try {
      return body();
    } finally {
      this.__exit__();
    }
  }
}

/** New nodes take over the fields of the node that is interpreted. */
export const preserve_node_meta = has_name(
  "torch.fx.traceback.preserve_node_meta",
  (enable = true): Context =>
    new Context(() => {
      const before = should_preserve_node_meta;
      const meta = copy_of(current_meta);
      should_preserve_node_meta = enable;
      return () => {
        should_preserve_node_meta = before;
        current_meta = meta;
      };
    }),
);

/** While this runs, `node` is the one that is interpreted. */
export const set_current_meta = has_name(
  "torch.fx.traceback.set_current_meta",
  (node: Node): Context =>
    new Context(() => {
      if (!should_preserve_node_meta || node.meta.size === 0) return () => {};
      const before = current_meta;
      current_meta = copy_of(node.meta);
      return () => {
        current_meta = before;
      };
    }),
);

/** Nodes made meanwhile have these entries in `meta["custom"]`. */
export const annotate = has_name(
  "torch.fx.traceback.annotate",
  (annotation_dict: ReadonlyMap<unknown, unknown>): Context =>
    new Context(() => {
      const before = current_meta.get("custom");
      const custom = before instanceof Map ? copy_of(before) : new PyDict();
      for (const [key, value] of annotation_dict) custom.set(key, value);
      current_meta.set("custom", custom);
      return () => {
        if (before === undefined) current_meta.delete("custom");
        else current_meta.set("custom", before);
      };
    }),
);
