/**
 * @file Reads types as bytecode spells them: `Dict[str,List[int]]`, `__torch__.P[NamedTuple, [[x, int],[y, Tensor]]]`.
 * @mirrors torch/csrc/jit/mobile/type_parser.cpp
 */
import {
  AnyType,
  AwaitType,
  BoolType,
  ComplexType,
  DeviceObjType,
  DictType,
  FloatType,
  FutureType,
  GeneratorType,
  IntType,
  LayoutType,
  ListType,
  MemoryFormatType,
  NoneType,
  NumberType,
  OptionalType,
  RRefType,
  StorageType,
  StreamObjType,
  StringType,
  TensorType,
  TupleType,
  type Type,
  UnionType,
} from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { TORCH_CHECK } from "#c10/util/Exception";

const simple: Readonly<Record<string, Type>> = {
  Any: AnyType,
  bool: BoolType,
  complex: ComplexType,
  Device: DeviceObjType,
  float: FloatType,
  Generator: GeneratorType,
  int: IntType,
  Layout: LayoutType,
  MemoryFormat: MemoryFormatType,
  None: NoneType,
  NoneType,
  number: NumberType,
  Scalar: NumberType,
  ScalarType: IntType,
  Storage: StorageType,
  str: StringType,
  Stream: StreamObjType,
  Tensor: TensorType,
};

const generic: Readonly<Record<string, (contained: readonly Type[]) => Type>> = {
  Await: ([element]) => AwaitType.create(element),
  Dict: ([key, value]) => DictType.create(key, value),
  Future: ([element]) => FutureType.create(element),
  List: ([element]) => ListType.create(element),
  Optional: ([element]) => OptionalType.create(element),
  RRef: ([element]) => RRefType.create(element),
  Tuple: (elements) => TupleType.create(elements),
  Union: (members) => UnionType.create(members),
};

/** Types that contain this many others; the rest contain any number. */
const arity: Readonly<Record<string, number>> = { Await: 1, Dict: 2, Future: 1, List: 1, Optional: 1, RRef: 1 };

/** Deeper texts are refused: no program has such a type. */
const kMaxDepth = 200;

export interface TypeNames {
  /** The class of a name that begins with `__torch__`. */
  class_type(name: string): Type;
}

export class TypeParser {
  private readonly text: string;
  private readonly tokens: readonly string[];
  private readonly names: TypeNames;
  private readonly contained_types_ = new Set<string>();
  private next_ = 0;
  private depth = 0;

  constructor(text: string, names: TypeNames) {
    this.text = text;
    this.tokens = text.match(/[^\s,[\]()]+|[,[\]()]/g) ?? [];
    this.names = names;
  }

  /** Names of the types in the text: `int`, `List`. */
  contained_types(): ReadonlySet<string> {
    return this.contained_types_;
  }

  parse(): Type {
    const type = this.type();
    TORCH_CHECK(this.next_ === this.tokens.length, `cannot parse type ${this.text}`);
    return type;
  }

  private peek(): string {
    return this.tokens[this.next_] ?? "";
  }
  private take(): string {
    const token = this.peek();
    this.next_++;
    return token;
  }
  private expect(token: string): void {
    const found = this.take();
    TORCH_CHECK(found === token, "Error when parsing type ", this.text, ". Expect ", token, ", but get ", found);
  }
  /** Elements between brackets, until the closing one. */
  private separated<T>(element: () => T): T[] {
    const all: T[] = [];
    this.expect("[");
    while (this.peek() !== "]") {
      all.push(element());
      if (this.peek() === ",") this.next_++;
      else break;
    }
    this.expect("]");
    return all;
  }

  private type(): Type {
    TORCH_CHECK(++this.depth <= kMaxDepth, "cannot parse a type this deep");
    const type = this.named(this.take());
    this.depth--;
    return type;
  }

  private named(name: string): Type {
    const make = Object.hasOwn(generic, name) ? generic[name] : null;
    if (make !== null && this.peek() === "[") {
      this.contained_types_.add(name);
      const elements = name === "Tuple" && this.empty_tuple() ? [] : this.separated(() => this.type());
      TORCH_CHECK(elements.length === (arity[name] ?? elements.length), `cannot parse type ${this.text}`);
      return make(elements);
    }
    if (Object.hasOwn(simple, name)) {
      this.contained_types_.add(name);
      return simple[name];
    }
    TORCH_CHECK(name.startsWith("__torch__"), name, " is not supported in parser, ");
    return this.peek() === "[" ? this.named_tuple(name) : this.names.class_type(name);
  }

  /** `Tuple[()]` */
  private empty_tuple(): boolean {
    if (this.tokens.slice(this.next_, this.next_ + 4).join("") !== "[()]") return false;
    this.next_ += 4;
    return true;
  }

  /** `[NamedTuple, [[x, int],[y, Tensor]]]` */
  private named_tuple(name: string): Type {
    this.expect("[");
    this.expect("NamedTuple");
    this.contained_types_.add("NamedTuple");
    this.expect(",");
    const names: string[] = [];
    const types: Type[] = [];
    this.separated(() => {
      this.expect("[");
      names.push(this.take());
      this.expect(",");
      types.push(this.type());
      this.expect("]");
    });
    this.expect("]");
    return new NamedTupleType(name, names, types);
  }
}
