/**
 * @file The `sys` module.
 * @mirrors Python/sysmodule.c (CPython 3.11)
 */
import { streams } from "../builtins/print.ts";
import { define_attributes } from "../Objects/descrobject.ts";
import { NotImplementedError, SystemExit, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { float_value } from "../Objects/floatobject.ts";
import { each } from "../Objects/iterobject.ts";
import { define_methods, functions } from "../Objects/methodobject.ts";
import { PyModule } from "../Objects/moduleobject.ts";
import { SimpleNamespace } from "../Objects/namespaceobject.ts";
import { call_method, setattr } from "../Objects/object.ts";
import { struct_sequence } from "../Objects/structseq.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { builtin_type, type_of } from "../Objects/typeobject.ts";
import { type Frame, frame_above, handled_exception } from "../vm/frame.ts";
import { limits } from "../vm/hooks.ts";
import { modules } from "../vm/import.ts";
import { format_exception } from "../vm/print_exception.ts";
import { ssize } from "./arguments.ts";
import { host } from "./host.ts";

/** A stream of the process: a text that is written goes on at once. */
class Stream {
  readonly stream_name: string;
  readonly out: (text: string) => void;

  constructor(name: string, out: (text: string) => void) {
    this.stream_name = name;
    this.out = out;
  }
}

function define_stream(): void {
  const type = builtin_type("TextIOWrapper", { cls: Stream, module: "_io" });
  const write = (self: Stream, text: unknown): number => {
    if (typeof text !== "string") throw new TypeError_(`write() argument must be str, not ${type_of(text).tp_name}`);
    self.out(text);
    return [...text].length;
  };
  define_attributes(type, {
    name: (self: Stream) => self.stream_name,
    encoding: () => "utf-8",
    errors: () => "strict",
    closed: () => false,
    mode: (self: Stream) => (self.stream_name === "<stdin>" ? "r" : "w"),
  });
  define_methods(type, {
    "write(self, text, /)": write,
    "writelines(self, lines, /)": (self: Stream, lines) => {
      for (const line of each(lines)) write(self, line);
    },
    "flush(self, /)": () => null,
    "isatty(self, /)": () => false,
    "writable(self, /)": (self: Stream) => self.stream_name !== "<stdin>",
    "readable(self, /)": (self: Stream) => self.stream_name === "<stdin>",
    "readline(self, size=-1, /)": () => streams.stdin.readline(),
    "read(self, size=-1, /)": () => {
      let text = "";
      for (let line = streams.stdin.readline(); line !== ""; line = streams.stdin.readline()) text += line;
      return text;
    },
    "__iter__(self, /)": (self) => self,
    "__repr__(self, /)": (self: Stream) =>
      `<_io.TextIOWrapper name='${self.stream_name}' mode='${self.stream_name === "<stdin>" ? "r" : "w"}' encoding='utf-8'>`,
  });
}

/** The frame of the caller, or one that called it. */
function frame_at(depth: unknown): Frame {
  const frame = frame_above(ssize(depth));
  if (frame === null) throw new ValueError("call stack is not deep enough");
  return frame;
}

const VERSION = [3, 11, 7, "final", 0];

function constants(): Record<string, unknown> {
  const version = struct_sequence("version_info", "sys", ["major", "minor", "micro", "releaselevel", "serial"]);
  const float_info = struct_sequence("float_info", "sys", [
    "max",
    "max_exp",
    "max_10_exp",
    "min",
    "min_exp",
    "min_10_exp",
    "dig",
    "mant_dig",
    "epsilon",
    "radix",
    "rounds",
  ]);
  const flags = struct_sequence("flags", "sys", ["debug", "optimize", "verbose", "dev_mode", "utf8_mode"]);
  const info = [Number.MAX_VALUE, 1024, 308, 2 ** -1022, -1021, -307, 15, 53, Number.EPSILON, 2, 1];
  const implementation = new SimpleNamespace();
  setattr(implementation, "name", "glasstorch");
  setattr(implementation, "version", version.make(VERSION));
  return {
    version: "3.11.7 (glasstorch)",
    version_info: version.make(VERSION),
    hexversion: 0x030b07f0,
    implementation,
    float_info: float_info.make(info.map((x) => ([0, 3, 8].includes(info.indexOf(x)) ? float_value(x) : x))),
    flags: flags.make([0, 0, 0, false, 1]),
    maxsize: 9223372036854775807n,
    maxunicode: 0x10ffff,
    byteorder: "little",
    platform: "linux",
    executable: "",
    prefix: "",
    base_prefix: "",
    copyright: "",
    path: [""],
    argv: host.argv,
    orig_argv: host.argv,
    warnoptions: [],
    dont_write_bytecode: true,
    builtin_module_names: tuple(["builtins", "math", "sys", "time"]),
    modules,
    meta_path: [],
  };
}

function exc_info(): unknown {
  const error = handled_exception();
  return error === null ? tuple([null, null, null]) : tuple([type_of(error).cls, error, error.__traceback__]);
}

function exit(code: unknown): never {
  throw code === undefined ? new SystemExit() : new SystemExit(code);
}

const refuse = (name: string) => (): never => {
  throw new NotImplementedError(`sys.${name} is not in this Python`);
};

/** The module `sys`. If a program sets `sys.stdout`, `print` writes there. */
export function sys(): PyModule {
  define_stream();
  const module = new PyModule("sys");
  const namespace = module.__dict__;
  const table = functions("sys", {
    "exc_info()": exc_info,
    "exception()": () => handled_exception(),
    "exit(status=<unset>, /)": exit,
    "getrecursionlimit()": () => limits.recursion,
    "setrecursionlimit(limit, /)": (limit) => {
      const value = ssize(limit);
      if (value < 1) throw new ValueError("recursion limit must be greater or equal than 1");
      limits.recursion = value;
    },
    "_getframe(depth=0, /)": frame_at,
    "intern(string, /)": (text) => text,
    "getdefaultencoding()": () => "utf-8",
    "getfilesystemencoding()": () => "utf-8",
    "getsizeof(object, default=<unset>)": refuse("getsizeof"),
    "settrace(function, /)": refuse("settrace"),
    "gettrace()": () => null,
    "setprofile(function, /)": refuse("setprofile"),
    "getrefcount(object, /)": refuse("getrefcount"),
    "is_finalizing()": () => false,
    "excepthook(exctype, value, traceback, /)": (_type, value) => {
      call_method(namespace.get("stderr"), "write", format_exception(value));
    },
    "displayhook(object, /)": () => null,
  });
  for (const [name, value] of [...table, ...Object.entries(constants())]) namespace.set(name, value);
  const stdout = new Stream("<stdout>", (text) => streams.stdout.write(text));
  const stderr = new Stream("<stderr>", (text) => host.stderr(text));
  const stdin = new Stream("<stdin>", () => undefined);
  for (const [name, stream] of Object.entries({ stdin, stdout, stderr })) {
    namespace.set(name, stream);
    namespace.set(`__${name}__`, stream);
  }
  streams.replaced = () => {
    const now = namespace.get("stdout");
    return now === stdout ? undefined : now;
  };
  namespace.set("float_repr_style", "short");
  return module;
}
