/**
 * @file Shared by the variables of operators with functions as arguments: their names, and the meaning of a refusal inside of a function.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#TorchHigherOrderOperatorVariable
 */
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { UncapturedHigherOrderOpError, Unsupported } from "../../exc.ts";
import { format_graph_break_message } from "../../graph_break.ts";
import { ObservedException } from "../../observed.ts";
import type { Source } from "../../source.ts";
import { type Kwargs, ObjectVariable, type Translator, type VariableTracker } from "../base.ts";

/** Puts the operator's name before the explanation. */
function with_hop_name(message: string, name: string): string {
  const at = message.indexOf("\n  Explanation:");
  const line = `\n  Higher Order Operator: ${name}`;
  return at === -1 ? `${message}${line}` : `${message.slice(0, at)}${line}${message.slice(at)}`;
}

/** The text of what went wrong while a function was followed. */
function text_of(error: Unsupported | ObservedException): string {
  if (error instanceof Unsupported) return error.msg;
  const { name, message } = error.exception;
  const bound = /^(.*)\(\) (?:takes|missing|got)/.exec(message);
  if (name !== "TypeError" || bound === null) return `${name}: ${message}`;
  return format_graph_break_message({
    gb_type: "failed to bind arguments when attempting to inline",
    context: message,
    explanation: `Argument mismatch when attempting to trace function ${(bound[1] as string).split(".").at(-1)}.`,
    hints: [],
  });
}

/**
 * Runs what follows the functions of an operator that works only if all of them are captured.
 * @throws {UncapturedHigherOrderOpError} instead of a graph break
 */
export function captured_completely<R>(hop_name: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Unsupported || error instanceof ObservedException)) throw error;
    if (error instanceof Unsupported) error.remove_from_stats();
    throw new UncapturedHigherOrderOpError(
      with_hop_name(
        `This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph break/error:\n\n${text_of(error)}`,
        hop_name,
      ),
    );
  }
}

/** Runs what follows the functions of an operator; a graph break inside of them ends the graph before the call. */
export function with_hop_context<R>(hop_name: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    // The reason of a break does not name the operator, the error does.
    if (error instanceof Unsupported && !error.message.includes("\n  Higher Order Operator: "))
      error.message = with_hop_name(error.message, hop_name);
    throw error;
  }
}

/** A function of the library that takes functions and becomes one node with their graphs. */
export abstract class TorchHigherOrderOperatorVariable extends ObjectVariable {
  override readonly value: unknown;

  constructor(value: unknown, source: Source | null) {
    super(source);
    this.value = value;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  abstract override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker;
}
