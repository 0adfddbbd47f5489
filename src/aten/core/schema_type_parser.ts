/**
 * @file The parser of one type with its alias annotation: `Tensor(a!)[]?`.
 * @mirrors torch/csrc/jit/frontend/schema_type_parser.h
 */
import { AliasInfo, wildcardSet } from "./alias_info.ts";
import type { Type } from "./jit_type.ts";
import * as types from "./jit_type.ts";
import { ErrorReport, type SourceRange } from "./source_range.ts";

const baseTypes: ReadonlyMap<string, Type> = new Map([
  ["Generator", types.GeneratorType],
  ["ScalarType", types.ScalarTypeType],
  ["Layout", types.LayoutType],
  ["MemoryFormat", types.MemoryFormatType],
  ["Storage", types.StorageType],
  ["QScheme", types.QSchemeType],
  ["Quantizer", types.QuantizerType],
  ["ConstQuantizerPtr", types.IntType], // a name used only in the YAML; the value is opaque
  ["Device", types.DeviceObjType],
  ["DeviceIndex", types.IntType],
  ["Stream", types.StreamObjType],
  ["Scalar", types.NumberType],
  ["str", types.StringType],
  ["float", types.FloatType],
  ["complex", types.ComplexType],
  ["int", types.IntType],
  ["SymInt", types.SymIntType],
  ["bool", types.BoolType],
  ["SymBool", types.SymBoolType],
  ["None", types.NoneType],
  ["NoneType", types.NoneType],
  ["Capsule", types.CapsuleType],
  ["Any", types.AnyType],
  ["AnyClassType", types.AnyClassType],
  ["AnyEnumType", types.AnyEnumType],
]);

export interface TypeToken {
  readonly kind: string;
  readonly range: SourceRange;
  text(): string;
}

/** The part of a lexer that the parser uses: schemas have a small one, and the texts of graphs that of scripts. */
export interface TypeLexer {
  cur(): TypeToken;
  lookahead(): TypeToken;
  next(): TypeToken;
  nextIf(kind: string): boolean;
  expect(kind: string): TypeToken;
}

export class SchemaTypeParser {
  protected readonly L: TypeLexer;
  private readonly allow_typevars_: boolean;

  constructor(L: TypeLexer, allow_typevars: boolean) {
    this.L = L;
    this.allow_typevars_ = allow_typevars;
  }

  parseBaseType(): Type {
    const { L } = this;
    const token = L.cur();
    if (!L.nextIf("None") && !L.nextIf("NoneType")) L.expect("ident");
    const name = token.text();
    const type = baseTypes.get(name);
    if (type !== undefined) return type;
    if (this.allow_typevars_ && /^[a-z]/.test(name)) return types.VarType.create(name);
    throw new ErrorReport(
      token.range,
      "unknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; for a full list, please see https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func ",
    );
  }

  /** `(a)`, `(a!)`, `(a -> *)`, `(a|b)`, or nothing. */
  parseAliasAnnotation(): AliasInfo | null {
    const { L } = this;
    if (!L.nextIf("(")) return null;
    const info = new AliasInfo();
    do {
      if (L.nextIf("*")) {
        info.addBeforeSet(wildcardSet);
      } else {
        info.addBeforeSet(L.expect("ident").text());
        if (L.nextIf("!")) info.setIsWrite(true);
      }
    } while (L.nextIf("|"));
    if (L.nextIf("arrow")) {
      do {
        info.addAfterSet(L.nextIf("*") ? wildcardSet : L.expect("ident").text());
      } while (L.nextIf("|"));
    } else {
      for (const set of info.beforeSets()) info.addAfterSet(set);
    }
    L.expect(")");
    return info;
  }

  parseType(): { type: Type; alias_info: AliasInfo | null } {
    let { type, alias_info } = this.parseUnsuffixed();
    for (;;) {
      if (this.L.cur().kind === "[" && this.L.lookahead().kind === "]") {
        this.L.next();
        this.L.next();
        type = types.ListType.create(type);
        alias_info = this.parseContainerAnnotation(alias_info);
      } else if (this.L.nextIf("?")) {
        type = types.OptionalType.create(type);
      } else {
        return { type, alias_info };
      }
    }
  }

  /** The list's own annotation, after `Tensor(a!)[` … `]`; it contains its elements' annotation. */
  parseContainerAnnotation(element: AliasInfo | null): AliasInfo | null {
    let container = this.parseAliasAnnotation();
    if (element === null) return container;
    container ??= new AliasInfo(element.isWrite());
    container.addContainedType(element);
    return container;
  }

  parseList(begin: string, sep: string, end: string, parseItem: () => void): void {
    const { L } = this;
    L.expect(begin);
    if (L.cur().kind !== end) {
      do parseItem();
      while (L.nextIf(sep));
    }
    L.expect(end);
  }

  protected parseUnsuffixed(): { type: Type; alias_info: AliasInfo | null } {
    const { L } = this;
    if (L.cur().kind === "(") return { type: types.TupleType.create(this.parseTypes()), alias_info: null };
    const name = L.cur().kind === "ident" ? L.cur().text() : "";
    switch (name) {
      case "Tensor":
        L.next();
        return { type: types.TensorType, alias_info: this.parseAliasAnnotation() };
      case "Future":
        return { type: types.FutureType.create(this.parseParameter()), alias_info: null };
      case "Await":
        return { type: types.AwaitType.create(this.parseParameter()), alias_info: null };
      case "RRef":
        return { type: types.RRefType.create(this.parseParameter()), alias_info: null };
      case "Union":
        L.next();
        return { type: types.UnionType.create(canonicalUnion(this.parseTypes())), alias_info: null };
      case "Dict": {
        L.next();
        L.expect("(");
        const key = this.parseType().type;
        L.expect(",");
        const value = this.parseType().type;
        L.expect(")");
        return { type: types.DictType.create(key, value), alias_info: this.parseAliasAnnotation() };
      }
      case "__torch__":
        return this.parseCustomClass();
      default:
        return { type: this.parseBaseType(), alias_info: this.parseAliasAnnotation() };
    }
  }

  protected parseTypes(): Type[] {
    const list: Type[] = [];
    this.parseList("(", ",", ")", () => list.push(this.parseType().type));
    return list;
  }

  private parseParameter(): Type {
    this.L.next();
    this.L.expect("(");
    const { type } = this.parseType();
    this.L.expect(")");
    return type;
  }

  /** `__torch__.torch.classes.ns.Name`: custom classes are not built, so every such name is unknown. */
  private parseCustomClass(): never {
    const { L } = this;
    L.next();
    L.expect(".");
    const torch = L.expect("ident");
    if (torch.text() !== "torch")
      throw new ErrorReport(torch.range, `Expected classes namespace but got ${torch.text()}`);
    L.expect(".");
    const classes = L.expect("ident");
    if (classes.text() !== "classes")
      throw new ErrorReport(classes.range, `Expected classes namespace but got ${classes.text()}`);
    L.expect(".");
    const ns = L.expect("ident");
    L.expect(".");
    const name = L.expect("ident");
    throw new ErrorReport(
      name.range,
      `Unknown custom class type ${ns.text()}.${name.text()}. Please ensure it is registered.`,
    );
  }
}

function canonicalUnion(members: readonly Type[]): Type[] {
  return [...new Set(members)].sort((a, b) => types.typeKindOrder(a.kind()) - types.typeKindOrder(b.kind()));
}
