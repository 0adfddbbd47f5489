/**
 * @file What modules of Lib ask of the machine itself: kinds of values, texts of programs, tracebacks, closing of the doors that CPython opens in C.
 * @original
 */
import { Code } from "../compiler/code.ts";
import { type BaseException, type PyTraceback } from "../Objects/exceptions.ts";
import { bind_method, Cell, function_type, make_function, method_type } from "../Objects/funcobject.ts";
import { PyGenerator } from "../Objects/genobject.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { builtin_function_type, builtin_method_type, functions, method_descriptor_type } from "../Objects/methodobject.ts";
import { module_type } from "../Objects/moduleobject.ts";
import { namespace_type } from "../Objects/namespaceobject.ts";
import { builtin_type, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { Frame } from "../vm/frame.ts";
import { format_exception, format_exception_only, format_tb, sources } from "../vm/traceback.ts";
