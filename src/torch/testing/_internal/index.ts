/**
 * @file Lets Python programs import `torch.testing._internal`: the test case and decorators of PyTorch's own tests, as Python texts.
 * A program that imports this file has them; each is compiled when it is first imported.
 * @mirrors torch/testing/_internal/__init__.py
 */
import { finders, type ModuleSource } from "#python/vm/import";
import { sources } from "#python/vm/traceback";
import { SOURCES } from "./generated/sources.ts";

finders.push((name): ModuleSource | null => {
  const text = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (text === undefined) return null;
  const is_package = Object.keys(SOURCES).some((other) => other.startsWith(`${name}.`));
  const filename = `${name.replaceAll(".", "/")}${is_package ? "/__init__" : ""}.py`;
  sources.set(filename, text);
  return { text, filename, is_package };
});
