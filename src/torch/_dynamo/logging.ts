/**
 * @file Messages about recompilations, on the program's standard error.
 * @mirrors torch/_dynamo/guards.py#get_and_maybe_log_recompilation_reasons
 */

import { getattr } from "#python/Objects/object";
import type { Frame } from "#python/vm/frame";
import { import_module } from "#python/vm/import";
import { source_line } from "#python/vm/traceback";
import { call_function } from "#torch/fx/callables";
import type { ExtraState } from "./_C.ts";
import { config } from "./config.ts";
import type { FrameSummary } from "./exc.ts";
import { unimplemented } from "./graph_break.ts";
import type { CheckFunctionManager, Guard } from "./guards.ts";
import { GuardFail, type Hooks, recompile_listeners } from "./hooks.ts";

/** Kinds of messages that are written; `torch._logging.set_logs` sets them. */
export const logs = { recompiles: false };

function write(text: string): void {
  const file = getattr(import_module("sys"), "stderr");
  call_function(getattr(file, "write"), [text]);
}

/** The line of the program that made a guard, behind its condition. */
function place_text(stack: readonly FrameSummary[]): string {
  const last = stack.at(-1);
  if (last === undefined) return "";
  const line = source_line(last.filename, last.lineno)?.trim() ?? "";
  const file = last.filename.split("/").slice(-3).join("/");
  return `  # ${line}  # ${file}:${last.lineno} in ${last.name}`;
}
function stack_lines(stack: readonly FrameSummary[]): string[] {
  return [
    "User stack trace:",
    ...stack.flatMap(({ filename, lineno, name }) => [
      `  File "${filename}", line ${lineno}, in ${name}`,
      `    ${source_line(filename, lineno)?.trim() ?? ""}`,
    ]),
  ];
}

/** Why a compiled form was not used. */
export function reason_of(guard: Guard, frame: Frame): string[] {
  const reason = guard.reason(frame);
  const is_condition = guard.kind !== "TENSOR_MATCH" && guard.stack.length > 0;
  return is_condition ? [`${reason}${place_text(guard.stack)}`, ...stack_lines(guard.stack)] : [reason];
}

/** Says why a frame is compiled again: in the log, and to `guard_fail_fn`. */
export function log_recompile(frame: Frame, state: ExtraState, { guard_fail_fn }: Hooks): void {
  const { co_name, co_filename, co_firstlineno } = frame.f_code;
  const lines: string[] = [];
  const reasons: string[] = [];
  for (const entry of state.cache_entry_list) {
    const failed = (entry.check_fn as CheckFunctionManager).failed(frame);
    if (failed === null) continue;
    const [first, ...rest] = reason_of(failed, frame);
    const reason = [`${state.frame_id}/${entry.frame_compile_id}: ${first}`, ...rest];
    if (guard_fail_fn !== null) call_function(guard_fail_fn, [new GuardFail(reason.join("\n"), frame.f_code)]);
    lines.push(...reason.map((it) => `    - ${it}`));
    reasons.push(reason.join("\n"));
  }
  for (const listen of recompile_listeners) listen(frame.f_code, reasons);
  if (!logs.recompiles || lines.length === 0) return;
  const id = `[${state.frame_id}/${state.cache_entry_list.length}]`;
  const message = [
    `Recompiling function ${co_name} in ${co_filename}:${co_firstlineno}`,
    "    triggered by the following guard failure(s):",
    ...lines,
  ];
  for (const line of message) write(`V torch/_dynamo/guards.py] ${id} [__recompiles] ${line}\n`);
}

/** The limit counts as something that could not be followed. */
export function count_recompile_limit(): void {
  try {
    unimplemented({
      gb_type: "Dynamo recompile limit exceeded",
      context: "Limit type: recompile_limit",
      explanation: `Dynamo attempted to recompile the code object too many times, exceeding the recompile_limit cache size limit (currently set to ${config.recompile_limit}). Excessive recompilations can degrade performance due to the compilation overhead of each recompilation.`,
      hints: [
        "To monitor recompilations, enable TORCH_LOGS=recompiles. If recompilations are expected, consider increasing torch._dynamo.config.recompile_limit to an appropriate value.",
        "See https://docs.pytorch.org/docs/main/user_guide/torch_compiler/compile/programming_model.recompilation.html for tips on dealing with recompilations.",
      ],
    });
  } catch {
    // Only the count is wanted.
  }
}

export function warn_recompile_limit(frame: Frame, state: ExtraState): void {
  const { co_name, co_filename, co_firstlineno } = frame.f_code;
  const [entry] = state.cache_entry_list;
  const failed = entry === undefined ? null : (entry.check_fn as CheckFunctionManager).failed(frame);
  const last = failed === null ? "" : `${state.frame_id}/${entry?.frame_compile_id}: ${failed.reason(frame)}`;
  const lines = [
    `torch._dynamo hit config.recompile_limit (${config.recompile_limit})`,
    `   function: '${co_name}' (${co_filename}:${co_firstlineno})`,
    `   last reason: ${last}`,
    'To log all recompilation reasons, use TORCH_LOGS="recompiles".',
    "To diagnose recompilation issues, see https://pytorch.org/docs/main/user_guide/torch_compiler/compile/programming_model.recompilation.html",
  ];
  for (const line of lines)
    write(`W torch/_dynamo/convert_frame.py] [${state.frame_id}/${config.recompile_limit}] ${line}\n`);
}
