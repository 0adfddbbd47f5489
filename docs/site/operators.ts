/**
 * @file Which operators there are, and the page of each: all overloads and variants of a base name share one.
 * @original
 */
import { nearest } from "./regions.ts";
import { fileText } from "./repository.ts";

let names: ReadonlySet<string> | null = null;

function operatorNames(): ReadonlySet<string> {
  const yaml = fileText("src/aten/native/native_functions.yaml") ?? "";
  return (names ??= new Set(Array.from(yaml.matchAll(/^- func: ([\w.]+)\(/gm), (m) => m[1] as string)));
}

/** `add.Tensor`, `aten::add_`, `add`: `/operators/add/`. Of an unknown one, the nearest names. */
export function operatorRoute(name: string): string | { readonly nearest: readonly string[] } {
  const wanted = name.replace(/^aten::/, "");
  const bases = new Set([...operatorNames()].map((each) => each.replace(/\..*$/, "")));
  if (!operatorNames().has(wanted) && !bases.has(wanted)) return { nearest: nearest(wanted, operatorNames()) };
  const base = wanted.replace(/\..*$/, "");
  const functional = /^__.*__$/.test(base) ? base : base.replace(/([^_])_$/, "$1");
  return `/operators/${bases.has(functional) ? functional : base}/`;
}
