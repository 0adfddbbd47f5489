/**
 * @file `torch._dynamo.explain`: the graphs of one call, and why there are several.
 * @mirrors torch/_dynamo/eval_frame.py#explain, torch/_dynamo/backends/debugging.py#ExplainOutput
 */
import { Allocated } from "#python/Objects/allocated";
import { call_with_keywords } from "#python/Objects/call";
import { getattr } from "#python/Objects/object";
import { def } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { name_of } from "#torch/fx/qualified_names";
import { wrapper } from "./compiled_function.ts";
import { optimize, reset, without_hook } from "./eval_frame.ts";
import type { FrameSummary } from "./exc.ts";
import type { Guard as CheckedGuard } from "./guards.ts";
import type { GraphCompileReason as CompileReason } from "./output_graph.ts";

/** A guard as the user sees it. */
export class Guard extends Allocated {
  static readonly __module__ = "torch._guards";
  readonly name: string;
  readonly code_list: readonly string[] | null;
  private readonly kind: string;

  constructor({ name, code_list, kind }: CheckedGuard) {
    super();
    this.name = name;
    this.code_list = code_list.length > 0 ? [...code_list] : null;
    this.kind = kind;
  }
  create_fn_name(): string {
    return this.kind;
  }
}

/** A frame of the program in a reason. */
export class UserFrame extends Allocated {
  static readonly __module__ = "traceback";
  readonly filename: string;
  readonly lineno: number;
  readonly name: string;

  constructor({ filename, lineno, name }: FrameSummary) {
    super();
    this.filename = filename;
    this.lineno = lineno;
    this.name = name;
  }
}

/** Why a graph ended before its frame did. */
export class GraphCompileReason extends Allocated {
  static readonly __module__ = "torch._dynamo.output_graph";
  readonly reason: string;
  readonly user_stack: readonly UserFrame[];
  readonly graph_break: boolean;

  constructor(reason: string, user_stack: readonly FrameSummary[], graph_break: boolean) {
    super();
    this.reason = reason;
    this.user_stack = user_stack.map((it) => new UserFrame(it));
    this.graph_break = graph_break;
  }
}

export class ExplainOutput extends Allocated {
  static readonly __module__ = "torch._dynamo.backends.debugging";
  readonly graphs: GraphModule[] = [];
  graph_count = 0;
  graph_break_count = -1;
  readonly break_reasons: GraphCompileReason[] = [];
  op_count = 0;
  readonly ops_per_graph: unknown[][] = [];
  readonly out_guards: Guard[] = [];
  readonly compile_times = null;

  /** The report that `print` shows. */
  override toString(): string {
    const reasons = this.break_reasons.map(
      ({ reason, user_stack }, i) =>
        `  Break Reason ${i + 1}:\n    Reason: ${reason}\n    User Stack:\n${user_stack.map(({ filename, lineno, name }) => `      <FrameSummary file ${filename}, line ${lineno} in ${name}>\n`).join("")}`,
    );
    const ops = this.ops_per_graph.map(
      (list, i) => `  Ops ${i + 1}:\n${list.map((op) => `    ${name_of(op) ?? String(op)}\n`).join("")}`,
    );
    return `Graph Count: ${this.graph_count}\nGraph Break Count: ${this.graph_break_count}\nOp Count: ${this.op_count}\nBreak Reasons:\n${reasons.join("")}Ops per Graph:\n${ops.join("")}Out Guards:\n${this.out_guards.map((it) => `  ${it.name} ${it.create_fn_name()}\n`).join("")}`;
  }
}

/** Runs `f` once with a backend that keeps the graphs. */
export const explain = def("explain(f, *extra_args, **extra_kwargs)", (f: unknown): unknown =>
  wrapper(f, (args, kwargs) => {
    reset();
    const found = new ExplainOutput();
    const compiled = optimize(
      f,
      {
        compiler_fn: (gm) => {
          found.graphs.push(gm);
          const { compile_subgraph_reason: why } = gm as unknown as { compile_subgraph_reason: CompileReason };
          if (why.graph_break) found.break_reasons.push(new GraphCompileReason(why.reason, why.user_stack, true));
          const ops = [...gm.graph.nodes].filter((node) => node.op === "call_function").map((node) => node.target);
          found.ops_per_graph.push(ops);
          found.op_count += ops.length;
          return without_hook(getattr(gm, "forward"));
        },
        backend_name: "explain",
        one_graph: false,
        recompile_limit: null,
        dynamic: null,
        guard_fail_fn: null,
        on_compile: (guards) =>
          void found.out_guards.push(
            ...guards.filter(({ kind }) => kind !== "NO_TENSOR_ALIASING").map((it) => new Guard(it)),
          ),
      },
      found,
    );
    call_with_keywords(compiled, args, kwargs);
    found.graph_count = found.graphs.length;
    found.graph_break_count = found.graph_count - 1;
    reset();
    return found;
  }),
);
