/**
 * @file `unimplemented`: how the translator says that it cannot follow the program, with a reason and with hints.
 * @mirrors torch/_dynamo/exc.py#unimplemented
 */
import { Unsupported } from "./exc.ts";
import { GRAPH_BREAK_IDS } from "./generated/graph_break_registry.ts";

/** Everything that is known about a graph break. */
export interface GraphBreak {
  /** A short name without anything of this program. */
  readonly gb_type: string;
  /** A text for developers of the translator. */
  readonly context: string;
  readonly explanation: string;
  readonly hints: readonly string[];
  readonly skip_frame?: boolean;
  readonly from_exc?: unknown;
}

/** Lines behind the first are indented, blank ones stay. */
const indented = (text: string): string => text.replace(/\n(?=[^\n])/g, "\n    ");

export function format_graph_break_message({ gb_type, context, explanation, hints }: GraphBreak): string {
  const lines = hints.map((hint) => `  Hint: ${indented(hint)}`).join("\n");
  const id = GRAPH_BREAK_IDS[gb_type];
  const link =
    id === undefined
      ? ""
      : `\n\n For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/${id.toLowerCase()}.html`;
  return `${gb_type}\n  Explanation: ${indented(explanation)}\n${lines}\n\n  Developer debug context: ${indented(context)}${link}`;
}

/** An operator whose result is no tensor and depends on values. */
export const data_dependent = (operator: string): GraphBreak => ({
  gb_type: "Data dependent operator",
  context: operator,
  explanation: `Operator \`${operator}\` has a non-Tensor output whose value is dependent on the data of Tensor inputs.`,
  hints: [],
});

/** An operator whose result has a size that depends on values. */
export const dynamic_shape = (operator: string): GraphBreak => ({
  gb_type: "Dynamic shape operator",
  context: operator,
  explanation: `Operator \`${operator}\`'s output shape depends on input Tensor data.`,
  hints: [
    "Enable tracing of dynamic shape operators with `torch._dynamo.config.capture_dynamic_output_shape_ops = True`",
  ],
});

/** @throws {Unsupported} always */
export function unimplemented(given: GraphBreak): never {
  const msg = format_graph_break_message(given);
  const { from_exc, gb_type, skip_frame = false } = given;
  const both =
    from_exc instanceof Unsupported
      ? `${from_exc.msg}\n\n*** While handling this graph break, another graph break occurred: ***\n\n${msg}`
      : msg;
  const error = new Unsupported(both, gb_type, skip_frame);
  if (from_exc instanceof Unsupported) error.real_stack = from_exc.real_stack;
  throw error;
}
