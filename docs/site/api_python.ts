/**
 * @file The Python signature of what the API pages list, as `inspect.signature` gives it: the running library knows that of a class from its
 * `__init__`, wherever it inherits it from, and what a name that is not built says when it is called.
 * @original
 */
import torch from "../../src/index.ts";
// Names of the parts that a program loads when it first uses them are listed, too.
import "../../src/export.ts";
import "../../src/fx.ts";
import "../../src/jit.ts";
import { type Signature, signature } from "../../src/torch/_signature.ts";
import type { ApiDoc, ApiItem } from "./api_model.ts";

/** The value at a path such as `torch.nn.Linear`; undefined if there is none. */
function value_at(call: string): unknown {
  const [root, ...path] = call.split(".");
  if (root !== "torch") return undefined;
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], torch);
}

/** Declared in TypeScript by what stands in Python: `new Linear(...args: InitArgs<...>)`, or by nothing at all. */
const BY_PYTHON = /^class |\bInitArgs</;

/** The item as a Python program sees it. */
export function in_python(item: ApiItem, call: string): ApiItem {
  const value = value_at(call);
  const declared = signature(value);
  if (declared === null) return item;
  if (item.kind === "class")
    return item.signatures.some((s) => BY_PYTHON.test(s))
      ? { ...item, signatures: [`new ${item.name}${declared}`] }
      : item;
  if (item.kind !== "property") return item;
  const doc = item.refuses ? refusal(item.doc, value as Call, declared) : item.doc;
  return { ...item, kind: "function", signatures: [`${item.name}${declared}`], doc };
}

type Call = (...args: unknown[]) => never;

/** The error that a call with the required number of arguments raises. */
function refusal(doc: ApiDoc, call: Call, { required }: Signature): ApiDoc {
  try {
    call(...new Array<null>(required).fill(null));
  } catch (error) {
    const { name, message } = error as Error;
    return { ...doc, text: doc.text || "Not implemented: a call raises an error.", throws: [`{${name}} ${message}`] };
  }
  throw new Error("api: a function that is not built returns");
}
