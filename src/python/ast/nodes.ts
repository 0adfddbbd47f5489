/**
 * @file The nodes of Python's syntax tree: CPython's classes and fields.
 * @mirrors Python/Python-ast.c (CPython 3.11), which is made from Parser/Python.asdl
 */

/** Lines count from 1; columns are UTF-8 bytes and count from 0. */
export interface Range {
  readonly lineno: number;
  readonly col_offset: number;
  readonly end_lineno: number;
  readonly end_col_offset: number;
}

export abstract class AST {
  /** Names of the children, in CPython's order. */
  static readonly _fields: readonly string[] = [];
  static readonly _attributes: readonly string[] = [];
  /** The name in CPython, if the class has another one here. */
  static readonly __name__: string | null = null;
  declare ["constructor"]: typeof AST;
}

/** A node that knows where it stands. */
export abstract class Located extends AST implements Range {
  static override readonly _attributes = ["lineno", "col_offset", "end_lineno", "end_col_offset"] as const;
  lineno: number;
  col_offset: number;
  end_lineno: number;
  end_col_offset: number;

  constructor(at: Range) {
    super();
    this.lineno = at.lineno;
    this.col_offset = at.col_offset;
    this.end_lineno = at.end_lineno;
    this.end_col_offset = at.end_col_offset;
  }
}

export abstract class mod extends AST {}

export class Module extends mod {
  static override readonly _fields = ["body", "type_ignores"] as const;
  body: stmt[];
  type_ignores: type_ignore[];

  constructor(body: stmt[], type_ignores: type_ignore[]) {
    super();
    this.body = body;
    this.type_ignores = type_ignores;
  }
}

export class Interactive extends mod {
  static override readonly _fields = ["body"] as const;
  body: stmt[];

  constructor(body: stmt[]) {
    super();
    this.body = body;
  }
}

export class Expression extends mod {
  static override readonly _fields = ["body"] as const;
  body: expr;

  constructor(body: expr) {
    super();
    this.body = body;
  }
}

export class FunctionType extends mod {
  static override readonly _fields = ["argtypes", "returns"] as const;
  argtypes: expr[];
  returns: expr;

  constructor(argtypes: expr[], returns: expr) {
    super();
    this.argtypes = argtypes;
    this.returns = returns;
  }
}

export abstract class stmt extends Located {}

export class FunctionDef extends stmt {
  static override readonly _fields = ["name", "args", "body", "decorator_list", "returns", "type_comment"] as const;
  name: string;
  args: arguments_;
  body: stmt[];
  decorator_list: expr[];
  returns: expr | null;
  type_comment: string | null;

  constructor(
    name: string,
    args: arguments_,
    body: stmt[],
    decorator_list: expr[],
    returns: expr | null,
    type_comment: string | null,
    at: Range,
  ) {
    super(at);
    this.name = name;
    this.args = args;
    this.body = body;
    this.decorator_list = decorator_list;
    this.returns = returns;
    this.type_comment = type_comment;
  }
}

export class AsyncFunctionDef extends stmt {
  static override readonly _fields = ["name", "args", "body", "decorator_list", "returns", "type_comment"] as const;
  name: string;
  args: arguments_;
  body: stmt[];
  decorator_list: expr[];
  returns: expr | null;
  type_comment: string | null;

  constructor(
    name: string,
    args: arguments_,
    body: stmt[],
    decorator_list: expr[],
    returns: expr | null,
    type_comment: string | null,
    at: Range,
  ) {
    super(at);
    this.name = name;
    this.args = args;
    this.body = body;
    this.decorator_list = decorator_list;
    this.returns = returns;
    this.type_comment = type_comment;
  }
}

export class ClassDef extends stmt {
  static override readonly _fields = ["name", "bases", "keywords", "body", "decorator_list"] as const;
  name: string;
  bases: expr[];
  keywords: keyword[];
  body: stmt[];
  decorator_list: expr[];

  constructor(name: string, bases: expr[], keywords: keyword[], body: stmt[], decorator_list: expr[], at: Range) {
    super(at);
    this.name = name;
    this.bases = bases;
    this.keywords = keywords;
    this.body = body;
    this.decorator_list = decorator_list;
  }
}

export class Return extends stmt {
  static override readonly _fields = ["value"] as const;
  value: expr | null;

  constructor(value: expr | null, at: Range) {
    super(at);
    this.value = value;
  }
}

export class Delete extends stmt {
  static override readonly _fields = ["targets"] as const;
  targets: expr[];

  constructor(targets: expr[], at: Range) {
    super(at);
    this.targets = targets;
  }
}

export class Assign extends stmt {
  static override readonly _fields = ["targets", "value", "type_comment"] as const;
  targets: expr[];
  value: expr;
  type_comment: string | null;

  constructor(targets: expr[], value: expr, type_comment: string | null, at: Range) {
    super(at);
    this.targets = targets;
    this.value = value;
    this.type_comment = type_comment;
  }
}

export class AugAssign extends stmt {
  static override readonly _fields = ["target", "op", "value"] as const;
  target: expr;
  op: operator;
  value: expr;

  constructor(target: expr, op: operator, value: expr, at: Range) {
    super(at);
    this.target = target;
    this.op = op;
    this.value = value;
  }
}

export class AnnAssign extends stmt {
  static override readonly _fields = ["target", "annotation", "value", "simple"] as const;
  target: expr;
  annotation: expr;
  value: expr | null;
  simple: number;

  constructor(target: expr, annotation: expr, value: expr | null, simple: number, at: Range) {
    super(at);
    this.target = target;
    this.annotation = annotation;
    this.value = value;
    this.simple = simple;
  }
}

export class For extends stmt {
  static override readonly _fields = ["target", "iter", "body", "orelse", "type_comment"] as const;
  target: expr;
  iter: expr;
  body: stmt[];
  orelse: stmt[];
  type_comment: string | null;

  constructor(target: expr, iter: expr, body: stmt[], orelse: stmt[], type_comment: string | null, at: Range) {
    super(at);
    this.target = target;
    this.iter = iter;
    this.body = body;
    this.orelse = orelse;
    this.type_comment = type_comment;
  }
}

export class AsyncFor extends stmt {
  static override readonly _fields = ["target", "iter", "body", "orelse", "type_comment"] as const;
  target: expr;
  iter: expr;
  body: stmt[];
  orelse: stmt[];
  type_comment: string | null;

  constructor(target: expr, iter: expr, body: stmt[], orelse: stmt[], type_comment: string | null, at: Range) {
    super(at);
    this.target = target;
    this.iter = iter;
    this.body = body;
    this.orelse = orelse;
    this.type_comment = type_comment;
  }
}

export class While extends stmt {
  static override readonly _fields = ["test", "body", "orelse"] as const;
  test: expr;
  body: stmt[];
  orelse: stmt[];

  constructor(test: expr, body: stmt[], orelse: stmt[], at: Range) {
    super(at);
    this.test = test;
    this.body = body;
    this.orelse = orelse;
  }
}

export class If extends stmt {
  static override readonly _fields = ["test", "body", "orelse"] as const;
  test: expr;
  body: stmt[];
  orelse: stmt[];

  constructor(test: expr, body: stmt[], orelse: stmt[], at: Range) {
    super(at);
    this.test = test;
    this.body = body;
    this.orelse = orelse;
  }
}

export class With extends stmt {
  static override readonly _fields = ["items", "body", "type_comment"] as const;
  items: withitem[];
  body: stmt[];
  type_comment: string | null;

  constructor(items: withitem[], body: stmt[], type_comment: string | null, at: Range) {
    super(at);
    this.items = items;
    this.body = body;
    this.type_comment = type_comment;
  }
}

export class AsyncWith extends stmt {
  static override readonly _fields = ["items", "body", "type_comment"] as const;
  items: withitem[];
  body: stmt[];
  type_comment: string | null;

  constructor(items: withitem[], body: stmt[], type_comment: string | null, at: Range) {
    super(at);
    this.items = items;
    this.body = body;
    this.type_comment = type_comment;
  }
}

export class Match extends stmt {
  static override readonly _fields = ["subject", "cases"] as const;
  subject: expr;
  cases: match_case[];

  constructor(subject: expr, cases: match_case[], at: Range) {
    super(at);
    this.subject = subject;
    this.cases = cases;
  }
}

export class Raise extends stmt {
  static override readonly _fields = ["exc", "cause"] as const;
  exc: expr | null;
  cause: expr | null;

  constructor(exc: expr | null, cause: expr | null, at: Range) {
    super(at);
    this.exc = exc;
    this.cause = cause;
  }
}

export class Try extends stmt {
  static override readonly _fields = ["body", "handlers", "orelse", "finalbody"] as const;
  body: stmt[];
  handlers: excepthandler[];
  orelse: stmt[];
  finalbody: stmt[];

  constructor(body: stmt[], handlers: excepthandler[], orelse: stmt[], finalbody: stmt[], at: Range) {
    super(at);
    this.body = body;
    this.handlers = handlers;
    this.orelse = orelse;
    this.finalbody = finalbody;
  }
}

export class TryStar extends stmt {
  static override readonly _fields = ["body", "handlers", "orelse", "finalbody"] as const;
  body: stmt[];
  handlers: excepthandler[];
  orelse: stmt[];
  finalbody: stmt[];

  constructor(body: stmt[], handlers: excepthandler[], orelse: stmt[], finalbody: stmt[], at: Range) {
    super(at);
    this.body = body;
    this.handlers = handlers;
    this.orelse = orelse;
    this.finalbody = finalbody;
  }
}

export class Assert extends stmt {
  static override readonly _fields = ["test", "msg"] as const;
  test: expr;
  msg: expr | null;

  constructor(test: expr, msg: expr | null, at: Range) {
    super(at);
    this.test = test;
    this.msg = msg;
  }
}

export class Import extends stmt {
  static override readonly _fields = ["names"] as const;
  names: alias[];

  constructor(names: alias[], at: Range) {
    super(at);
    this.names = names;
  }
}

export class ImportFrom extends stmt {
  static override readonly _fields = ["module", "names", "level"] as const;
  module: string | null;
  names: alias[];
  level: number | null;

  constructor(module: string | null, names: alias[], level: number | null, at: Range) {
    super(at);
    this.module = module;
    this.names = names;
    this.level = level;
  }
}

export class Global extends stmt {
  static override readonly _fields = ["names"] as const;
  names: string[];

  constructor(names: string[], at: Range) {
    super(at);
    this.names = names;
  }
}

export class Nonlocal extends stmt {
  static override readonly _fields = ["names"] as const;
  names: string[];

  constructor(names: string[], at: Range) {
    super(at);
    this.names = names;
  }
}

export class Expr extends stmt {
  static override readonly _fields = ["value"] as const;
  value: expr;

  constructor(value: expr, at: Range) {
    super(at);
    this.value = value;
  }
}

export class Pass extends stmt {}

export class Break extends stmt {}

export class Continue extends stmt {}

export abstract class expr extends Located {}

export class BoolOp extends expr {
  static override readonly _fields = ["op", "values"] as const;
  op: boolop;
  values: expr[];

  constructor(op: boolop, values: expr[], at: Range) {
    super(at);
    this.op = op;
    this.values = values;
  }
}

export class NamedExpr extends expr {
  static override readonly _fields = ["target", "value"] as const;
  target: expr;
  value: expr;

  constructor(target: expr, value: expr, at: Range) {
    super(at);
    this.target = target;
    this.value = value;
  }
}

export class BinOp extends expr {
  static override readonly _fields = ["left", "op", "right"] as const;
  left: expr;
  op: operator;
  right: expr;

  constructor(left: expr, op: operator, right: expr, at: Range) {
    super(at);
    this.left = left;
    this.op = op;
    this.right = right;
  }
}

export class UnaryOp extends expr {
  static override readonly _fields = ["op", "operand"] as const;
  op: unaryop;
  operand: expr;

  constructor(op: unaryop, operand: expr, at: Range) {
    super(at);
    this.op = op;
    this.operand = operand;
  }
}

export class Lambda extends expr {
  static override readonly _fields = ["args", "body"] as const;
  args: arguments_;
  body: expr;

  constructor(args: arguments_, body: expr, at: Range) {
    super(at);
    this.args = args;
    this.body = body;
  }
}

export class IfExp extends expr {
  static override readonly _fields = ["test", "body", "orelse"] as const;
  test: expr;
  body: expr;
  orelse: expr;

  constructor(test: expr, body: expr, orelse: expr, at: Range) {
    super(at);
    this.test = test;
    this.body = body;
    this.orelse = orelse;
  }
}

export class Dict extends expr {
  static override readonly _fields = ["keys", "values"] as const;
  keys: (expr | null)[];
  values: expr[];

  constructor(keys: (expr | null)[], values: expr[], at: Range) {
    super(at);
    this.keys = keys;
    this.values = values;
  }
}

export class Set extends expr {
  static override readonly _fields = ["elts"] as const;
  elts: expr[];

  constructor(elts: expr[], at: Range) {
    super(at);
    this.elts = elts;
  }
}

export class ListComp extends expr {
  static override readonly _fields = ["elt", "generators"] as const;
  elt: expr;
  generators: comprehension[];

  constructor(elt: expr, generators: comprehension[], at: Range) {
    super(at);
    this.elt = elt;
    this.generators = generators;
  }
}

export class SetComp extends expr {
  static override readonly _fields = ["elt", "generators"] as const;
  elt: expr;
  generators: comprehension[];

  constructor(elt: expr, generators: comprehension[], at: Range) {
    super(at);
    this.elt = elt;
    this.generators = generators;
  }
}

export class DictComp extends expr {
  static override readonly _fields = ["key", "value", "generators"] as const;
  key: expr;
  value: expr;
  generators: comprehension[];

  constructor(key: expr, value: expr, generators: comprehension[], at: Range) {
    super(at);
    this.key = key;
    this.value = value;
    this.generators = generators;
  }
}

export class GeneratorExp extends expr {
  static override readonly _fields = ["elt", "generators"] as const;
  elt: expr;
  generators: comprehension[];

  constructor(elt: expr, generators: comprehension[], at: Range) {
    super(at);
    this.elt = elt;
    this.generators = generators;
  }
}

export class Await extends expr {
  static override readonly _fields = ["value"] as const;
  value: expr;

  constructor(value: expr, at: Range) {
    super(at);
    this.value = value;
  }
}

export class Yield extends expr {
  static override readonly _fields = ["value"] as const;
  value: expr | null;

  constructor(value: expr | null, at: Range) {
    super(at);
    this.value = value;
  }
}

export class YieldFrom extends expr {
  static override readonly _fields = ["value"] as const;
  value: expr;

  constructor(value: expr, at: Range) {
    super(at);
    this.value = value;
  }
}

export class Compare extends expr {
  static override readonly _fields = ["left", "ops", "comparators"] as const;
  left: expr;
  ops: cmpop[];
  comparators: expr[];

  constructor(left: expr, ops: cmpop[], comparators: expr[], at: Range) {
    super(at);
    this.left = left;
    this.ops = ops;
    this.comparators = comparators;
  }
}

export class Call extends expr {
  static override readonly _fields = ["func", "args", "keywords"] as const;
  func: expr;
  args: expr[];
  keywords: keyword[];

  constructor(func: expr, args: expr[], keywords: keyword[], at: Range) {
    super(at);
    this.func = func;
    this.args = args;
    this.keywords = keywords;
  }
}

export class FormattedValue extends expr {
  static override readonly _fields = ["value", "conversion", "format_spec"] as const;
  value: expr;
  conversion: number;
  format_spec: expr | null;

  constructor(value: expr, conversion: number, format_spec: expr | null, at: Range) {
    super(at);
    this.value = value;
    this.conversion = conversion;
    this.format_spec = format_spec;
  }
}

export class JoinedStr extends expr {
  static override readonly _fields = ["values"] as const;
  values: expr[];

  constructor(values: expr[], at: Range) {
    super(at);
    this.values = values;
  }
}

export class Constant extends expr {
  static override readonly _fields = ["value", "kind"] as const;
  value: unknown;
  kind: string | null;

  constructor(value: unknown, kind: string | null, at: Range) {
    super(at);
    this.value = value;
    this.kind = kind;
  }
}

export class Attribute extends expr {
  static override readonly _fields = ["value", "attr", "ctx"] as const;
  value: expr;
  attr: string;
  ctx: expr_context;

  constructor(value: expr, attr: string, ctx: expr_context, at: Range) {
    super(at);
    this.value = value;
    this.attr = attr;
    this.ctx = ctx;
  }
}

export class Subscript extends expr {
  static override readonly _fields = ["value", "slice", "ctx"] as const;
  value: expr;
  slice: expr;
  ctx: expr_context;

  constructor(value: expr, slice: expr, ctx: expr_context, at: Range) {
    super(at);
    this.value = value;
    this.slice = slice;
    this.ctx = ctx;
  }
}

export class Starred extends expr {
  static override readonly _fields = ["value", "ctx"] as const;
  value: expr;
  ctx: expr_context;

  constructor(value: expr, ctx: expr_context, at: Range) {
    super(at);
    this.value = value;
    this.ctx = ctx;
  }
}

export class Name extends expr {
  static override readonly _fields = ["id", "ctx"] as const;
  id: string;
  ctx: expr_context;

  constructor(id: string, ctx: expr_context, at: Range) {
    super(at);
    this.id = id;
    this.ctx = ctx;
  }
}

export class List extends expr {
  static override readonly _fields = ["elts", "ctx"] as const;
  elts: expr[];
  ctx: expr_context;

  constructor(elts: expr[], ctx: expr_context, at: Range) {
    super(at);
    this.elts = elts;
    this.ctx = ctx;
  }
}

export class Tuple extends expr {
  static override readonly _fields = ["elts", "ctx"] as const;
  elts: expr[];
  ctx: expr_context;

  constructor(elts: expr[], ctx: expr_context, at: Range) {
    super(at);
    this.elts = elts;
    this.ctx = ctx;
  }
}

export class Slice extends expr {
  static override readonly _fields = ["lower", "upper", "step"] as const;
  lower: expr | null;
  upper: expr | null;
  step: expr | null;

  constructor(lower: expr | null, upper: expr | null, step: expr | null, at: Range) {
    super(at);
    this.lower = lower;
    this.upper = upper;
    this.step = step;
  }
}

export abstract class expr_context extends AST {}
export class Load extends expr_context {}
export class Store extends expr_context {}
export class Del extends expr_context {}

export abstract class boolop extends AST {}
export class And extends boolop {}
export class Or extends boolop {}

export abstract class operator extends AST {}
export class Add extends operator {}
export class Sub extends operator {}
export class Mult extends operator {}
export class MatMult extends operator {}
export class Div extends operator {}
export class Mod extends operator {}
export class Pow extends operator {}
export class LShift extends operator {}
export class RShift extends operator {}
export class BitOr extends operator {}
export class BitXor extends operator {}
export class BitAnd extends operator {}
export class FloorDiv extends operator {}

export abstract class unaryop extends AST {}
export class Invert extends unaryop {}
export class Not extends unaryop {}
export class UAdd extends unaryop {}
export class USub extends unaryop {}

export abstract class cmpop extends AST {}
export class Eq extends cmpop {}
export class NotEq extends cmpop {}
export class Lt extends cmpop {}
export class LtE extends cmpop {}
export class Gt extends cmpop {}
export class GtE extends cmpop {}
export class Is extends cmpop {}
export class IsNot extends cmpop {}
export class In extends cmpop {}
export class NotIn extends cmpop {}

export class comprehension extends AST {
  static override readonly _fields = ["target", "iter", "ifs", "is_async"] as const;
  target: expr;
  iter: expr;
  ifs: expr[];
  is_async: number;

  constructor(target: expr, iter: expr, ifs: expr[], is_async: number) {
    super();
    this.target = target;
    this.iter = iter;
    this.ifs = ifs;
    this.is_async = is_async;
  }
}

export abstract class excepthandler extends Located {}

export class ExceptHandler extends excepthandler {
  static override readonly _fields = ["type", "name", "body"] as const;
  type: expr | null;
  name: string | null;
  body: stmt[];

  constructor(type: expr | null, name: string | null, body: stmt[], at: Range) {
    super(at);
    this.type = type;
    this.name = name;
    this.body = body;
  }
}

export class arguments_ extends AST {
  static override readonly __name__ = "arguments";
  static override readonly _fields = [
    "posonlyargs",
    "args",
    "vararg",
    "kwonlyargs",
    "kw_defaults",
    "kwarg",
    "defaults",
  ] as const;
  posonlyargs: arg[];
  args: arg[];
  vararg: arg | null;
  kwonlyargs: arg[];
  kw_defaults: (expr | null)[];
  kwarg: arg | null;
  defaults: expr[];

  constructor(
    posonlyargs: arg[],
    args: arg[],
    vararg: arg | null,
    kwonlyargs: arg[],
    kw_defaults: (expr | null)[],
    kwarg: arg | null,
    defaults: expr[],
  ) {
    super();
    this.posonlyargs = posonlyargs;
    this.args = args;
    this.vararg = vararg;
    this.kwonlyargs = kwonlyargs;
    this.kw_defaults = kw_defaults;
    this.kwarg = kwarg;
    this.defaults = defaults;
  }
}

export class arg extends Located {
  static override readonly _fields = ["arg", "annotation", "type_comment"] as const;
  arg: string;
  annotation: expr | null;
  type_comment: string | null;

  constructor(arg: string, annotation: expr | null, type_comment: string | null, at: Range) {
    super(at);
    this.arg = arg;
    this.annotation = annotation;
    this.type_comment = type_comment;
  }
}

export class keyword extends Located {
  static override readonly _fields = ["arg", "value"] as const;
  arg: string | null;
  value: expr;

  constructor(arg: string | null, value: expr, at: Range) {
    super(at);
    this.arg = arg;
    this.value = value;
  }
}

export class alias extends Located {
  static override readonly _fields = ["name", "asname"] as const;
  name: string;
  asname: string | null;

  constructor(name: string, asname: string | null, at: Range) {
    super(at);
    this.name = name;
    this.asname = asname;
  }
}

export class withitem extends AST {
  static override readonly _fields = ["context_expr", "optional_vars"] as const;
  context_expr: expr;
  optional_vars: expr | null;

  constructor(context_expr: expr, optional_vars: expr | null) {
    super();
    this.context_expr = context_expr;
    this.optional_vars = optional_vars;
  }
}

export class match_case extends AST {
  static override readonly _fields = ["pattern", "guard", "body"] as const;
  pattern: pattern;
  guard: expr | null;
  body: stmt[];

  constructor(pattern: pattern, guard: expr | null, body: stmt[]) {
    super();
    this.pattern = pattern;
    this.guard = guard;
    this.body = body;
  }
}

export abstract class pattern extends Located {}

export class MatchValue extends pattern {
  static override readonly _fields = ["value"] as const;
  value: expr;

  constructor(value: expr, at: Range) {
    super(at);
    this.value = value;
  }
}

export class MatchSingleton extends pattern {
  static override readonly _fields = ["value"] as const;
  value: boolean | null;

  constructor(value: boolean | null, at: Range) {
    super(at);
    this.value = value;
  }
}

export class MatchSequence extends pattern {
  static override readonly _fields = ["patterns"] as const;
  patterns: pattern[];

  constructor(patterns: pattern[], at: Range) {
    super(at);
    this.patterns = patterns;
  }
}

export class MatchMapping extends pattern {
  static override readonly _fields = ["keys", "patterns", "rest"] as const;
  keys: expr[];
  patterns: pattern[];
  rest: string | null;

  constructor(keys: expr[], patterns: pattern[], rest: string | null, at: Range) {
    super(at);
    this.keys = keys;
    this.patterns = patterns;
    this.rest = rest;
  }
}

export class MatchClass extends pattern {
  static override readonly _fields = ["cls", "patterns", "kwd_attrs", "kwd_patterns"] as const;
  cls: expr;
  patterns: pattern[];
  kwd_attrs: string[];
  kwd_patterns: pattern[];

  constructor(cls: expr, patterns: pattern[], kwd_attrs: string[], kwd_patterns: pattern[], at: Range) {
    super(at);
    this.cls = cls;
    this.patterns = patterns;
    this.kwd_attrs = kwd_attrs;
    this.kwd_patterns = kwd_patterns;
  }
}

export class MatchStar extends pattern {
  static override readonly _fields = ["name"] as const;
  name: string | null;

  constructor(name: string | null, at: Range) {
    super(at);
    this.name = name;
  }
}

export class MatchAs extends pattern {
  static override readonly _fields = ["pattern", "name"] as const;
  pattern: pattern | null;
  name: string | null;

  constructor(pattern: pattern | null, name: string | null, at: Range) {
    super(at);
    this.pattern = pattern;
    this.name = name;
  }
}

export class MatchOr extends pattern {
  static override readonly _fields = ["patterns"] as const;
  patterns: pattern[];

  constructor(patterns: pattern[], at: Range) {
    super(at);
    this.patterns = patterns;
  }
}

export abstract class type_ignore extends AST {}

export class TypeIgnore extends type_ignore {
  static override readonly _fields = ["lineno", "tag"] as const;
  lineno: number;
  tag: string;

  constructor(lineno: number, tag: string) {
    super();
    this.lineno = lineno;
    this.tag = tag;
  }
}
