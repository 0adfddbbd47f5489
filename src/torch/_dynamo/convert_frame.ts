/**
 * @file From a frame to its compiled form: new code, and the guards under which it is right.
 * @mirrors torch/_dynamo/convert_frame.py
 */
import type { Code } from "#python/compiler/code";
import { FUNCTION } from "#python/Objects/call";
import type { PyFunction } from "#python/Objects/funcobject";
import type { Frame } from "#python/vm/frame";
import { torch } from "#torch/_torch";
import { assemble, code_options } from "./bytecode_transformation.ts";
import { RestartAnalysis } from "./exc.ts";
import { CheckFunctionManager, type Guard } from "./guards.ts";
import { call_bytecode_hooks, frame_listeners, type Hooks } from "./hooks.ts";
import { type CompilerFn, type FrameState, OutputGraph } from "./output_graph.ts";
import { cached_instructions, InstructionTranslator, is_library_code, SpeculationLog } from "./symbolic_convert.ts";
import { counters } from "./utils.ts";

/** Options of a compilation: the backend, and how frames are translated. */
export interface ConvertOptions extends Hooks {
  readonly compiler_fn: CompilerFn;
  readonly backend_name: string;
  readonly one_graph: boolean;
  readonly dynamic: boolean | null;
  /** Compiled forms a frame may have; null: as the configuration says. */
  readonly recompile_limit: number | null;
  /** Is told the guards of each compiled form, and why its graph ended. */
  readonly on_compile: ((guards: readonly Guard[], output: OutputGraph) => void) | null;
}

/** Code that may run in the place of a frame's, while its guards hold. */
export interface GuardedCode {
  readonly code: Code;
  readonly check_fn: CheckFunctionManager;
}

/** The arguments and free variables of a frame that has not run yet. */
function f_locals_of(frame: Frame): Map<string, unknown> {
  const result = new Map<string, unknown>();
  const { localsplus, code } = frame.prepared;
  for (const [i, name] of localsplus.entries()) {
    const value = frame.fast[i];
    if (value !== undefined) result.set(name, value);
  }
  const closure = (frame.func as PyFunction)[FUNCTION].closure ?? [];
  for (const [i, name] of code.co_freevars.entries()) {
    const value = closure[i]?.value;
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

/** Attempts until the places where the graph breaks are known. */
const MAX_ATTEMPTS = 1000;

/** @throws {SkipFrame} if the frame has nothing to compile, {Unsupported} if it cannot be followed */
export function compile_frame(frame: Frame, options: ConvertOptions, frame_state: FrameState): GuardedCode {
  const code = frame.f_code;
  const scope = { code, globals: frame.globals, builtins: frame.builtins, is_library: is_library_code(frame.globals) };
  const log = new SpeculationLog();
  const grad = torch.is_grad_enabled();
  for (let attempt = 0; ; attempt++) {
    const output = new OutputGraph({ ...options, frame_state });
    log.restart();
    const tx = new InstructionTranslator(output, scope, cached_instructions(code), f_locals_of(frame), log);
    try {
      tx.run();
    } catch (error) {
      if (error instanceof RestartAnalysis && attempt < MAX_ATTEMPTS) continue;
      throw error;
    } finally {
      if (torch.is_grad_enabled() !== grad) torch._C._set_grad_enabled(grad);
    }
    const guards = output.finished_guards();
    options.on_compile?.(guards, output);
    if (!options.one_graph) counters.increment("frames", "ok");
    const out_code = call_bytecode_hooks(code, assemble(tx.output_instructions, code_options(code)));
    const { gm, compile_reason } = output;
    const break_reason = compile_reason?.graph_break === true ? compile_reason.reason : null;
    for (const listen of frame_listeners) listen({ code, out_code, gm, guards, break_reason });
    return { code: out_code, check_fn: new CheckFunctionManager(guards) };
  }
}
