/**
 * @file The check of a trace: the function is traced again, and both traces and the function run on the check's inputs.
 * @mirrors torch/jit/_trace.py#_check_trace
 */
import { AssertionError } from "#c10/util/Exception";
import { call, call_with_keywords } from "#python/Objects/call";
import { Exception } from "#python/Objects/exceptions";
import { getattr, str } from "#python/Objects/object";
import { import_module } from "#python/vm/import";
import { THPVariable_Wrap } from "../../_C.ts";
import { Tensor } from "../../_tensor/index.ts";
import torch from "../../index.ts";
import { default_tolerances } from "../../testing/_mismatch.ts";
import { type Graph, jit_passes } from "../_C.ts";
import { _clone_inputs, entries_of } from "./inputs.ts";
import { warn_at } from "./warnings.ts";

function indent(text: string): string {
  return splitlines(text)
    .map((line) => `\t${line}`)
    .join("\n");
}

function splitlines(text: string, keepends = false): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return keepends ? [...lines] : lines.map((line) => line.replace(/\n$/, ""));
}

function ndiff(a: string, b: string): string {
  const lines = call(getattr(import_module("difflib"), "ndiff"), splitlines(a, true), splitlines(b, true));
  return [...(lines as Iterable<string>)].join("");
}

/** The check of a trace failed. */
export class TracingCheckError extends Exception {
  static readonly __module__: string = "torch.jit._trace";

  constructor(graph_diff_error: string | null, tensor_compare_error: string | null, extra_msg: string | null = null) {
    let message = "Tracing failed sanity checks!\n";
    if (extra_msg !== null) message += `${extra_msg}\n`;
    if (graph_diff_error !== null) {
      message += `ERROR: Graphs differed across invocations!\n${indent(graph_diff_error)}\n`;
    }
    if (tensor_compare_error !== null) {
      message += `ERROR: Tensor-valued Constant nodes differed in value across invocations. This often indicates that the tracer has encountered untraceable code.\n${indent(tensor_compare_error)}\n`;
    }
    super(message);
  }
}
Object.defineProperty(TracingCheckError.prototype, "name", {
  value: "TracingCheckError",
  configurable: true,
  writable: true,
});

/** A traced function or method. */
export interface Traced {
  readonly name: string;
  readonly graph: Graph;
}

/** A trace to check, and the options of the check. */
export interface Check {
  readonly func: unknown;
  readonly traced: Traced;
  /** Traces the function again, on these inputs. */
  readonly trace_again: (inputs: unknown) => Traced;
  readonly check_tolerance: number;
  readonly inputs_are_kwargs: boolean;
  /** The line of `torch/jit/_trace.py` from which PyTorch calls its check. */
  readonly line: number;
}

/** The graph without what differs between two traces of one function: names, scopes, shapes. */
function comparable(graph: Graph): { readonly graph: Graph; readonly text: string } {
  const canonical = jit_passes.canonicalize(graph);
  jit_passes.inline(canonical);
  jit_passes.erase_shape_information(canonical);
  return { graph: canonical, text: String(canonical).replace(/___torch_mangle_[0-9]+\./g, "") };
}

type Diagnosis = [graph_diff: string | null, tensor_compare: string | null];

function graph_diagnostic_info(traced: Graph, again: Graph): Diagnosis {
  const [mod, check] = [comparable(traced), comparable(again)];
  const [mod_nodes, check_nodes] = [mod.graph.nodes(), check.graph.nodes()];
  let graph_diff: string | null = null;
  if (mod.text !== check.text) {
    graph_diff = `Graph diff:\n${indent(ndiff(mod.text, check.text))}\n`;
    const pairs = mod_nodes.slice(0, check_nodes.length).map((node, i) => [node, check_nodes[i]] as const);
    const diverging = pairs.find(([a, b]) => String(a) !== String(b));
    if (diverging !== undefined) {
      const [a, b] = diverging;
      graph_diff += `First diverging operator:\nNode diff:\n${indent(ndiff(String(a), String(b)))}\n`;
      if (a.sourceRange().str() !== "") graph_diff += `Trace source location:\n${indent(a.sourceRange().str())}\n`;
      if (b.sourceRange().str() !== "") graph_diff += `Check source location:\n${indent(b.sourceRange().str())}\n`;
    }
  }
  return [graph_diff, tensor_constants_diff(mod.graph, check.graph)];
}

/** The first pair of tensor constants that differ. */
function tensor_constants_diff(mod: Graph, check: Graph): string | null {
  const check_nodes = check.nodes();
  for (const [i, node] of mod.nodes().entries()) {
    const other = check_nodes[i] as (typeof check_nodes)[number] | undefined;
    if (other === undefined || node.kind() !== other.kind()) return null; // the graphs have already diverged
    if (node.kind() !== "prim::Constant" || node.mustBeNone() || other.mustBeNone()) continue;
    if (!node.hasAttribute("value") || node.kindOf("value") !== "t" || other.kindOf("value") !== "t") continue;
    try {
      const [mine, its] = [node.t("value"), other.t("value")].map((tensor) => THPVariable_Wrap(tensor));
      torch.testing.assert_close(mine, its, { equal_nan: true });
    } catch (error) {
      const place = node.sourceRange().str();
      const location = place === "" ? "" : `Source Location:\n${indent(place)}\n`;
      return `Node:\n${indent(String(node))}\n${location}Comparison exception: ${indent(str(error))}`;
    }
  }
  return null;
}

function outputs_of(value: unknown): Tensor[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((out) => out instanceof Tensor);
}

/** Checks a trace on each of several inputs. */
export function _check_trace(check_inputs: Iterable<unknown>, check: Check): void {
  torch.no_grad(() => {
    for (const inputs of check_inputs) check_on(inputs, check);
  });
}

function check_on(given: unknown, check: Check): void {
  const inputs = given instanceof Tensor ? [given] : given;
  const again = check.trace_again(inputs);
  const diagnose = (): Diagnosis => graph_diagnostic_info(check.traced.graph, again.graph);

  const run = (mod: unknown, what: string): Tensor[] => {
    try {
      const keywords = check.inputs_are_kwargs ? (entries_of(inputs) as Iterable<[string, unknown]>) : null;
      if (keywords !== null) return outputs_of(call_with_keywords(mod, [], new Map(keywords)));
      return outputs_of(call_with_keywords(mod, _clone_inputs(inputs) as unknown[], new Map()));
    } catch (error) {
      const message = `encountered an exception while running the ${what} with test inputs.\nException:\n${indent(str(error))}`;
      throw new TracingCheckError(...diagnose(), message);
    }
  };

  let warned = false;
  const warn_nondeterministic = (): void => {
    if (warned) return;
    warned = true;
    const nodes = check.traced.graph.nodes().filter((node) => node.isNondeterministic());
    if (nodes.length === 0) return;
    const lines = nodes.map((node) => indent(String(node))).slice(0, 20);
    warn_at(
      check.line,
      `Trace had nondeterministic nodes. Did you forget call .eval() on your model? Nodes:\n${lines.join("\n")}\nThis may cause errors in trace checking. To disable trace checking, pass check_trace=False to torch.jit.trace()`,
    );
  };

  const compare = (original: readonly Tensor[], reference: readonly Tensor[], what: string): boolean => {
    let all_ok = true;
    for (const [i, orig] of original.slice(0, reference.length).entries()) {
      try {
        compare_tensors(orig, reference[i], check.check_tolerance);
      } catch (error) {
        if (!(error instanceof AssertionError)) throw error;
        warn_nondeterministic();
        warn_at(
          check.line,
          `Output nr ${i + 1}. of the traced function does not match the corresponding output of the ${what}. Detailed error:\n${str(error)}`,
        );
        all_ok = false;
      }
    }
    return all_ok;
  };

  const traced_outs = run(check.traced, "trace");
  const fn_outs = run(check.func, "Python function");
  if (compare(traced_outs, fn_outs, "Python function")) {
    compare(traced_outs, run(again, "repeated trace"), "repeated trace");
  }
  const diagnosis = diagnose();
  if (diagnosis.some((part) => part !== null)) throw new TracingCheckError(...diagnosis);
}

function compare_tensors(orig: Tensor, ref: Tensor, rtol: number): void {
  const is_complex = orig.is_complex() || ref.is_complex();
  const dtype = is_complex ? torch.complex128 : torch.float64;
  const atol = default_tolerances([orig, ref])[1];
  torch.testing.assert_close(orig.to(dtype), ref.to(dtype), { rtol, atol, equal_nan: true });
}
