/**
 * @file The types of the built-in exceptions: what a program can do with them.
 * @mirrors Objects/exceptions.c (CPython 3.11)
 */
import { IndentationError, SyntaxError_, TabError } from "../Parser/errors.ts";
import { PyBytes } from "./bytesobject.ts";
import { define_attributes } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import {
  AttributeError,
  BaseException,
  EXCEPTIONS,
  Exception,
  ExceptionGroup,
  missing,
  type OSError,
  type PyTraceback,
  type StopIteration,
  type SystemExit,
  TypeError_,
  text_of_args,
} from "./exceptions.ts";
import { FloatValue } from "./floatobject.ts";
import { list_from } from "./iterobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { find_attribute, repr, setattr, str, with_dict } from "./object.ts";
import { PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type, INFO, info_of, is_instance, type PyClass, type TypeObject, type_of } from "./typeobject.ts";

// ---- JavaScript's message of an exception

/** A short text of an argument that runs no code of the program. */
function short_text(value: unknown, depth = 0): string {
  if (typeof value === "string") return depth === 0 ? value : repr(value);
  if (value === null || typeof value !== "object" || value instanceof FloatValue) {
    return typeof value === "function" ? String(value.name) : repr(value);
  }
  if (value instanceof Error) return value.message;
  if (value instanceof PyTuple && depth < 3) return `(${value.map((it) => short_text(it, depth + 1)).join(", ")})`;
  return Array.isArray(value) ? "[...]" : `<${type_of(value).tp_name} object>`;
}
text_of_args.write = (args) =>
  args.length === 0 ? "" : args.length === 1 ? short_text(args[0]) : short_text(tuple(args));

// ---- The types

/** The class whose constructor makes the memory of an instance. */
function constructor_of(type: TypeObject): new (...args: unknown[]) => BaseException {
  const bases = type.mro.filter((base) => !base.heap && base.is_subtype(base_type));
  const built_in = bases.find((base) => base.tp_alloc !== base_type.tp_alloc) ?? (bases[0] as TypeObject);
  return built_in.cls as unknown as new (
    ...args: unknown[]
  ) => BaseException;
}

/** An exception of a class, with any arguments; they become its `args`. */
export function make_exception(cls: PyClass, args: unknown[]): BaseException {
  const made = Reflect.construct(constructor_of(cls[INFO]), args, cls) as BaseException;
  // What the constructor keeps for itself is no attribute that the program gave.
  for (const name of Object.keys(made)) Object.defineProperty(made, name, { enumerable: false });
  if (args.length === 1 && typeof args[0] === "string") return made;
  if (made instanceof SyntaxError_ || !has_details(made, args)) made.args = tuple(args);
  return made;
}

/** `OSError` and `SyntaxError` read their arguments themselves if they are of the right form. */
function has_details(made: BaseException, args: readonly unknown[]): boolean {
  if (made instanceof SyntaxError_) return args.length === 2;
  return is_instance(made, exception_types.OSError) && args.length > 2 && args.length <= 5;
}

/** Classes whose instances have more than `args`: no class can have two of them as bases. */
const has_memory = new Set(["OSError", "SyntaxError", "BaseExceptionGroup"]);

function declare(name: string, cls: abstract new (...args: never[]) => object): TypeObject {
  const parent = info_of(Object.getPrototypeOf(cls));
  return builtin_type(name, {
    cls,
    ...(parent === undefined
      ? {}
      : { bases: cls === ExceptionGroup ? [parent, info_of(Exception) as TypeObject] : [parent] }),
    ...(parent === undefined || has_memory.has(name) ? { tp_alloc: (of: PyClass) => make_exception(of, []) } : {}),
    ...(parent === undefined ? { reserves_names: true } : {}),
  });
}

type Name = keyof typeof EXCEPTIONS;

/** The types by Python's names. */
export const exception_types = Object.fromEntries(
  Object.entries(EXCEPTIONS).map(([name, cls]) => [name, declare(name, cls)]),
) as Readonly<Record<Name, TypeObject>>;
const syntax_error_type = declare("SyntaxError", SyntaxError_);
const all_types: readonly TypeObject[] = [
  ...Object.values(exception_types),
  syntax_error_type,
  declare("IndentationError", IndentationError),
  declare("TabError", TabError),
];
for (const type of all_types) with_dict.add(type);

/** Names of the exception classes for the module `builtins`; `IOError` and `EnvironmentError` are old names of `OSError`. */
export const exception_names: ReadonlyMap<string, PyClass> = new Map([
  ...all_types.map((type) => [type.name, type.cls] as const),
  ["IOError", exception_types.OSError.cls],
  ["EnvironmentError", exception_types.OSError.cls],
]);

const { BaseException: base_type } = exception_types;

// ---- BaseException

function exception_or_none(value: unknown, name: string, what: string): BaseException | null {
  if (value === undefined) throw new TypeError_(`${name} may not be deleted`);
  if (value === null || value instanceof BaseException) return value;
  throw new TypeError_(`${what} must be None or derive from BaseException`);
}

function set_traceback(self: BaseException, value: unknown): void {
  if (value === undefined) throw new TypeError_("__traceback__ may not be deleted");
  if (value !== null && type_of(value).name !== "traceback") {
    throw new TypeError_("__traceback__ must be a traceback or None");
  }
  self.__traceback__ = value as PyTraceback | null;
}

const own_name = (self: BaseException): string => type_of(self).name;

/** `str(error)` unless the class writes more: the one argument, or all as a tuple. */
function text_of(self: BaseException): string {
  const { args } = self;
  return args.length === 0 ? "" : args.length === 1 ? str(args[0]) : repr(args);
}

define_static_methods(base_type, {
  "__new__(cls, /, *args, **kwargs)": (cls: PyClass, args: unknown[]) => make_exception(cls, args),
});
define_methods(base_type, {
  "__init__(self, /, *args, **kwargs)": (
    self: BaseException,
    args: unknown[],
    kwargs: ReadonlyMap<string, unknown>,
  ) => {
    if (kwargs.size > 0) throw new TypeError_(`${own_name(self)}() takes no keyword arguments`);
    if (self instanceof SyntaxError_ || !has_details(self, args)) self.args = tuple(args);
  },
  "__str__(self, /)": text_of,
  "__repr__(self, /)": (self: BaseException) =>
    self.args.length === 1 ? `${own_name(self)}(${repr(self.args[0])})` : `${own_name(self)}${repr(self.args)}`,
  "with_traceback(self, object, /)": (self: BaseException, traceback: unknown) => {
    set_traceback(self, traceback);
    return self;
  },
  "add_note(self, object, /)": (self: BaseException, note: unknown) => {
    if (typeof note !== "string") throw new TypeError_(`note must be a str, not '${type_of(note).tp_name}'`);
    self.__notes__ = [...(self.__notes__ ?? []), note];
  },
  "__reduce__(self, /)": (self: BaseException) => {
    const dict = find_attribute(self, "__dict__");
    const parts = [type_of(self).cls, self.args];
    return tuple(dict instanceof Map && dict.size > 0 ? [...parts, dict] : parts);
  },
  "__setstate__(self, object, /)": (self: BaseException, state: unknown) => {
    if (state instanceof PyDict) for (const [name, value] of state) setattr(self, String(name), value);
    else if (state !== null) throw new TypeError_("state is not a dictionary");
  },
});
define_attributes(base_type, {
  args: [
    (self: BaseException) => self.args,
    (self: BaseException, value: unknown) => {
      if (value === undefined) throw new TypeError_("args may not be deleted");
      self.args = tuple(list_from(value));
    },
  ],
  __cause__: [
    (self: BaseException) => self.__cause__,
    (self: BaseException, value: unknown) => {
      self.__cause__ = exception_or_none(value, "__cause__", "exception cause");
      self.__suppress_context__ = true;
    },
  ],
  __context__: [
    (self: BaseException) => self.__context__,
    (self: BaseException, value: unknown) => {
      self.__context__ = exception_or_none(value, "__context__", "exception context");
    },
  ],
  __suppress_context__: [
    (self: BaseException) => self.__suppress_context__,
    (self: BaseException, value: unknown) => {
      if (typeof value !== "boolean") throw new TypeError_("attribute value type must be bool");
      self.__suppress_context__ = value;
    },
  ],
  __traceback__: [(self: BaseException) => self.__traceback__, set_traceback],
  __notes__: [
    (self: BaseException) => {
      if (self.__notes__ !== null) return self.__notes__;
      throw new AttributeError(`'${own_name(self)}' object has no attribute '__notes__'`);
    },
    (self: BaseException, value: unknown) => {
      self.__notes__ = (value ?? null) as unknown[] | null;
    },
  ],
});

// ---- What single classes have besides

/** An attribute that follows from the arguments until a program sets it. */
function member<T extends BaseException>(
  from_args: (self: T) => unknown,
): readonly [(self: T) => unknown, (self: T, value: unknown) => void] {
  const given = new WeakMap<T, unknown>();
  return [
    (self) => (given.has(self) ? given.get(self) : from_args(self)),
    (self, value) => void given.set(self, value ?? null),
  ];
}
const nothing = (): unknown => null;

define_attributes(exception_types.SystemExit, { code: member((self: SystemExit) => self.code) });
define_attributes(exception_types.StopIteration, { value: member((self: StopIteration) => self.value) });
const missing_name = (self: BaseException): unknown => missing.get(self)?.name ?? null;
define_attributes(exception_types.AttributeError, {
  name: member(missing_name),
  obj: member((self: BaseException) => missing.get(self)?.obj ?? null),
});
define_attributes(exception_types.NameError, { name: member(missing_name) });
define_attributes(exception_types.ImportError, {
  msg: member((self: BaseException) => (self.args.length === 1 ? self.args[0] : null)),
  name: member(missing_name),
  path: member(nothing),
});

/** `__init__` of a class that takes some keywords. */
function with_keywords(type: TypeObject, names: readonly string[]): void {
  define_methods(type, {
    "__init__(self, /, *args, **kwargs)": (
      self: BaseException,
      args: unknown[],
      kwargs: ReadonlyMap<string, unknown>,
    ) => {
      for (const name of kwargs.keys()) {
        if (!names.includes(name)) {
          throw new TypeError_(`'${name}' is an invalid keyword argument for ${type.name}()`);
        }
      }
      self.args = tuple(args);
      for (const [name, value] of kwargs) setattr(self, name, value);
    },
  });
}
with_keywords(exception_types.AttributeError, ["name", "obj"]);
with_keywords(exception_types.NameError, ["name"]);
with_keywords(exception_types.ImportError, ["name", "path"]);

define_methods(exception_types.ImportError, {
  "__str__(self, /)": (self: BaseException) => {
    const msg = find_attribute(self, "msg");
    return typeof msg === "string" ? msg : text_of(self);
  },
});
define_methods(exception_types.KeyError, {
  "__str__(self, /)": (self: BaseException) => (self.args.length === 1 ? repr(self.args[0]) : text_of(self)),
});

const field = <T extends object>(name: keyof T) =>
  [
    (self: T) => self[name] ?? null,
    (self: T, value: unknown) => {
      (self as Record<keyof T, unknown>)[name] = value ?? null;
    },
  ] as const;

define_attributes(exception_types.OSError, {
  errno: field<OSError>("errno"),
  strerror: field<OSError>("strerror"),
  filename: field<OSError>("filename"),
  filename2: member(nothing),
});
define_methods(exception_types.OSError, {
  "__str__(self, /)": (self: OSError) => {
    const { errno, strerror, filename } = self;
    if (filename !== null) return `[Errno ${str(errno)}] ${str(strerror)}: ${repr(filename)}`;
    // None counts as given.
    if (self.args.length >= 2) return `[Errno ${str(errno)}] ${str(strerror)}`;
    return text_of(self);
  },
});

/** Place of the error; None if the program did not say where it is. */
const place = (name: "filename" | "lineno" | "offset" | "text" | "end_lineno" | "end_offset") =>
  member((self: SyntaxError_) => (self.lineno === 0 ? null : self[name]));
define_attributes(syntax_error_type, {
  msg: member((self: BaseException) => self.args[0] ?? null),
  filename: place("filename"),
  lineno: place("lineno"),
  offset: place("offset"),
  text: place("text"),
  end_lineno: place("end_lineno"),
  end_offset: place("end_offset"),
  print_file_and_line: member(nothing),
});
define_methods(syntax_error_type, {
  "__str__(self, /)": (self: SyntaxError_) => {
    const msg = str(find_attribute(self, "msg"));
    const filename = find_attribute(self, "filename");
    const lineno = find_attribute(self, "lineno");
    const known: string[] = [];
    if (typeof filename === "string") known.push(filename.replace(/^.*\//s, ""));
    if (typeof lineno === "number") known.push(`line ${lineno}`);
    return known.length === 0 ? msg : `${msg} (${known.join(", ")})`;
  },
});

// ---- Errors of codecs

const UNICODE_FIELDS = ["encoding", "object", "start", "end", "reason"];
/** The code as an escape, as short as it can be. */
function escaped(code: number): string {
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

for (const [type, verb, unit] of [
  [exception_types.UnicodeDecodeError, "decode", "byte"],
  [exception_types.UnicodeEncodeError, "encode", "character"],
] as const) {
  define_attributes(
    type,
    Object.fromEntries(UNICODE_FIELDS.map((name, i) => [name, member((self: BaseException) => self.args[i] ?? null)])),
  );
  define_methods(type, {
    "__init__(self, /, *args)": (self: BaseException, args: unknown[]) => {
      if (args.length !== 5) throw new TypeError_(`function takes exactly 5 arguments (${args.length} given)`);
      self.args = tuple(args);
    },
    "__str__(self, /)": (self: BaseException) => {
      const [encoding, object, start, end, reason] = UNICODE_FIELDS.map((name) => find_attribute(self, name));
      if (typeof start !== "number" || typeof end !== "number") return "";
      const code = object instanceof PyBytes ? object.data[start] : Array.from(String(object))[start]?.codePointAt(0);
      const shown = unit === "byte" ? `0x${(code ?? 0).toString(16).padStart(2, "0")}` : `'${escaped(code ?? 0)}'`;
      const what =
        end === start + 1 && code !== undefined
          ? `${unit} ${shown} in position ${start}`
          : `${unit}s in position ${start}-${end - 1}`;
      return `'${str(encoding)}' codec can't ${verb} ${what}: ${str(reason)}`;
    },
  });
}
