/**
 * @file The statement `class`: its body runs in a namespace, of which the metaclass makes the class.
 * @mirrors Python/bltinmodule.c#builtin___build_class__ (CPython 3.11)
 */
import { FUNCTION, vectorcall } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { RuntimeError, TypeError_ } from "../Objects/exceptions.ts";
import { Cell, type PyFunction } from "../Objects/funcobject.ts";
import { builtin_function } from "../Objects/methodobject.ts";
import { find_attribute } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { winner } from "../Objects/type_new.ts";
import { foreign, info_of, type TypeObject, type_of, type_type } from "../Objects/typeobject.ts";
import { run_frame } from "./ceval.ts";
import { Frame } from "./frame.ts";
import { prepared } from "./prepared_code.ts";

/** A base that is no class names the classes that stand for it: `Generic[T]`. */
function resolved(bases: readonly unknown[]): unknown[] {
  const result: unknown[] = [];
  for (const base of bases) {
    if (info_of(base) === undefined && foreign.class_of(base) === null) {
      const entries = find_attribute(base, "__mro_entries__");
      if (entries !== undefined) {
        const classes = vectorcall(entries, [tuple(bases)], null);
        if (!Array.isArray(classes)) throw new TypeError_("__mro_entries__ must return a tuple");
        result.push(...(classes as unknown[]));
        continue;
      }
    }
    result.push(base);
  }
  return result;
}

export const build_class = builtin_function(
  "__build_class__(func, name, /, *bases, metaclass=<unset>, **kwds)",
  (fn: PyFunction, name: string, original: unknown[], metaclass: unknown, keywords: ReadonlyMap<string, unknown>) => {
    const bases = resolved(original);
    let meta: unknown = metaclass ?? (bases.length === 0 ? type_type.cls : type_of(bases[0]).cls);
    const meta_info = info_of(meta);
    if (meta_info?.is_subtype(type_type)) {
      const infos = bases
        .map((base) => info_of(base) ?? foreign.class_of(base))
        .filter((it): it is TypeObject => it != null);
      meta = winner(meta_info, infos).cls;
    }
    const base_tuple = tuple(bases);
    const kwnames = keywords.size === 0 ? null : [...keywords.keys()];
    const prepare = find_attribute(meta, "__prepare__");
    const namespace =
      prepare === undefined ? new PyDict() : vectorcall(prepare, [name, base_tuple, ...keywords.values()], kwnames);
    if (!(namespace instanceof Map))
      throw new TypeError_(
        `${type_of(meta).tp_name}.__prepare__() must return a mapping, not ${type_of(namespace).tp_name}`,
      );
    const record = fn[FUNCTION];
    const frame = new Frame(prepared(record.code), fn, record.globals, record.builtins, namespace);
    const cell = run_frame(frame);
    if (bases.length !== original.length || bases.some((base, i) => base !== original[i]))
      namespace.set("__orig_bases__", tuple(original));
    const cls = vectorcall(meta, [name, base_tuple, namespace, ...keywords.values()], kwnames);
    if (cell instanceof Cell && info_of(cls) !== undefined && cell.value !== cls) {
      if (cell.value === undefined)
        throw new RuntimeError(
          `__class__ not set defining '${name}' as ${String(cls)}. Was __classcell__ propagated to type.__new__?`,
        );
    }
    return cls;
  },
);
