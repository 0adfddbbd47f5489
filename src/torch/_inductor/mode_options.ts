/**
 * @file The arguments `mode` and `options` of `torch.compile`, for Inductor.
 * @mirrors torch/_inductor/__init__.py#list_mode_options, torch/__init__.py#_TorchCompileInductorWrapper
 * @differs The modes of PyTorch turn on graphs of CUDA and searches for the fastest kernel. Ours have neither: every mode compiles the same.
 */
import { RuntimeError } from "#c10/util/Exception";
import { repr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { config } from "./config.ts";

const MODES = ["default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"];

/** Settings of PyTorch that may be given and change nothing here. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "coordinate_descent_tuning",
  "epilogue_fusion",
  "fallback_random",
  "max_autotune",
  "shape_padding",
  "trace.enabled",
  "trace.graph_diagram",
  "triton.cudagraphs",
]);

type Settings = Record<string, unknown>;

/** Names of the settings, with those inside of `cpp`. */
const known = (settings: Settings = config as unknown as Settings, prefix = ""): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? known(value as Settings, `${prefix}${name}.`) : [prefix + name],
  );

/** Names and values of a dict of Python, or of an object of TypeScript. */
const entries_of = (options: unknown): Iterable<[unknown, unknown]> =>
  options instanceof Map ? (options as Map<unknown, unknown>) : Object.entries((options ?? {}) as object);

function place_of(name: string): [settings: Settings, key: string] {
  const path = name.split(".");
  const key = path.pop() as string;
  return [path.reduce((at, part) => at[part] as Settings, config as unknown as Settings), key];
}

/**
 * Checks `mode` and `options`.
 * @returns the settings that hold while a graph is compiled
 * @throws {RuntimeError} if both are given, or a name or a type is wrong
 */
export function settings_of(mode: string | null, options: unknown): ReadonlyMap<string, unknown> {
  if (mode !== null && options !== null)
    throw new RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.");
  if (mode !== null && !MODES.includes(mode))
    throw new RuntimeError(`Unrecognized mode=${mode}, should be one of: ${MODES.join(", ")}`);
  const result = new Map<string, unknown>();
  for (const [given, value] of entries_of(options)) {
    const name = String(given).replaceAll("-", "_");
    if (WITHOUT_EFFECT.has(name)) continue;
    const names = known();
    if (!names.includes(name))
      throw new RuntimeError(
        `Unexpected optimization option ${name}, known options are ${repr([...names, ...WITHOUT_EFFECT])}`,
      );
    const [settings, key] = place_of(name);
    const [wanted, found] = [type_of(settings[key]).name, type_of(value).name];
    if (wanted !== found) throw new RuntimeError(`Unexpected type of attr ${name}, got ${found} should be ${wanted}`);
    result.set(name, value);
  }
  return result;
}

/** Runs `compile` while the settings hold. */
export function with_settings<T>(settings: ReadonlyMap<string, unknown>, compile: () => T): T {
  const before = [...settings].map(([name, value]) => {
    const [of, key] = place_of(name);
    const old = of[key];
    of[key] = value;
    return () => (of[key] = old);
  });
  try {
    return compile();
  } finally {
    for (const restore of before.reverse()) restore();
  }
}
