/**
 * @file Errors of JavaScript that an argument of a front-end function caused, in Python's words.
 * @original Python raises such errors in Python's words. JavaScript raises them in its own, with the names of the variables of a minified file.
 *
 * Note [Errors that an argument caused]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * As in PyTorch, a function that is written in Python does not check its arguments: it calls `input.dim()` and lets the interpreter refuse.
 * The wrapper of every function and method (`bind_calls` in _signature.ts) catches what JavaScript then throws:
 *
 *     F.adaptive_max_pool2d(5, 2)     TypeError: e.dim is not a function
 *                                  -> AttributeError: 'int' object has no attribute 'dim'
 *
 * Only a failure pays for this. An error of our own must not be blamed on the caller, so four things must hold:
 *
 * 1. JavaScript itself raised the error, in a file of the library: a function that the caller passed keeps its own errors.
 * 2. The attribute that was missed is one that tensors, modules, lists and the like have.
 * 3. An argument lacks it. Values of the program are looked at before objects of the library.
 * 4. That argument is not of the type of the parameter's default.
 *
 * Otherwise the error goes on as it is, with its stack. The new error has the old one as its `cause`.
 */
import { AttributeError, is_stack_overflow, RecursionError, TypeError_ } from "#c10/util/Exception";
import { is_attribute, is_of_this_copy, python_type } from "./_C.ts";

/** Where the first line of the stack that names a place says the error was raised. */
function place_of(stack: string | undefined): string {
  const line = stack?.split("\n").find((line) => /:\d+:\d+\)?$/.test(line)) ?? "";
  return line.replace(/^\s*at (?:.*\()?|^[^@]*@|:\d+:\d+\)?$/g, "");
}

/** The folder of the library: `src/`, or the folder of the built files. */
const library = place_of(new Error().stack).replace(/(?:torch\/)?[^/\\]*$/, "");

/** The property or the kind of value that the interpreter missed. */
type Missed =
  | { readonly kind: "attribute"; readonly name: string; readonly of_none: boolean }
  | { readonly kind: "attribute of None"; readonly name: string }
  | { readonly kind: "iteration" | "call" | "number" };

const PATTERNS: readonly (readonly [RegExp, (name: string) => Missed | null])[] = [
  [
    /\.(\w+) is not a function or its return value is not iterable/,
    (name) => ({ kind: "attribute", name, of_none: false }),
  ],
  [/\.(\w+) is not (?:a function|iterable)/, (name) => ({ kind: "attribute", name, of_none: false })],
  [/^Cannot read properties of null \(reading '(\w+)'\)/, (name) => ({ kind: "attribute of None", name })],
  [/^Cannot read properties of undefined \(reading '(\w+)'\)/, (name) => of_nothing(name)],
  [/^Cannot destructure property '(\w+)'/, (name) => of_nothing(name)],
  [/^Cannot use 'in' operator to search for '(\w+)'/, (name) => ({ kind: "attribute", name, of_none: false })],
  [/is not iterable|iterable\[Symbol\.iterator\]|object is not async iterable/, () => ({ kind: "iteration" })],
  [/ is not a function/, () => ({ kind: "call" })],
  [/^Cannot (?:convert|mix) (?:a |an )?(?:Symbol|object|BigInt)/, () => ({ kind: "number" })],
];

function of_nothing(name: string): Missed {
  return { kind: "attribute", name, of_none: true };
}

function what_was_missed({ message }: Error): Missed | null {
  for (const [pattern, missed] of PATTERNS) {
    const found = pattern.exec(message);
    if (found !== null) return missed(found[1] ?? "");
  }
  return null;
}

/** Attributes that objects of the library have, but not their classes. */
const OF_OBJECTS: ReadonlySet<string> = new Set([
  "training",
  "weight",
  "bias",
  "optimizer",
  "param_groups",
  "batch_sizes",
]);
const OF_LISTS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Array.prototype));
const OF_STRINGS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(String.prototype));

function is_iterable(value: unknown): boolean {
  return typeof (value as { [Symbol.iterator]?: unknown } | null | undefined)?.[Symbol.iterator] === "function";
}

/** The error in Python's words if `value` lacks what was missed, else null. */
function blame(value: unknown, missed: Missed): Error | null {
  const type = python_type(value);
  switch (missed.kind) {
    case "iteration":
      return is_iterable(value) ? null : new TypeError_(`'${type}' object is not iterable`);
    case "call":
      return typeof value === "function" ? null : new TypeError_(`'${type}' object is not callable`);
    case "number":
      return typeof value === "symbol" || typeof value === "bigint" || (typeof value === "object" && value !== null)
        ? new TypeError_(`must be real number, not ${type}`)
        : null;
    case "attribute of None":
      return value === null ? new AttributeError(`'NoneType' object has no attribute '${missed.name}'`) : null;
    case "attribute":
      return blame_for_attribute(value, missed.name, missed.of_none);
  }
}

function blame_for_attribute(value: unknown, name: string, of_none: boolean): Error | null {
  const type = python_type(value);
  const of_library = is_attribute(name) || OF_OBJECTS.has(name);
  if (!of_library && !OF_LISTS.has(name) && !OF_STRINGS.has(name)) return null;
  const none = value === null || value === undefined;
  if (of_none && none) return new AttributeError(`'NoneType' object has no attribute '${name}'`);
  const found = none ? undefined : (value as Record<string, unknown>)[name];
  if (of_none ? found !== undefined : typeof found === "function") return null;
  if (!of_library && OF_LISTS.has(name) && !is_iterable(value))
    return new TypeError_(`'${type}' object is not iterable`);
  if (found !== undefined) return new TypeError_(`'${python_type(found)}' object is not callable`);
  return new AttributeError(`'${type}' object has no attribute '${name}'`);
}

/** Whether a value has the type of the parameter's default. */
function is_usual(value: unknown, default_: unknown): boolean {
  return value === undefined || (default_ !== undefined && python_type(value) === python_type(default_));
}

/**
 * The error to throw instead of `error`, which is thrown by a call with these arguments; see the Note.
 * @param defaults of the parameters
 */
export function explained(error: unknown, args: readonly unknown[], defaults: readonly unknown[]): unknown {
  if (!(error instanceof Error)) return error;
  if (is_stack_overflow(error)) return args.some(is_bottomless) ? too_deep(error) : error;
  if (error.constructor !== TypeError) return error;
  const missed = what_was_missed(error);
  if (missed === null || !place_of(error.stack).startsWith(library)) return error;
  const given = args.filter((value, i) => !is_usual(value, defaults[i]));
  const suspects = [...given, ...given.flatMap(elements_of)];
  for (const of_library of [false, true])
    for (const value of suspects) {
      const blamed = is_of_this_copy(value) === of_library ? blame(value, missed) : null;
      if (blamed !== null) return Object.defineProperty(blamed, "cause", { value: error, configurable: true });
    }
  return error;
}

/** A name of this file: near the end of the stack, the accessor by which some loaders give an imported name gives nothing. */
const TooDeep = RecursionError;

/** The error for a list or a dict that holds itself, or that is as deep as the stack. */
function too_deep(cause: Error): RecursionError {
  return Object.defineProperty(new TooDeep("maximum recursion depth exceeded"), "cause", {
    value: cause,
    configurable: true,
  });
}

const MOST_LEVELS = 500;
const MOST_ELEMENTS = 100;

/** Whether lists lie in lists over so many levels. Follows the deepest way by its last elements, which a list that holds itself never ends. */
function is_bottomless(value: unknown): boolean {
  for (let level = 0, at = [value]; at.length > 0; level++) {
    if (level === MOST_LEVELS) return true;
    at = at.flatMap(elements_of).slice(-MOST_ELEMENTS);
  }
  return false;
}

/** The first elements of a list or of a dict. */
function elements_of(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS);
  if (value instanceof Map) return [...value.values()].slice(0, MOST_ELEMENTS);
  return python_type(value) === "dict" ? Object.values(value as object).slice(0, MOST_ELEMENTS) : [];
}
