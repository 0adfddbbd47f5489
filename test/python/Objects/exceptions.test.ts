/** @file Exceptions of Python and of the library are one family. */

import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { AttributeError as C10AttributeError } from "#c10/util/Exception";
import { set_hints } from "#c10/util/whole_numbers";
import * as exceptions from "#python/Objects/exceptions";
import { PyTuple } from "#python/Objects/tupleobject";
import { SyntaxError_, TabError } from "#python/Parser/errors";

function raised(run: () => unknown): exceptions.BaseException {
  try {
    run();
  } catch (error) {
    return error as exceptions.BaseException;
  }
  throw new Error("nothing was raised");
}

describe("one family", () => {
  test("the library's classes are Python's", () => {
    expect(C10AttributeError).toBe(exceptions.AttributeError);
    expect(torch.serialization.OSError).toBe(exceptions.OSError);
  });

  test.each([
    ["an index out of range", () => torch.ones([2]).select(0, 5), exceptions.LookupError, "IndexError"],
    ["shapes that do not fit", () => torch.ones([2]).add(torch.ones([3])), exceptions.RuntimeError, "RuntimeError"],
    ["a singular matrix", () => torch.linalg.inv(torch.zeros([2, 2])), exceptions.RuntimeError, "_LinAlgError"],
    ["a missing file", () => torch.load("/no/such/file"), exceptions.FileNotFoundError, "FileNotFoundError"],
    ["a damaged pickle", () => torch.load(new Uint8Array(3)), exceptions.Exception, "UnpicklingError"],
  ] as const)("%s", (_, run, type, name) => {
    const error = raised(run);
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    expect(error.stack).toContain(`${name}: ${error.message.split("\n")[0]}`);
  });

  test("names of torch itself", () => {
    const error = new torch.OutOfMemoryError("no memory");
    expect([error instanceof exceptions.RuntimeError, error.name, error.message]).toEqual([
      true,
      "OutOfMemoryError",
      "no memory",
    ]);
    expect(new torch.AcceleratorError(7, "lost")).toMatchObject({ name: "AcceleratorError", error_code: 7 });
  });

  test("a subclass of a program has its own name or that of its base", () => {
    class Own extends exceptions.ValueError {}
    expect(new Own("x").name).toBe("ValueError");
    exceptions.named(Own, "Own");
    expect(String(new Own("x"))).toBe("Own: x");
    expect(new exceptions.ValueError("x").name).toBe("ValueError");
  });
});

describe("args", () => {
  test("of one text, of other values, of none", () => {
    const { args } = raised(() => torch.ones([2]).reshape([3]));
    expect(args).toBeInstanceOf(PyTuple);
    expect([...args]).toEqual(["shape '[3]' is invalid for input of size 2"]);
    expect([...new exceptions.KeyError(5).args]).toEqual([5]);
    expect(new exceptions.KeyError(5).message).toBe("5");
    expect(new exceptions.ValueError().args).toHaveLength(0);
    expect([...new exceptions.ValueError("a", 1).args]).toEqual(["a", 1]);
  });

  test("they have no hint, and the message has none while a program runs", () => {
    const complain = (): exceptions.BaseException => raised(() => torch.tensor([1], { requires_grad: true }));
    const hints = set_hints(true);
    try {
      expect(complain().message).toContain("\nHint:");
      expect(complain().args[0]).not.toContain("Hint:");
      exceptions.making.hints = false;
      expect(complain().message).not.toContain("Hint:");
    } finally {
      exceptions.making.hints = true;
      set_hints(hints);
    }
  });

  test("an error that nobody catches prints no properties of Python", () => {
    const error = new exceptions.ValueError("a", 1);
    error.__context__ = new exceptions.KeyError("k");
    expect(Reflect.ownKeys(error).filter((key) => key !== "stack" && key !== "message")).toEqual([]);
  });
});

// Texts and classes as CPython 3.11 gives them.
describe("errors with parts", () => {
  test("OSError", () => {
    const error = new exceptions.OSError(2, "No such file or directory", "a.txt");
    expect(error).toBeInstanceOf(exceptions.FileNotFoundError);
    expect(String(error)).toBe("FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'");
    expect([...error.args]).toEqual([2, "No such file or directory"]);
    expect(new exceptions.OSError("only a text")).toMatchObject({ message: "only a text", errno: null });
    expect(new exceptions.OSError(5, "Input/output error").message).toBe("[Errno 5] Input/output error");
    expect(new exceptions.PermissionError(2, "x").constructor).toBe(exceptions.PermissionError);
  });

  test("UnicodeDecodeError and UnicodeEncodeError", () => {
    const bytes = new Uint8Array([97, 0xff]);
    const { message, args } = new exceptions.UnicodeDecodeError("utf-8", bytes, 1, 2, "invalid start byte");
    expect(message).toBe("'utf-8' codec can't decode byte 0xff in position 1: invalid start byte");
    expect(args[1]).toBe(bytes);
    expect(new exceptions.UnicodeDecodeError("utf-8", bytes, 0, 2, "why").message).toBe(
      "'utf-8' codec can't decode bytes in position 0-1: why",
    );
    expect(new exceptions.UnicodeEncodeError("ascii", "aé", 1, 2, "ordinal not in range(128)").message).toBe(
      "'ascii' codec can't encode character '\\xe9' in position 1: ordinal not in range(128)",
    );
  });

  test("SyntaxError", () => {
    const error = new SyntaxError_("bad", ["f.py", 3, 4, "x y\n", 3, 5]);
    expect([error.name, error.lineno, error.text, error.filename]).toEqual(["SyntaxError", 3, "x y\n", "f.py"]);
    expect(error.args[0]).toBe("bad");
    expect([...(error.args[1] as PyTuple)]).toEqual(["f.py", 3, 4, "x y\n", 3, 5]);
    expect(new TabError("t")).toBeInstanceOf(exceptions.Exception);
    expect([...new TabError("t").args]).toEqual(["t"]);
  });

  test("StopIteration and SystemExit", () => {
    expect(new exceptions.StopIteration().value).toBe(null);
    expect(new exceptions.StopIteration(4).value).toBe(4);
    expect(new exceptions.SystemExit(4).code).toBe(4);
    expect(new exceptions.SystemExit("text").code).toBe("text");
  });
});
