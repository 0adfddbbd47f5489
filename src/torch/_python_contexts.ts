/**
 * @file Contexts of the library as decorators of a program's functions: `@torch.no_grad()`, `@torch.no_grad`. Python's text does it,
 * because it keeps the function's name and steps through generators.
 * @mirrors torch/utils/_contextlib.py
 */
import { FUNCTION, vectorcall } from "#python/Objects/call";
import { METHOD } from "#python/Objects/funcobject";
import { getattr } from "#python/Objects/object";
import { TYPE } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { decorators } from "./utils/_contextlib.ts";

decorators.is_foreign = (value) =>
  typeof value === "function" && (FUNCTION in value || METHOD in value || TYPE in value);

decorators.decorate = (func, recreate) =>
  vectorcall(getattr(import_module("torch.utils._contextlib"), "_decorate"), [func, recreate], null);
