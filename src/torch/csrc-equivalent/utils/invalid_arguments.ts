/**
 * @file The table in an error message: the signatures that a call could have meant, and the arguments that do not fit.
 * @mirrors torch/csrc/utils/invalid_arguments.cpp
 *
 * PyTorch parses the printed signatures again, splitting at ", ". So a "*" counts as an argument, and "Number alpha =
 * 1" is an argument named "1" of type "Number alpha =". This determines which candidates get a "didn't match" line, so
 * we do the same.
 */
import { is_sparse, python_type } from "./python_numbers.ts";

interface Argument {
  readonly name: string;
  readonly type_name: string;
}

interface Option {
  readonly arguments: readonly Argument[];
  readonly has_out: boolean;
}

function parseOption(option: string): Option {
  const parsed = option
    .slice(1, -1)
    .split(", ")
    .map((argument) => {
      const space = argument.lastIndexOf(" ");
      return { name: argument.slice(space + 1), type_name: space === -1 ? argument : argument.slice(0, space) };
    });
  return { arguments: parsed, has_out: parsed.some((argument) => argument.name === "out") };
}

function argcountMatch(option: Option, num_got: number, kwargs: Map<string, unknown>): boolean {
  const num_expected = option.arguments.length - (option.has_out && !kwargs.has("out") ? 1 : 0);
  return num_got === num_expected;
}

function is_matching(type_name: string, value: unknown): boolean {
  const got = python_type(value);
  if (type_name === "float") return got === "float" || got === "int";
  return got === type_name;
}

function describe(value: unknown): string {
  if (!Array.isArray(value)) return python_type(value);
  return `list of [${is_sparse(value) ? "..." : value.map(python_type).join(", ")}]`;
}

function formattedArgDesc(option: Option, args: readonly unknown[], kwargs: Map<string, unknown>): string {
  const described: string[] = [];
  for (let i = 0; i < args.length + kwargs.size; i++) {
    const argument = option.arguments[i];
    const is_kwarg = i >= args.length;
    const value = is_kwarg ? kwargs.get(argument?.name ?? "") : args[i];
    const text = (is_kwarg ? `${argument?.name ?? ""}=` : "") + describe(value);
    described.push(argument !== undefined && is_matching(argument.type_name, value) ? text : `!${text}!`);
  }
  return `(${described.join(", ")}${args.length === 0 && described.length > 0 ? ", " : ""})`;
}

function argDesc(args: readonly unknown[], kwargs: Map<string, unknown>): string {
  const described = args.map(python_type);
  for (const [name, value] of kwargs) described.push(`${name}=${python_type(value)}`);
  return `(${described.join(", ")}${args.length === 0 && described.length > 0 ? ", " : ""})`;
}

function tryMatchKwargs(option: Option, kwargs: Map<string, unknown>): string[] {
  let start_idx = option.arguments.length - kwargs.size;
  if (option.has_out && !kwargs.has("out")) start_idx--;
  const last = option.arguments.slice(Math.max(start_idx, 0));
  return [...kwargs.keys()].filter((name) => !last.some((argument) => argument.name === name));
}

export function format_invalid_args(
  given_args: readonly unknown[],
  given_kwargs: Readonly<Record<string, unknown>> | null,
  function_name: string,
  options: readonly string[],
): string {
  // C++ iterates a hash map here, and a small one is iterated from the last name to the first.
  const kwargs = new Map(Object.entries(given_kwargs ?? {}).reverse());
  const num_got = given_args.length + kwargs.size;
  const head = `${function_name} received an invalid combination of arguments - got `;

  const [only] = options;
  if (options.length === 1 && only !== undefined) {
    const option = parseOption(only);
    const unmatched = tryMatchKwargs(option, kwargs);
    if (unmatched.length > 0) return `${head}unrecognized keyword arguments: ${unmatched.join(", ")}`;
    const got = argcountMatch(option, num_got, kwargs)
      ? formattedArgDesc(option, given_args, kwargs)
      : argDesc(given_args, kwargs);
    return `${head}${got}, but expected ${only}`;
  }

  let message = `${head}${argDesc(given_args, kwargs)}, but expected one of:\n`;
  for (const option_str of options) {
    const option = parseOption(option_str);
    message += ` * ${option_str}\n`;
    if (!argcountMatch(option, num_got, kwargs)) continue;
    const unmatched = kwargs.size > 0 ? tryMatchKwargs(option, kwargs) : [];
    message +=
      unmatched.length > 0
        ? `      didn't match because some of the keywords were incorrect: ${unmatched.join(", ")}\n`
        : `      didn't match because some of the arguments have invalid types: ${formattedArgDesc(option, given_args, kwargs)}\n`;
  }
  return message;
}
