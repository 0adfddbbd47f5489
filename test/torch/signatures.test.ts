/**
 * Signatures of everything here that is Python in PyTorch: names, order, defaults and kinds of the parameters, and what is said of
 * calls that do not fit. Recorded by tools/oracle/record_python_signatures.py; names that are not here are left out.
 */
import torch from "glasstorch/export";
import "glasstorch/jit";
import { describe, expect, test } from "vitest";
import { Signature, signature } from "#torch/_signature";
import { type Any, readFixture } from "../helpers/recorded.ts";

type RecordedParameter = readonly [name: string, kind: string, default_: string | null];
type RefusedCall = readonly [positional: number, keywords: readonly string[], message: string];

const recorded = readFixture<{
  torch: string;
  signatures: Record<string, RecordedParameter[]>;
  refused: Record<string, RefusedCall[]>;
}>(new URL("../fixtures/front_end/python_signatures.json.gz", import.meta.url));

/** Not as in PyTorch, each with its `@differs` at the place. */
const departures: Readonly<Record<string, string>> = {
  "torch.library.fallthrough_kernel": "the engine's own function, which stands for a kernel and is never called",
  "torch.save": "`f` may be left out: the bytes are the result; there is no pickle module to name",
  "torch.distributions.constraints.dependent_property": "takes the class and the name: JavaScript has no decorators",
  "torch.distributions.utils.lazy_property": "takes the class and the name: JavaScript has no decorators",
  "torch.eig": "calls its tensor `input`: PyTorch calls it `self`, which is the receiver here",
  "torch.library.opcheck": "one default of `test_utils` less: the test that compiles",
};

function own(holder: Any, name: string): Any {
  return holder !== null && holder !== undefined && Object.hasOwn(Object(holder), name) ? holder[name] : undefined;
}

/** The value under PyTorch's name here: a function, a class, a method; undefined if there is none. */
function find(path: string): Any {
  const [, ...names] = path.split(".");
  let found: Any = torch;
  for (const name of names) {
    const method = typeof found === "function" ? own(found.prototype, name) : undefined;
    found = method ?? own(found, name);
  }
  return found;
}

const here = Object.keys(recorded.signatures).filter((path) => typeof find(path) === "function");

test("a good part of PyTorch's Python is here", () => {
  expect(recorded.torch).toBe("2.13.0");
  expect(here.length).toBeGreaterThan(200);
});

describe("parameters", () => {
  test.each(here.filter((path) => !(path in departures)))("%s", (path) => {
    const declared = signature(find(path));
    expect(declared).toBeInstanceOf(Signature);
    expect(declared?.parameters.map((p) => [p.name, p.kind, p.default])).toEqual(recorded.signatures[path]);
  });
});

describe("calls that do not fit", () => {
  test.each(here.filter((path) => path in recorded.refused && !(path in departures)))("%s", (path) => {
    const fn = find(path);
    const { parameters } = signature(fn) as Signature;
    for (const [positional, keywords, message] of recorded.refused[path]) {
      const { annotation = null } = parameters[positional] ?? {};
      if (keywords.length > 0 && (annotation === "dict" || annotation === "object")) continue; // an object there is that dict
      const args: unknown[] = Array.from({ length: positional }, () => null);
      if (keywords.length > 0) args.push(Object.fromEntries(keywords.map((name) => [name, null])));
      const call = () =>
        /^class\b/.test(Function.prototype.toString.call(fn)) ? new fn(...args) : fn.apply(null, args);
      expect(call).toThrow(expect.objectContaining({ name: "TypeError", message }));
    }
  });
});
