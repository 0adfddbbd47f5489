/**
 * @file The report of all compilations of a program: `npm run python -- --report report.html script.py`.
 * @original
 * @see torch/_inductor/debug.py, which writes such texts into a folder of files
 */
import "../src/compile.ts";
import { dis } from "../src/python.ts";
import { type CompiledFrame, frame_listeners, recompile_listeners } from "../src/torch/_dynamo/hooks.ts";
import { type CompiledFxGraph, graph_listeners } from "../src/torch/_inductor/compile_fx.ts";
import { ExternKernel } from "../src/torch/_inductor/ir/buffers.ts";
import type { FusedSchedulerNode } from "../src/torch/_inductor/scheduler.ts";
import { get_fused_kernel_name } from "../src/torch/_inductor/utils.ts";
import type { GraphModule } from "../src/torch/fx/graph_module.ts";
import { page, type Shown } from "./compile_report/page.ts";

/** The operator of a call, or the name of a kernel. */
function operators_of({ snodes }: FusedSchedulerNode): string {
  const [{ buffer }] = snodes;
  if (buffer instanceof ExternKernel) return String(buffer.op);
  return get_fused_kernel_name(snodes.flatMap((each) => [...each.origins]));
}

/** Listens from its making until `stop`. */
export class CompileReport {
  private readonly shown: Shown[] = [];
  private readonly forms = new Map<unknown, number>();
  private reasons: readonly string[] = [];
  private readonly on_frame = (frame: CompiledFrame): void => this.add_frame(frame);
  private readonly on_graph = (gm: GraphModule, graph: CompiledFxGraph): void => this.add_program(gm, graph);
  private readonly on_recompile = (_code: unknown, reasons: readonly string[]): void => {
    this.reasons = reasons;
  };

  constructor() {
    frame_listeners.add(this.on_frame);
    graph_listeners.add(this.on_graph);
    recompile_listeners.add(this.on_recompile);
  }

  stop(): void {
    frame_listeners.delete(this.on_frame);
    graph_listeners.delete(this.on_graph);
    recompile_listeners.delete(this.on_recompile);
  }

  /** The report as a document. */
  html(name: string): string {
    return page(name, this.shown);
  }

  private add_frame({ code, out_code, gm, guards, break_reason }: CompiledFrame): void {
    const form = this.forms.get(code) ?? 0;
    this.forms.set(code, form + 1);
    this.shown.push({
      kind: "frame",
      name: code.co_name,
      place: `${code.co_filename}:${code.co_firstlineno}`,
      form,
      reasons: form === 0 ? [] : this.reasons,
      before: dis(code),
      after: dis(out_code),
      graph: gm === null ? null : gm.code.trim(),
      guards: guards.map(({ name: source, kind, code_list, text, stack }) => {
        const last = stack.at(-1);
        return {
          name: source,
          kind,
          code: text?.() ?? code_list.join("\n"),
          line: last === undefined ? "" : `${last.name}:${last.lineno}`,
        };
      }),
      break_reason,
    });
    this.reasons = [];
  }

  private add_program(gm: GraphModule, { code, scheduler }: CompiledFxGraph): void {
    this.shown.push({
      kind: "program",
      graph: gm.code.trim(),
      kernels: scheduler.nodes.map((node) => ({
        buffers: [...node.names].join(", "),
        operators: operators_of(node),
        is_call: node.is_extern,
      })),
      decisions: scheduler.decisions.map(({ nodes: [first, second], why_not }) => ({ first, second, why_not })),
      code: code(),
    });
  }
}
