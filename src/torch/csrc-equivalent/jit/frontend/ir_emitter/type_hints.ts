/**
 * @file Which member of an annotated Union a list or dict is, and the errors if it is none or several.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#refineAndSetUnionTypeHintOrPopulateCandidatesVector
 */
import type { Type } from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import { ErrorReport } from "../error_report.ts";
import type { Expr } from "../tree_views.ts";

/** An annotation, narrowed to the container type that is meant, or with several that it may be. */
export class TypeHint {
  /** The annotation as it is written, or null. */
  readonly type_hint: Type | null;
  /** The one container type, once it is known. */
  refined: Type | null;
  /** The container types of a Union that holds several. */
  candidates: readonly Type[] = [];
  private readonly src: Expr;

  constructor(type_hint: Type | null, src: Expr) {
    this.type_hint = type_hint;
    this.refined = type_hint;
    this.src = src;
  }

  /** The annotation if it is a Union or Optional: the result is cast to it. */
  annotatedUnion(): Type | null {
    const kind = this.type_hint?.kind();
    return kind === "UnionType" || kind === "OptionalType" ? this.type_hint : null;
  }

  /** Narrows a Union or Optional to its members that `matches` accepts. */
  refineUnion(what: string, matches: (type: Type) => boolean, is_dict_constructor = false): void {
    const { refined } = this;
    if (refined === null) return;
    if (refined.kind() === "UnionType") {
      const found = refined.containedTypes().filter(matches);
      if (!is_dict_constructor && found.length === 0) {
        const inner = `Expected an Union type annotation with an inner ${what} type, but got ${refined.repr_str()}`;
        throw new ErrorReport(this.src, inner);
      }
      if (found.length === 1) this.refined = found[0];
      else this.candidates = found;
    } else if (refined.kind() === "OptionalType") {
      this.refined = refined.containedType();
    }
  }

  /** Narrows the annotation, which must be a container, Any, or a Union with containers. Null stands for `any_type`. */
  refine(what: string, matches: (type: Type) => boolean): "match" | "any" | "candidates" {
    this.refineUnion(what, matches);
    if (this.candidates.length > 0) return "candidates";
    if (this.refined !== null && matches(this.refined)) return "match";
    if (this.refined?.kind() === "AnyType") return "any";
    throw new ErrorReport(this.src, `Expected an annotation of type ${what} but got ${this.type_hint?.repr_str()}`);
  }

  /** Chooses the candidate that holds elements of this type. */
  chooseList(element: Type): void {
    let greatest: Type | null = null;
    for (const candidate of this.candidates) {
      const own = candidate.containedType();
      if (element.isSubtypeOf(own)) greatest = greatest === null ? own : unifyTypes(greatest, own);
    }
    const chosen = this.candidates.find((candidate) => greatest?.equals(candidate.containedType()));
    if (chosen === undefined) {
      throw new ErrorReport(
        this.src,
        `Union type annotation \`${this.type_hint?.repr_str()}\` can hold ${this.listCandidates()}`,
        ", but none of those types match the types of the given list elements, which were unified to ",
        element.repr_str(),
      );
    }
    this.refined = chosen;
  }

  /** Chooses the candidate that holds keys and values of these types, the widest if there are several. */
  chooseDict(key: Type, value: Type): void {
    let chosen: Type | null = null;
    for (const candidate of this.candidates) {
      const [own_key, own_value] = candidate.containedTypes();
      if (!key.isSubtypeOf(own_key) || !value.isSubtypeOf(own_value)) continue;
      const wider =
        chosen === null ||
        (chosen.containedType(0).isSubtypeOf(own_key) && chosen.containedType(1).isSubtypeOf(own_value));
      if (wider) chosen = candidate;
    }
    if (chosen === null) {
      throw new ErrorReport(
        this.src,
        `Union type annotation \`${this.type_hint?.repr_str()}\` can hold ${this.listCandidates()}`,
        ", but none of those dict types can hold the types of the given keys and values, which were unified to Dict[",
        `${key.repr_str()}, ${value.repr_str()}`,
      );
    }
    this.refined = chosen;
  }

  private listCandidates(): string {
    const { candidates } = this;
    return candidates
      .map((candidate, i) => {
        const comma = i > 0 && candidates.length > 2 ? ", " : "";
        const or = i > 0 && i === candidates.length - 1 ? " or " : "";
        return comma + or + candidate.repr_str();
      })
      .join("");
  }
}
