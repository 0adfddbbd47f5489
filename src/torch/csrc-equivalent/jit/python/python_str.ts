/**
 * @file Strings of scripts as Python's `str`, and the `print` of scripts, which writes to `sys.stdout`.
 * @mirrors torch/csrc/jit/python/script_init.cpp#initJitScriptBindings
 * @differs An error of `sys.stdout.write` is told with its class and text; PyTorch adds the lines of Python that were running.
 */
import { RuntimeError } from "#c10/util/Exception";
import { call_method, getattr, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { decode } from "#python/Objects/unicodeobject/codecs";
import { import_module } from "#python/vm/import";
import { to_bytes } from "../runtime/byte_string.ts";
import { setPrintHandler } from "../runtime/print_handler.ts";

/**
 * The text of a script's string. Bytes that are no UTF-8 stand in it as lone surrogates.
 * @throws {UnicodeDecodeError} "'utf-8' codec can't decode byte 0xc3 in position 0: unexpected end of data"
 */
export function python_str(text: string): string {
  if (!/[\udc80-\udcff]/.test(text)) return text;
  return decode(
    Uint8Array.from(to_bytes(text), (byte) => byte.charCodeAt(0)),
    "utf-8",
    "strict",
  );
}

setPrintHandler((text) => {
  try {
    call_method(getattr(import_module("sys"), "stdout"), "write", python_str(text));
  } catch (error) {
    throw new RuntimeError(`${type_of(error).tp_name}: ${str(error)}`);
  }
});
