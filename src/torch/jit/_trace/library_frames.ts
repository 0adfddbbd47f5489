/**
 * @file Calls of the library that are calls of Python in PyTorch: their parameters name values, as local variables do.
 * @original PyTorch's library is Python, so its functions have frames of their own.
 *
 * While a program is traced, every function that PyTorch writes in Python reports its calls to the hook of recordings (c10/util/Trace.ts).
 * Each of them becomes an entry here, with the frame of the program above which it stands.
 */
import { current_tracer, setTracer, type TraceData, type TraceKind, type Tracer } from "#c10/util/Trace";
import { type Frame, thread } from "#python/vm/frame";
import { as_boolean_dispatch, body_of_function } from "../../_bodies/index.ts";
import { signature as signature_of } from "../../_signature.ts";
import torch from "../../index.ts";
import { get_callable_argument_names } from "./inputs.ts";

export interface LibraryFrame {
  readonly name: string;
  /** The values of the parameters, by name. */
  readonly locals: ReadonlyMap<string, unknown>;
  /** The frame of the program that made the call. */
  readonly caller: Frame | null;
}

const frames: LibraryFrame[] = [];

/** The call of the library that runs, if no frame of a program stands above it. */
export function library_frame(): LibraryFrame | null {
  const top = frames.at(-1);
  return top !== undefined && top.caller === thread.frame ? top : null;
}

/** The calls that a frame of a program made and that still run, innermost first. */
export function library_frames_of(caller: Frame | null): LibraryFrame[] {
  return frames.filter((frame) => frame.caller === caller).reverse();
}

export function enter_library_frame(name: string, parameters: readonly string[], args: readonly unknown[]): void {
  const locals = new Map(parameters.map((parameter, i) => [parameter, args[i]]));
  frames.push({ name, locals, caller: thread.frame });
}

export function leave_library_frame(): void {
  frames.pop();
}

/** The function of the library with this qualified name. */
function function_named(name: string): unknown {
  let found: unknown = torch;
  for (const part of name.split(".").slice(1)) found = (found as Record<string, unknown> | undefined)?.[part];
  return found;
}

/** Names of the parameters of a function of the library; null if it has none that are known. */
function parameters_of(name: string): readonly string[] | null {
  const fn = function_named(name);
  // `max_pool2d` chooses between two functions, and its own parameters are `*args`.
  const body = body_of_function(fn);
  const dispatch = body === undefined ? null : as_boolean_dispatch(body);
  if (dispatch !== null) return get_callable_argument_names(dispatch.if_false);
  return signature_of(fn)?.parameters.map((p) => p.name) ?? null;
}

/** The file of PyTorch in which a function of the library stands. Its line there is not known. */
export function place_in_library(name: string): { funcname: string; filename: string; module: string } {
  const dot = name.lastIndexOf(".");
  const module = name.slice(0, dot);
  return { funcname: name.slice(dot + 1), filename: `${module.replaceAll(".", "/")}.py`, module };
}

/** Watches calls, and passes every event on to a recording that is in progress. */
class Watcher implements Tracer {
  private readonly next: Tracer | null;
  private readonly entered_function: (frame: LibraryFrame) => void;
  private readonly entered = new Map<number, number>();
  private ids = 0;

  constructor(next: Tracer | null, entered_function: (frame: LibraryFrame) => void) {
    this.next = next;
    this.entered_function = entered_function;
  }

  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number {
    const id = this.next?.begin(kind, name, data, fn) ?? ++this.ids;
    if (kind === "python" && name.startsWith("torch.")) {
      const parameters = parameters_of(name);
      if (parameters !== null) {
        this.entered.set(id, frames.length);
        enter_library_frame(name, parameters, (data?.["inputs"] ?? []) as unknown[]);
        this.entered_function(frames[frames.length - 1]);
      }
    }
    return id;
  }

  end(id: number, data?: TraceData): void {
    const depth = this.entered.get(id);
    if (depth !== undefined) {
      this.entered.delete(id);
      frames.length = depth;
    }
    this.next?.end(id, data);
  }
}

/** Runs a traced function with its calls of the library watched. @param entered is told of each call */
export function with_library_frames<T>(entered: (frame: LibraryFrame) => void, run: () => T): T {
  const recording = current_tracer();
  const depth = frames.length;
  setTracer(new Watcher(recording, entered));
  try {
    return run();
  } finally {
    frames.length = depth;
    setTracer(recording);
  }
}
