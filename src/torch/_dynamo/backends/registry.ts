/**
 * @file Backends by name: what compiles the graphs.
 * @mirrors torch/_dynamo/backends/registry.py
 */

import { str } from "#python/Objects/object";
import { PyTuple } from "#python/Objects/tupleobject";
import { def } from "#torch/_signature";
import { call_function } from "#torch/fx/callables";
import { name_of } from "#torch/fx/qualified_names";
import { TorchDynamoException } from "../exc.ts";
import type { CompilerFn } from "../output_graph.ts";

export class InvalidBackend extends TorchDynamoException {
  constructor(name: string) {
    super(`Invalid backend: '${name}', see \`torch._dynamo.list_backends()\` for available backends.`);
  }
}
Object.defineProperty(InvalidBackend.prototype, "name", {
  value: "InvalidBackend",
  configurable: true,
  writable: true,
});

interface Registered {
  readonly fn: unknown;
  readonly tags: readonly string[];
}
const registered = new Map<string, Registered>();

/** Adds a backend under its name, which is that of the function if none is given. */
export const register_backend = def(
  "register_backend(compiler_fn=None, name=None, tags=())",
  (compiler_fn: unknown, name: string | null, tags: unknown): unknown => {
    const add = (fn: unknown): unknown => {
      registered.set(name ?? name_of(fn) ?? "", {
        fn,
        tags: tags instanceof PyTuple ? tags.map(str) : (tags as string[]),
      });
      return fn;
    };
    return compiler_fn === null ? add : add(compiler_fn);
  },
);

/** Names of the backends, without those for debugging. */
export const list_backends = def(
  "list_backends(exclude_tags=('debug', 'experimental'))",
  (exclude: unknown): string[] => {
    const without = new Set([...((exclude ?? []) as Iterable<unknown>)].map(str));
    return [...registered]
      .filter(([, { tags }]) => !tags.some((tag) => without.has(tag)))
      .map(([name]) => name)
      .sort();
  },
);

/** The function of a backend. @throws {InvalidBackend} if no backend has the name */
export function lookup_backend(given: unknown): { readonly fn: CompilerFn; readonly name: string } {
  if (typeof given !== "string")
    return { fn: (gm, inputs) => call_function(given, [gm, inputs]), name: name_of(given) ?? "unknown" };
  const found = registered.get(given);
  if (found === undefined) throw new InvalidBackend(given);
  return { fn: (gm, inputs) => call_function(found.fn, [gm, inputs]), name: given };
}
