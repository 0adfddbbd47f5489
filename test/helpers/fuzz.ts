/**
 * @file Runs a program that tools/oracle/record_fuzz.py wrote, and says where it goes another way than PyTorch 2.13.0 went.
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { setWarningHandler } from "#c10/util/Exception";
import { farthest } from "./assert_close.ts";
import { type Any, decode, differs, pythonFloat } from "./recorded.ts";

type Row = readonly [number, string, string, readonly string[], string | null, string | null];
interface Step {
  readonly fn: string;
  readonly args: readonly Any[];
  readonly kwargs: Record<string, Any>;
  readonly mode: "no_grad" | "inference_mode" | null;
  readonly out: readonly string[];
  readonly result: Any;
  readonly rows: readonly Row[];
  readonly nodes: readonly string[];
}
export interface Program {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly state: Record<string, Any>;
}

type Values = Record<string, Any>;

function value(encoded: Any, made: Values): Any {
  if (Array.isArray(encoded)) return encoded.map((e) => value(e, made));
  if (encoded !== null && typeof encoded === "object" && "$v" in encoded) return made[encoded.$v];
  if (encoded !== null && typeof encoded === "object" && "$fresh" in encoded) return torch.empty(0);
  return decode(encoded);
}

function call(step: Step, made: Values): () => Any {
  const args = step.args.map((a) => value(a, made));
  const kwargs = Object.fromEntries(Object.entries(step.kwargs).map(([k, v]) => [k, value(v, made)]));
  const given = Object.keys(kwargs).length === 0 ? [] : [kwargs];
  const [place, name] = step.fn.split(".") as [string, string];
  const [self, ...rest] = args;
  switch (place) {
    case "torch":
      return () => (torch as Any)[name](...args, ...given);
    case "F":
      return () => (torch.nn.functional as Any)[name](...args, ...given);
    case "Tensor":
      return () => self[name](...rest, ...given);
    case "getitem":
      return () => self.__getitem__(rest[0]);
    case "setitem":
      return () => self.__setitem__(rest[0], rest[1]);
    case "attr":
      return () => self[rest[0]];
    case "grad":
      return () => (torch.autograd.grad as Any)(...args, ...given);
    case "hook":
      return () => {
        self.register_hook((g: Any) => g.mul(2));
        return null;
      };
    default:
      throw new Error(`no step ${step.fn}`);
  }
}

const scopes = {
  enable_grad: torch.enable_grad,
  no_grad: torch.no_grad,
  inference_mode: torch.inference_mode,
} as Record<string, <R>(fn: () => R) => R>;

/** The result of the step, or the error it threw; `around` is where a recording begins and ends. */
function run(step: Step, made: Values, around: (fn: () => Any) => Any): Any {
  const fn = call(step, made);
  let result: Any;
  try {
    result = (scopes[step.mode ?? "enable_grad"] as (f: () => Any) => Any)(() => around(fn));
  } catch (error) {
    return error;
  }
  const results = Array.isArray(result) || isTuple(result) ? [...result] : [result];
  step.out.forEach((name, i) => {
    made[name] = results[i];
  });
  return result;
}

function isTuple(v: Any): boolean {
  return v !== null && typeof v === "object" && !(v instanceof torch.Tensor) && Symbol.iterator in v;
}

function graph(fn: Any, depth = 5): string {
  if (fn === null) return "None";
  const below = depth > 0 ? fn.next_functions.map(([f]: [Any]) => graph(f, depth - 1)) : ["..."];
  return fn.name().split("::").at(-1) + (below.length > 0 ? `(${below.join(", ")})` : "");
}

function numberOf(recorded: Any): number | null {
  if (typeof recorded === "number") return recorded;
  return recorded !== null && typeof recorded === "object" && "$f" in recorded ? pythonFloat(recorded.$f) : null;
}

/** Null, or how `actual` is not what was recorded. */
function complaint(actual: Any, recorded: Any): string | null {
  if (recorded !== null && typeof recorded === "object" && "error" in recorded) {
    if (!(actual instanceof Error)) return `gave a result instead of ${recorded.error}: ${recorded.message}`;
    // A broken assertion names the file and line where it stands.
    const broken = "INTERNAL ASSERT FAILED";
    if (recorded.message.includes(broken) && actual.message.includes(broken)) return null;
    const said = `${actual.name}: ${actual.message}`;
    const expected = `${recorded.error}: ${recorded.message}`;
    // Of a 0-dim target PyTorch prints a size that is not there: whatever lies in memory.
    const sizeless = (text: string): string => text.replace(/(match target batch_size )\(\d+\)/, "$1");
    return sizeless(said) === sizeless(expected) ? null : `said  ${said}\n  for  ${expected}`;
  }
  if (actual instanceof Error) return `threw ${actual.name}: ${actual.message}\n${actual.stack}`;
  if (Array.isArray(recorded) && recorded.some((r) => r !== null && typeof r === "object")) {
    const items = [...actual];
    if (items.length !== recorded.length) return `${items.length} results instead of ${recorded.length}`;
    return items.map((a, i) => complaint(a, recorded[i])).find((c) => c !== null) ?? null;
  }
  const number = numberOf(recorded);
  if (number !== null && !Number.isInteger(number)) return farthest([Number(actual)], [number], "float32");
  if (recorded === "NotImplementedType")
    return actual === torch.NotImplemented ? null : `${String(actual)} instead of NotImplemented`;
  const different = differs(actual ?? null, recorded); // a function without a result gives None
  if (different !== null || recorded === null || typeof recorded !== "object" || !("$t" in recorded)) return different;
  if (actual.storage_offset() !== recorded.$t[3])
    return `offset ${actual.storage_offset()} instead of ${recorded.$t[3]}`;
  const history = { version: actual.is_inference() ? -1 : actual._version, requires_grad: actual.requires_grad };
  let told: Any;
  try {
    told = { leaf: actual.is_leaf, graph: graph(actual.grad_fn) };
  } catch (error) {
    told = { refuses: (error as Error).message };
  }
  for (const [name, mine] of Object.entries({ ...history, ...told })) {
    if (mine !== recorded[name]) return `${name}: ${mine} instead of ${recorded[name]}`;
  }
  return null;
}

/** The rows as text. PyTorch's recording lacks the key set of a boxed kernel. */
function show(rows: readonly Row[], recorded: readonly Row[]): string[] {
  return rows.map((row, at) => {
    const boxed = recorded[at]?.[5] === null;
    return `${"  ".repeat(row[0])}${row[1]} ${row[2]}${boxed ? "" : ` {${[...row[3]].sort().join(" ")}} ${row[4]} ${row[5]}`}`;
  });
}

function start(program: Program): Values {
  torch.manual_seed(program.seed);
  return {};
}

/** Null, or the first step that differs and how. */
export function check(program: Program): string | null {
  const previous = setWarningHandler(() => {});
  try {
    let made = start(program);
    for (const step of program.steps) run(step, made, (fn) => fn()); // first-call work is not part of the way
    made = start(program);
    for (const [at, step] of program.steps.entries()) {
      const different = checkStep(step, made);
      if (different === null) continue;
      const args = `${JSON.stringify(step.args).slice(1, -1)}, ${JSON.stringify(step.kwargs)}`;
      return `program ${program.seed}, step ${at}: ${step.fn}(${args}) ${step.mode ?? ""}\n${different}`;
    }
    for (const [name, recorded] of Object.entries(program.state)) {
      const { grad, ...rest } = recorded;
      const different = complaint(made[name], rest) ?? (grad === undefined ? null : complaint(made[name].grad, grad));
      if (different !== null) return `program ${program.seed}: ${name} in the end\n${different}`;
    }
    return null;
  } finally {
    setWarningHandler(previous);
  }
}

function checkStep(step: Step, made: Values): string | null {
  let trace: ReturnType<typeof record> | undefined;
  const result = run(step, made, (fn) => {
    let given: Any;
    let error: Error | undefined;
    trace = record(() => {
      try {
        given = fn();
      } catch (e) {
        error = e as Error;
      }
    });
    if (error !== undefined) throw error;
    return given;
  });
  const different = complaint(result, step.result);
  if (different !== null) return different;
  const went = trace as ReturnType<typeof record>;
  const rows = show(went.rows() as readonly Row[], step.rows);
  const expected = show(step.rows, step.rows);
  const at = rows.findIndex((row, i) => row !== expected[i]);
  if (at !== -1 || rows.length !== expected.length) {
    const first = at === -1 ? rows.length : at;
    const from = Math.max(0, first - 3);
    const lines = (list: string[]) => list.slice(from, first + 4).join("\n    ");
    return `goes\n    ${lines(rows)}\n  for\n    ${lines(expected)}`;
  }
  const nodes = `${went.nodes().join(" ")}`;
  return nodes === step.nodes.join(" ") ? null : `nodes  ${nodes}\n  for  ${step.nodes.join(" ")}`;
}
