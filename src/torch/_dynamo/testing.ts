/**
 * @file Backends that count.
 * @mirrors torch/_dynamo/testing.py
 */
import { Allocated } from "#python/Objects/allocated";
import { getattr } from "#python/Objects/object";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { lookup_backend } from "./backends/registry.ts";

/** Counts graphs and their operations, and runs the graphs as they are. */
export class CompileCounter extends Allocated {
  static readonly __module__ = "torch._dynamo.testing";
  frame_count = 0;
  op_count = 0;

  static {
    def_methods(CompileCounter, { __call__: "(self, gm, example_inputs)", clear: "(self)" });
  }
  __call__(gm: GraphModule, _inputs: unknown): unknown {
    this.frame_count++;
    this.op_count += [...gm.graph.nodes].filter((node) => node.op.startsWith("call_")).length;
    return getattr(gm, "forward");
  }
  clear(): void {
    this.frame_count = 0;
    this.op_count = 0;
  }
}

const CounterWithBackend_init = new Init(
  "CompileCounterWithBackend.__init__(self, backend)",
  types<[backend: unknown]>,
);

/** Counts, and lets another backend compile. */
export class CompileCounterWithBackend extends Allocated {
  static readonly __module__ = "torch._dynamo.testing";
  frame_count = 0;
  op_count = 0;
  readonly backend: unknown;
  readonly graphs: GraphModule[] = [];

  static {
    def_methods(CompileCounterWithBackend, {
      __init__: CounterWithBackend_init,
      __call__: "(self, gm, example_inputs)",
      clear: "(self)",
    });
  }
  constructor(...given: InitArgs<typeof CounterWithBackend_init>) {
    super();
    [this.backend] = CounterWithBackend_init.bind(given);
  }
  __call__(gm: GraphModule, inputs: unknown): unknown {
    this.frame_count++;
    this.op_count += [...gm.graph.nodes].filter((node) => node.op.startsWith("call_")).length;
    this.graphs.push(gm);
    return lookup_backend(this.backend).fn(gm, inputs as unknown[]);
  }
  clear(): void {
    this.frame_count = 0;
    this.op_count = 0;
    this.graphs.length = 0;
  }
}
