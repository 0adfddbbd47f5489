/**
 * @file Typed views of syntax trees: each class names the subtrees of one kind of tree.
 * @mirrors torch/csrc/jit/frontend/tree_views.h
 */
import { ErrorReport } from "./error_report.ts";
import { type Kind, kindToString } from "./lexer.ts";
import type { SourceRange } from "./source_range.ts";
import { stoll, strtod_c } from "./strtod.ts";
import { Compound, StringTree } from "./tree.ts";

// The grammar; a name in capitals is the kind of the tree if it is not the name of the view.
//
//   Def        Ident name, Decl, List<Stmt>              Decl      List<Param>, Maybe<Expr> return_type
//   Param      Ident, Maybe<Expr> type, Maybe<Expr> default, whether it is keyword-only (a tree "True" or "False")
//   ClassDef   Ident, Maybe<Expr> superclass, List<Stmt>, Maybe<List<Property>>, Maybe<List<Assign>>
//   Assign     List<Expr> lhs, Maybe<Expr> rhs, Maybe<Expr> type
//   Apply      Expr callee, List<Expr> inputs, List<Attribute> keywords

/** A class of views, as `List` and `Maybe` need it. */
export type View<T> = new (tree: Compound) => T;

export class TreeView {
  private readonly tree_: Compound;

  constructor(tree: Compound) {
    this.tree_ = tree;
  }

  get(): Compound {
    return this.tree_;
  }

  range(): SourceRange {
    return this.tree_.range();
  }

  kind(): Kind {
    return this.tree_.kind();
  }

  toString(): string {
    return this.tree_.toString();
  }

  protected subtree(i: number): Compound {
    return this.tree_.trees()[i] as Compound; // every view checks its kind; strings are read by text() alone
  }

  protected text_(): string {
    const tree = this.tree_.trees()[0];
    return tree instanceof StringTree ? tree.stringValue() : "";
  }
}

export class List<T extends TreeView> extends TreeView {
  private readonly items: readonly T[];

  constructor(tree: Compound, view: View<T>) {
    super(tree);
    tree.match("list");
    this.items = tree.trees().map((item) => new view(item as Compound));
  }

  static of<T extends TreeView>(range: SourceRange, view: View<T>, items: readonly T[]): List<T> {
    return new List(
      Compound.create(
        "list",
        range,
        items.map((item) => item.get()),
      ),
      view,
    );
  }

  at(i: number): T {
    return this.items[i];
  }

  size(): number {
    return this.items.length;
  }

  all(): readonly T[] {
    return this.items;
  }

  map<U>(fn: (item: T, i: number) => U): U[] {
    return this.items.map(fn);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items[Symbol.iterator]();
  }
}

/** A tree of kind "option" with one subtree or none. */
export class Maybe<T extends TreeView> extends TreeView {
  private readonly view: View<T>;

  constructor(tree: Compound, view: View<T>) {
    super(tree);
    tree.match("option");
    if (tree.trees().length > 1) throw new ErrorReport(tree, "Maybe trees can have at most one subtree");
    this.view = view;
  }

  static of<T extends TreeView>(range: SourceRange, view: View<T>, item: T | null = null): Maybe<T> {
    return new Maybe(Compound.create("option", range, item === null ? [] : [item.get()]), view);
  }

  present(): boolean {
    return this.get().trees().length > 0;
  }

  /** Precondition: `present()`. */
  value(): T {
    return new this.view(this.subtree(0));
  }

  valueOrNull(): T | null {
    return this.present() ? this.value() : null;
  }
}

export class Ident extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("ident");
  }

  static create(range: SourceRange, name: string): Ident {
    return new Ident(Compound.create("ident", range, [new StringTree(name)]));
  }

  name(): string {
    return this.text_();
  }
}

const statementKinds = new Set<Kind>(
  "if for while global assign aug_assign return raise assert pass break del continue def with".split(" "),
).add("expression statement");

export class Stmt extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    if (!statementKinds.has(tree.kind()))
      throw new ErrorReport(tree, kindToString(tree.kind()), " is not a valid Stmt");
  }
}

const binaryKinds = new Set<Kind>(
  "and or < > is,is not,eq le ge ne + * / - @,pow operator,<< >> % & ^ | floordiv in"
    .split(",")
    .flatMap((part) => (part === "is not" || part === "pow operator" ? [part] : part.split(" "))),
);

const expressionKinds = new Set<Kind>([
  ...binaryKinds,
  ..."~ starred not const string_literal True False None NoneType cast apply . subscript variable".split(" "),
  ..."list-literal tuple-literal dict-literal dots withitem".split(" "),
  "if expr",
  "unary minus",
  "slice expr",
  "list comprehension",
  "dict comprehension",
]);

export class Expr extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    if (!expressionKinds.has(tree.kind()))
      throw new ErrorReport(tree, kindToString(tree.kind()), " is not a valid Expr");
  }
}

/** A keyword argument of a call. */
export class Attribute extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("attribute");
  }

  static create(range: SourceRange, name: Ident, value: Expr): Attribute {
    return new Attribute(Compound.create("attribute", range, [name.get(), value.get()]));
  }

  name(): Ident {
    return new Ident(this.subtree(0));
  }

  value(): Expr {
    return new Expr(this.subtree(1));
  }
}

export class Param extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("param");
  }

  static create(range: SourceRange, ident: Ident, type: Maybe<Expr>, def: Maybe<Expr>, kwarg_only: boolean): Param {
    const flag = Compound.create(kwarg_only ? "True" : "False", range);
    return new Param(Compound.create("param", range, [ident.get(), type.get(), def.get(), flag]));
  }

  ident(): Ident {
    return new Ident(this.subtree(0));
  }

  type(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }

  defaultValue(): Maybe<Expr> {
    return new Maybe(this.subtree(2), Expr);
  }

  kwarg_only(): boolean {
    return this.subtree(3).kind() === "True";
  }

  withType(type: Maybe<Expr>): Param {
    return Param.create(this.range(), this.ident(), type, this.defaultValue(), this.kwarg_only());
  }
}

export class Decl extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("decl");
  }

  static create(range: SourceRange, params: List<Param>, return_type: Maybe<Expr>): Decl {
    return new Decl(Compound.create("decl", range, [params.get(), return_type.get()]));
  }

  params(): List<Param> {
    return new List(this.subtree(0), Param);
  }

  return_type(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }
}

export class Def extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("def");
  }

  static create(range: SourceRange, name: Ident, decl: Decl, stmts: List<Stmt>): Def {
    return new Def(Compound.create("def", range, [name.get(), decl.get(), stmts.get()]));
  }

  name(): Ident {
    return new Ident(this.subtree(0));
  }

  decl(): Decl {
    return new Decl(this.subtree(1));
  }

  statements(): List<Stmt> {
    return new List(this.subtree(2), Stmt);
  }

  withName(name: string): Def {
    return Def.create(this.range(), Ident.create(this.name().range(), name), this.decl(), this.statements());
  }

  withDecl(decl: Decl): Def {
    return Def.create(this.range(), this.name(), decl, this.statements());
  }
}

/** An attribute with a getter and perhaps a setter. */
export class Property extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("property");
  }

  static create(range: SourceRange, name: Ident, getter: Def, setter: Maybe<Def>): Property {
    return new Property(Compound.create("property", range, [name.get(), getter.get(), setter.get()]));
  }

  name(): Ident {
    return new Ident(this.subtree(0));
  }

  getter(): Def {
    return new Def(this.subtree(1));
  }

  setter(): Maybe<Def> {
    return new Maybe(this.subtree(2), Def);
  }
}

export class ClassDef extends TreeView {
  constructor(tree: Compound) {
    super(tree);
    tree.match("class");
  }

  static create(
    range: SourceRange,
    name: Ident,
    superclass: Maybe<Expr>,
    body: List<Stmt>,
    properties: List<Property> | null = null,
    assigns: List<Assign> | null = null,
  ): ClassDef {
    const option = (list: TreeView | null) => Compound.create("option", range, list === null ? [] : [list.get()]);
    const parts = [name.get(), superclass.get(), body.get(), option(properties), option(assigns)];
    return new ClassDef(Compound.create("class", range, parts));
  }

  name(): Ident {
    return new Ident(this.subtree(0));
  }

  superclass(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }

  body(): List<Stmt> {
    return new List(this.subtree(2), Stmt);
  }

  properties(): readonly Property[] {
    const lists = this.subtree(3).trees() as readonly Compound[];
    return lists.flatMap((list) => new List(list, Property).all());
  }

  assigns(): readonly Assign[] {
    const lists = this.subtree(4).trees() as readonly Compound[];
    return lists.flatMap((list) => new List(list, Assign).all());
  }

  withName(name: string): ClassDef {
    const [, ...rest] = this.get().trees();
    return new ClassDef(
      Compound.create("class", this.range(), [Ident.create(this.name().range(), name).get(), ...rest]),
    );
  }
}

export class If extends Stmt {
  static create(range: SourceRange, cond: Expr, true_branch: List<Stmt>, false_branch: List<Stmt>): If {
    return new If(Compound.create("if", range, [cond.get(), true_branch.get(), false_branch.get()]));
  }

  cond(): Expr {
    return new Expr(this.subtree(0));
  }

  trueBranch(): List<Stmt> {
    return new List(this.subtree(1), Stmt);
  }

  falseBranch(): List<Stmt> {
    return new List(this.subtree(2), Stmt);
  }
}

export class While extends Stmt {
  static create(range: SourceRange, cond: Expr, body: List<Stmt>): While {
    return new While(Compound.create("while", range, [cond.get(), body.get()]));
  }

  cond(): Expr {
    return new Expr(this.subtree(0));
  }

  body(): List<Stmt> {
    return new List(this.subtree(1), Stmt);
  }
}

export class For extends Stmt {
  static create(range: SourceRange, targets: List<Expr>, itrs: List<Expr>, body: List<Stmt>): For {
    return new For(Compound.create("for", range, [targets.get(), itrs.get(), body.get()]));
  }

  targets(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }

  itrs(): List<Expr> {
    return new List(this.subtree(1), Expr);
  }

  body(): List<Stmt> {
    return new List(this.subtree(2), Stmt);
  }
}

/** A list comprehension, or a generator expression, with one `for` and no `if`. */
export class ListComp extends Expr {
  static create(range: SourceRange, elt: Expr, target: Expr, iter: Expr): ListComp {
    return new ListComp(Compound.create("list comprehension", range, [elt.get(), target.get(), iter.get()]));
  }

  elt(): Expr {
    return new Expr(this.subtree(0));
  }

  target(): Expr {
    return new Expr(this.subtree(1));
  }

  iter(): Expr {
    return new Expr(this.subtree(2));
  }
}

export class DictComp extends Expr {
  static create(range: SourceRange, parts: { key: Expr; value: Expr; target: Expr; iter: Expr }): DictComp {
    const trees = [parts.key.get(), parts.value.get(), parts.target.get(), parts.iter.get()];
    return new DictComp(Compound.create("dict comprehension", range, trees));
  }

  key(): Expr {
    return new Expr(this.subtree(0));
  }

  value(): Expr {
    return new Expr(this.subtree(1));
  }

  target(): Expr {
    return new Expr(this.subtree(2));
  }

  iter(): Expr {
    return new Expr(this.subtree(3));
  }
}

export class Global extends Stmt {
  static create(range: SourceRange, names: List<Ident>): Global {
    return new Global(Compound.create("global", range, [names.get()]));
  }
}

const augmentedKinds = new Set<Kind>(["+", "-", "*", "/", "%", "|", "&", "^", "pow operator", "<<", ">>"]);

/** `lhs op= rhs`; the operator is a tree of the kind of the plain operator. */
export class AugAssign extends Stmt {
  static create(range: SourceRange, lhs: Expr, op: Compound, rhs: Expr): AugAssign {
    if (!augmentedKinds.has(op.kind())) throw new ErrorReport(op, "is not a valid AugAssignKind");
    return new AugAssign(Compound.create("aug_assign", range, [lhs.get(), op, rhs.get()]));
  }

  lhs(): Expr {
    return new Expr(this.subtree(0));
  }

  aug_op(): Kind {
    return this.subtree(1).kind();
  }

  rhs(): Expr {
    return new Expr(this.subtree(2));
  }
}

export class Assign extends Stmt {
  static create(range: SourceRange, lhs: List<Expr>, rhs: Maybe<Expr>, type: Maybe<Expr>): Assign {
    return new Assign(Compound.create("assign", range, [lhs.get(), rhs.get(), type.get()]));
  }

  lhs_list(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }

  lhs(): Expr {
    return this.lhs_list().at(0);
  }

  rhs(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }

  type(): Maybe<Expr> {
    return new Maybe(this.subtree(2), Expr);
  }
}

export class Return extends Stmt {
  static create(range: SourceRange, value: Expr): Return {
    return new Return(Compound.create("return", range, [value.get()]));
  }

  expr(): Expr {
    return new Expr(this.subtree(0));
  }
}

export class Raise extends Stmt {
  static create(range: SourceRange, expr: Expr): Raise {
    return new Raise(Compound.create("raise", range, [expr.get()]));
  }

  expr(): Expr {
    return new Expr(this.subtree(0));
  }
}

export class Assert extends Stmt {
  static create(range: SourceRange, test: Expr, msg: Maybe<Expr>): Assert {
    return new Assert(Compound.create("assert", range, [test.get(), msg.get()]));
  }

  test(): Expr {
    return new Expr(this.subtree(0));
  }

  msg(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }
}

export class Pass extends Stmt {
  static create(range: SourceRange): Pass {
    return new Pass(Compound.create("pass", range));
  }
}

export class Break extends Stmt {
  static create(range: SourceRange): Break {
    return new Break(Compound.create("break", range));
  }
}

export class Continue extends Stmt {
  static create(range: SourceRange): Continue {
    return new Continue(Compound.create("continue", range));
  }
}

export class Delete extends Stmt {
  static create(range: SourceRange, targets: List<Expr>): Delete {
    return new Delete(Compound.create("del", range, [targets.get()]));
  }

  targets(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }
}

export class ExprStmt extends Stmt {
  static create(range: SourceRange, expr: Expr): ExprStmt {
    return new ExprStmt(Compound.create("expression statement", range, [expr.get()]));
  }

  expr(): Expr {
    return new Expr(this.subtree(0));
  }
}

export class Dots extends Expr {
  static create(range: SourceRange): Dots {
    return new Dots(Compound.create("dots", range));
  }
}

export class BinOp extends Expr {
  constructor(tree: Compound) {
    super(tree);
    if (!binaryKinds.has(tree.kind())) throw new ErrorReport(tree, kindToString(tree.kind()), " is not a valid BinOp");
  }

  static create(range: SourceRange, kind: Kind, lhs: Expr, rhs: Expr): BinOp {
    return new BinOp(Compound.create(kind, range, [lhs.get(), rhs.get()]));
  }

  lhs(): Expr {
    return new Expr(this.subtree(0));
  }

  rhs(): Expr {
    return new Expr(this.subtree(1));
  }
}

/** `-x` has the kind "unary minus", because "-" is the binary operator. */
export class UnaryOp extends Expr {
  static create(range: SourceRange, kind: Kind, expr: Expr): UnaryOp {
    return new UnaryOp(Compound.create(kind, range, [expr.get()]));
  }

  expr(): Expr {
    return new Expr(this.subtree(0));
  }
}

/** A number, kept as its text. */
export class Const extends Expr {
  static create(range: SourceRange, value: string): Const {
    return new Const(Compound.create("const", range, [new StringTree(value)]));
  }

  text(): string {
    return this.text_();
  }

  isComplex(): boolean {
    return this.text().includes("j");
  }

  /** A hexadecimal number with the digit e counts as floating point too, as in PyTorch. */
  isFloatingPoint(): boolean {
    return !this.isComplex() && (this.text() === "inf" || /[.eE]/.test(this.text()));
  }

  isIntegral(): boolean {
    return !this.isFloatingPoint() && !this.isComplex();
  }

  asIntegral(): bigint {
    const value = stoll(this.text());
    if (BigInt.asIntN(64, value) === value) return value;
    throw new ErrorReport(this, "Integral constant out of range (must fit in a signed 64 bit integer)");
  }

  asFloatingPoint(): number {
    return strtod_c(this.text());
  }

  /** The imaginary part: the real part of a literal is always 0. */
  asImaginary(): number {
    return strtod_c(this.text().slice(0, -1));
  }
}

export class StringLiteral extends Expr {
  static create(range: SourceRange, value: string): StringLiteral {
    return new StringLiteral(Compound.create("string_literal", range, [new StringTree(value)]));
  }

  text(): string {
    return this.text_();
  }
}

export class Apply extends Expr {
  static create(range: SourceRange, callee: Expr, inputs: List<Expr>, attributes: List<Attribute>): Apply {
    return new Apply(Compound.create("apply", range, [callee.get(), inputs.get(), attributes.get()]));
  }

  callee(): Expr {
    return new Expr(this.subtree(0));
  }

  inputs(): List<Expr> {
    return new List(this.subtree(1), Expr);
  }

  attributes(): List<Attribute> {
    return new List(this.subtree(2), Attribute);
  }
}

/** `value.selector` */
export class Select extends Expr {
  static create(range: SourceRange, value: Expr, selector: Ident): Select {
    return new Select(Compound.create(".", range, [value.get(), selector.get()]));
  }

  value(): Expr {
    return new Expr(this.subtree(0));
  }

  selector(): Ident {
    return new Ident(this.subtree(1));
  }
}

export class SliceExpr extends Expr {
  static create(range: SourceRange, start: Maybe<Expr>, end: Maybe<Expr>, step: Maybe<Expr>): SliceExpr {
    return new SliceExpr(Compound.create("slice expr", range, [start.get(), end.get(), step.get()]));
  }

  start(): Maybe<Expr> {
    return new Maybe(this.subtree(0), Expr);
  }

  end(): Maybe<Expr> {
    return new Maybe(this.subtree(1), Expr);
  }

  step(): Maybe<Expr> {
    return new Maybe(this.subtree(2), Expr);
  }

  startOr(alternative: number): Expr {
    return this.start().valueOrNull() ?? this.createInt(alternative);
  }

  endOr(alternative: number): Expr {
    return this.end().valueOrNull() ?? this.createInt(alternative);
  }

  stepOr(alternative: number): Expr {
    return this.step().valueOrNull() ?? this.createInt(alternative);
  }

  private createInt(value: number): Expr {
    return Const.create(this.range(), String(value));
  }
}

export class Subscript extends Expr {
  /** The range ends behind the closing bracket, one character behind the subscripts. */
  static create(range: SourceRange, value: Expr, subscript_exprs: List<Expr>): Subscript {
    const whole = range.withEnd(subscript_exprs.range().end + 1);
    return new Subscript(Compound.create("subscript", whole, [value.get(), subscript_exprs.get()]));
  }

  value(): Expr {
    return new Expr(this.subtree(0));
  }

  subscript_exprs(): List<Expr> {
    return new List(this.subtree(1), Expr);
  }
}

export class Var extends Expr {
  static create(range: SourceRange, name: Ident): Var {
    return new Var(Compound.create("variable", range, [name.get()]));
  }

  name(): Ident {
    return new Ident(this.subtree(0));
  }
}

/** `target as var` of a `with`. */
export class WithItem extends Expr {
  static create(range: SourceRange, target: Expr, variable: Maybe<Var>): WithItem {
    return new WithItem(Compound.create("withitem", range, [target.get(), variable.get()]));
  }

  target(): Expr {
    return new Expr(this.subtree(0));
  }

  var(): Maybe<Var> {
    return new Maybe(this.subtree(1), Var);
  }
}

export class With extends Stmt {
  static create(range: SourceRange, targets: List<WithItem>, body: List<Stmt>): With {
    return new With(Compound.create("with", range, [targets.get(), body.get()]));
  }

  targets(): List<WithItem> {
    return new List(this.subtree(0), WithItem);
  }

  body(): List<Stmt> {
    return new List(this.subtree(1), Stmt);
  }
}

export class TernaryIf extends Expr {
  static create(range: SourceRange, cond: Expr, true_expr: Expr, false_expr: Expr): TernaryIf {
    return new TernaryIf(Compound.create("if expr", range, [cond.get(), true_expr.get(), false_expr.get()]));
  }

  cond(): Expr {
    return new Expr(this.subtree(0));
  }

  true_expr(): Expr {
    return new Expr(this.subtree(1));
  }

  false_expr(): Expr {
    return new Expr(this.subtree(2));
  }
}

export class ListLiteral extends Expr {
  static create(range: SourceRange, inputs: List<Expr>): ListLiteral {
    return new ListLiteral(Compound.create("list-literal", range, [inputs.get()]));
  }

  inputs(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }
}

export class TupleLiteral extends Expr {
  static create(range: SourceRange, inputs: List<Expr>): TupleLiteral {
    return new TupleLiteral(Compound.create("tuple-literal", range, [inputs.get()]));
  }

  inputs(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }
}

export class DictLiteral extends Expr {
  static create(range: SourceRange, keys: List<Expr>, values: List<Expr>): DictLiteral {
    return new DictLiteral(Compound.create("dict-literal", range, [keys.get(), values.get()]));
  }

  key_inputs(): List<Expr> {
    return new List(this.subtree(0), Expr);
  }

  value_inputs(): List<Expr> {
    return new List(this.subtree(1), Expr);
  }
}

export class Starred extends Expr {
  static create(range: SourceRange, expr: Expr): Starred {
    return new Starred(Compound.create("starred", range, [expr.get()]));
  }

  expr(): Expr {
    return new Expr(this.subtree(0));
  }
}

/** Members of `a | b | c` as written in a type; any other expression is its own only member. */
function get_pep604_union_members(node: Expr): Expr[] {
  if (node.kind() !== "|") return [node];
  const union = new BinOp(node.get());
  return [...get_pep604_union_members(union.lhs()), ...get_pep604_union_members(union.rhs())];
}

/** `a | b` as `Union[a, b]`; other expressions as they are. */
export function pep604union_to_union(expr: Expr): Expr {
  if (expr.kind() !== "|") return expr;
  const range = expr.range();
  const union = Var.create(range, Ident.create(range, "Union"));
  return Subscript.create(range, union, List.of(range, Expr, get_pep604_union_members(expr)));
}
