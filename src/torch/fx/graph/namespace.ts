/**
 * @file Names that are unique in a graph and allowed in Python.
 * @mirrors torch/fx/graph.py#_Namespace
 */
import { AssertionError } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { PyDict } from "#python/Objects/dictobject";
import { same, str } from "#python/Objects/object";
import { none_type } from "#python/Objects/typeobject";
import { torch } from "#torch/_torch";

const KEYWORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield";
/** Names of CPython's `builtins`, of which ours has not all. */
const BUILTINS =
  "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__ __doc__ __import__ __loader__ __name__ __package__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip";

/** A name that generated code finds without looking it up, the statement that provides it, and its value. */
export interface CustomBuiltin {
  readonly import_str: string;
  readonly obj: unknown;
}

/** The names that every generated function may use. */
export const _custom_builtins = new Map<string, CustomBuiltin>();

/** Names that no node may have, unless it stands for the same object. */
const _illegal_names = new Map<string, unknown>();

function illegal_names(): ReadonlyMap<string, unknown> {
  if (_illegal_names.size === 0) {
    for (const name of KEYWORDS.split(" ")) _illegal_names.set(name, Symbol(name));
    for (const name of BUILTINS.split(" ")) _illegal_names.set(name, builtins.get(name) ?? Symbol(name));
    _illegal_names.set("None", null);
    for (const [name, { obj }] of _custom_builtins) _illegal_names.set(name, obj);
  }
  return _illegal_names;
}

export function _register_custom_builtin(name: string, import_str: string, obj: unknown): void {
  _custom_builtins.set(name, { import_str, obj });
}

_register_custom_builtin("inf", "from math import inf", Number.POSITIVE_INFINITY);
_register_custom_builtin("nan", "from math import nan", Number.NaN);
_register_custom_builtin("NoneType", "NoneType = type(None)", none_type.cls);
_register_custom_builtin("torch", "import torch", torch);
_register_custom_builtin("device", "from torch import device", torch.device);

const NAME = /^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$/;

export class _Namespace {
  private readonly _obj_to_name = new PyDict();
  private readonly _used_names = new Set<string>();
  private readonly _base_count = new Map<string, number>();

  /** A name like `candidate` that nothing has; an object that has a name keeps it. `obj` may be null. */
  create_name(candidate: string, obj: unknown): string {
    if (obj !== null) {
      const known = this._obj_to_name.get(obj);
      if (known !== undefined) return known as string;
    }
    let name = candidate;
    if (!NAME.test(name)) {
      name = name.replace(/[^0-9a-zA-Z_]+/g, "_");
      if (name === "") name = "_unnamed";
      if (/^\d/.test(name)) name = `_${name}`;
    }
    const [, base, digits] = NAME.exec(name) as unknown as [string, string, string | undefined];
    let number: number;
    if (digits === undefined || this._used_names.has(name)) {
      number = this._base_count.get(base) ?? 0;
      const illegal = illegal_names();
      if (illegal.has(name) && !same(illegal.get(name), obj)) name = `${base}_${++number}`;
    } else number = Number(digits);
    while (this._used_names.has(name)) name = `${base}_${++number}`;
    this._used_names.add(name);
    this._base_count.set(base, number);
    if (obj !== null) this._obj_to_name.set(obj, name);
    return name;
  }

  associate_name_with_obj(name: string, obj: unknown): void {
    const known = this._obj_to_name.get(obj);
    if (known !== undefined && known !== name) throw new AssertionError("obj is already associated");
    this._obj_to_name.set(obj, name);
  }

  _rename_object(obj: unknown, name: string): void {
    if (!this._obj_to_name.has(obj)) throw new AssertionError(`Object ${str(obj)} is not in _obj_to_name`);
    this._obj_to_name.set(obj, name);
    this._used_names.add(name);
  }
}

/** `HTTPServer` and `fooBar` as `httpserver` and `foo_bar`. */
export function _snake_case(s: string): string {
  return s.replace(/(?<=[a-z])([A-Z])/g, "_$1").toLowerCase();
}

export const _is_magic = (x: string): boolean => x.startsWith("__") && x.endsWith("__");
