/**
 * @file Finds what a name means that the compiler does not know: a value or a type of the program around the script.
 * @mirrors torch/csrc/jit/frontend/resolver.h
 */
import type { Type } from "#aten/core/jit_type";
import type { GraphFunction } from "../api/function_impl.ts";
import type { SourceRange } from "./source_range.ts";
import type { SugaredValue } from "./sugared_value/base.ts";
import { BuiltinModule } from "./sugared_value/special.ts";

export interface Resolver {
  /** The value of a name, or null. */
  resolveValue(name: string, m: GraphFunction, loc: SourceRange): SugaredValue | null;
  /** The type that a name stands for, or null. */
  resolveType(name: string, loc: SourceRange): Type | null;
}

/** Knows `torch` alone. */
export class NativeResolver implements Resolver {
  resolveValue(name: string, _m: GraphFunction, _loc: SourceRange): SugaredValue | null {
    return name === "torch" ? new BuiltinModule("aten") : null;
  }

  resolveType(_name: string, _loc: SourceRange): Type | null {
    return null;
  }
}

export function nativeResolver(): Resolver {
  return new NativeResolver();
}
