/**
 * @file The parser of scripts: expressions by precedence climbing, statements by descent, functions, classes, type comments.
 * @mirrors torch/csrc/jit/frontend/parser.h
 * @differs An expression with further text behind it is refused with a message; PyTorch fails an internal assertion.
 */
import { ErrorReport } from "./error_report.ts";
import { binaryPrecedence, isRightAssociative, type Kind, Lexer, unaryPrecedence } from "./lexer.ts";
import { parseStringLiteral } from "./parse_string_literal.ts";
import type { Source, SourceRange } from "./source_range.ts";
import { Compound } from "./tree.ts";
import * as views from "./tree_views.ts";
import { Attribute, Decl, Def, Expr, Ident, List, Maybe, Param, Stmt, type TreeView, type View } from "./tree_views.ts";

// An idea in miniature, for `a + b * c`:
//
//   parseExp(0) reads a, sees + (9 > 0) and calls parseExp(9);
//     that reads b, sees * (10 > 9) and calls parseExp(10), which reads c; the inner result is b * c;
//   the outer result is a + (b * c).
//
// An operator is taken only if its precedence is above the caller's, so equal ones group to the left.

/** Tokens behind a comma that end a tuple without brackets. */
const followsTuple = new Set<Kind>(["newline", "=", ")", ..."+= -= *= /= %= |= &= ^= <<= >>= **=".split(" ")]);

/** `op=` tokens, and the operator that each applies. */
const augmented = new Map<Kind, Kind>([
  ...["+=", "-=", "*=", "/=", "|=", "&=", "^=", "%="].map((kind): [Kind, Kind] => [kind, kind[0]]),
  ["<<=", "<<"],
  [">>=", ">>"],
  ["**=", "pow operator"],
  ["=", "="],
]);

/** The types of a `# type:` comment put into a declaration. */
export function mergeTypesFromTypeComment(decl: Decl, types: Decl, is_method: boolean): Decl {
  const old = decl.params();
  const annotations = types.params();
  const skipped = is_method ? 1 : 0; // self
  if (old.size() - skipped !== annotations.size()) {
    throw new ErrorReport(
      decl,
      `Number of type annotations (${annotations.size()}) did not match the number of `,
      `${is_method ? "method" : "function"} parameters (${old.size() - skipped})`,
    );
  }
  const params = old.map((param, i) => (i < skipped ? param : param.withType(annotations.at(i - skipped).type())));
  return Decl.create(decl.range(), List.of(decl.range(), Param, params), types.return_type());
}

export class Parser {
  private readonly L: Lexer;

  /** @param start where it begins to read: the beginning of a line */
  constructor(source: Source, start = 0) {
    this.L = new Lexer(source, start);
  }

  lexer(): Lexer {
    return this.L;
  }

  // Expressions

  parseExp(precedence = 0): Expr {
    const { L } = this;
    let prefix = this.parseUnary();
    for (;;) {
      const { kind, range } = L.cur();
      let prec = binaryPrecedence(kind);
      if (prec === undefined || prec <= precedence) return prefix;
      L.next();
      if (isRightAssociative(kind)) prec--;
      prefix = this.parseBinary(kind, range, prefix, prec);
    }
  }

  private parseUnary(): Expr {
    const { L } = this;
    const { kind, range } = L.cur();
    const precedence = unaryPrecedence(kind);
    if (precedence === undefined) return this.parseBaseExp();
    L.next();
    const operand = this.parseExp(precedence);
    // A minus becomes part of a number, so that -1 is a constant.
    if (kind === "-" && operand.kind() === "const") {
      return views.Const.create(operand.range(), `-${new views.Const(operand.get()).text()}`);
    }
    const unary_kind = kind === "*" ? "starred" : kind === "-" ? "unary minus" : kind;
    return new Expr(Compound.create(unary_kind, range, [operand.get()]));
  }

  /** The rest of an operation whose operator has just been read. */
  private parseBinary(kind: Kind, range: SourceRange, prefix: Expr, precedence: number): Expr {
    const { L } = this;
    const operation = (operator: Kind) =>
      new Expr(Compound.create(operator, range, [prefix.get(), this.parseExp(precedence).get()]));
    switch (kind) {
      case "not in":
        return new Expr(Compound.create("not", range, [operation("in").get()]));
      case "if": {
        const cond = this.parseExp();
        L.expect("else");
        return views.TernaryIf.create(range, cond, prefix, this.parseExp(precedence));
      }
      case "for": {
        const target = this.parseLHSExp();
        L.expect("in");
        return views.ListComp.create(range, prefix, target, this.parseExp());
      }
      default:
        return operation(kind);
    }
  }

  /** An expression, or several with commas between them, which are a tuple. */
  private parseExpOrExpTuple(): Expr {
    const { L } = this;
    const first = this.parseExp();
    if (L.cur().kind !== ",") return first;
    const exprs = [first];
    while (L.nextIf(",") && !followsTuple.has(L.cur().kind)) exprs.push(this.parseExp());
    const list = List.of(first.range(), Expr, exprs);
    return views.TupleLiteral.create(list.range(), list);
  }

  /** The left side of an assignment binds tighter than a comparison. */
  private parseLHSExp(): Expr {
    return this.parseExp(4);
  }

  /** A literal, a name or an expression in brackets, with the attributes, calls and subscripts behind it. */
  private parseBaseExp(): Expr {
    const { L } = this;
    let prefix = this.parseAtom();
    for (;;) {
      if (L.nextIf(".")) {
        const name = this.parseIdent();
        prefix = views.Select.create(name.range(), prefix, name);
      } else if (L.cur().kind === "(") {
        prefix = this.parseApply(prefix);
      } else if (L.cur().kind === "[") {
        prefix = this.parseSubscript(prefix);
      } else {
        return prefix;
      }
    }
  }

  private parseAtom(): Expr {
    const { L } = this;
    const { kind, range } = L.cur();
    switch (kind) {
      case "number":
        return views.Const.create(range, L.next().text());
      case "True":
      case "False":
      case "None":
      case "NoneType":
        L.next();
        return new Expr(Compound.create(kind, range));
      case "(": {
        L.next();
        if (L.nextIf(")")) {
          const after = L.cur().range;
          return views.TupleLiteral.create(after, List.of<Expr>(after, Expr, []));
        }
        const inner = this.parseExpOrExpTuple();
        L.expect(")");
        return inner;
      }
      case "[":
        return this.parseListLiteral();
      case "{":
        return this.parseDictLiteral();
      case "string_literal":
        return this.parseConcatenatedStringLiterals();
      case "Ellipsis":
      case "dots":
        L.next();
        return views.Dots.create(range);
      default: {
        const name = this.parseIdent();
        return views.Var.create(name.range(), name);
      }
    }
  }

  private parseListLiteral(): Expr {
    const list = this.parseList("[", ",", "]", Expr, () => this.parseExp());
    const isComprehension = (item: Expr) => item.kind() === "list comprehension";
    if (list.size() === 1 && isComprehension(list.at(0))) return list.at(0);
    if (list.all().some(isComprehension)) {
      throw new ErrorReport(list, " expected a single list comprehension within '[' , ']'");
    }
    return views.ListLiteral.create(list.range(), list);
  }

  /** `{k: v for ...}` is read as the key `k` and the list comprehension `v for ...`. */
  private parseDictLiteral(): Expr {
    const { L } = this;
    L.expect("{");
    const { range } = L.cur(); // as in PyTorch, of what follows the brace
    const keys: Expr[] = [];
    const values: Expr[] = [];
    if (L.cur().kind !== "}") {
      do {
        keys.push(this.parseExp());
        L.expect(":");
        values.push(this.parseExp());
      } while (L.nextIf(","));
    }
    L.expect("}");
    if (keys.length === 1 && values[0].kind() === "list comprehension") {
      const comp = new views.ListComp(values[0].get());
      const parts = { key: keys[0], value: comp.elt(), target: comp.target(), iter: comp.iter() };
      return views.DictComp.create(range, parts);
    }
    return views.DictLiteral.create(range, List.of(range, Expr, keys), List.of(range, Expr, values));
  }

  private parseConcatenatedStringLiterals(): Expr {
    const { L } = this;
    const { range } = L.cur();
    let text = "";
    while (L.cur().kind === "string_literal") {
      const literal = L.cur().range;
      text += parseStringLiteral(literal, L.next().text());
    }
    return views.StringLiteral.create(range, text);
  }

  private parseIdent(): Ident {
    const token = this.L.expect("ident");
    return Ident.create(token.range, token.text());
  }

  private parseApply(callee: Expr): Expr {
    const { L } = this;
    const { range } = L.cur();
    const inputs: Expr[] = [];
    const attributes: Attribute[] = [];
    this.parseSequence("(", ",", ")", () => {
      if (L.cur().kind === "ident" && L.lookahead().kind === "=") {
        const ident = this.parseIdent();
        L.expect("=");
        attributes.push(Attribute.create(ident.range(), ident, this.parseExp()));
      } else {
        inputs.push(this.parseExp());
      }
    });
    return views.Apply.create(range, callee, List.of(range, Expr, inputs), List.of(range, Attribute, attributes));
  }

  private parseSubscript(value: Expr): Expr {
    const { range } = this.L.cur();
    const subscripts = this.parseList("[", ",", "]", Expr, () => this.parseSubscriptExp());
    return views.Subscript.create(range, value, subscripts);
  }

  /** An index, or a slice with any of its three parts left out. */
  private parseSubscriptExp(): Expr {
    const { L } = this;
    const { range } = L.cur();
    const part = (...ends: Kind[]) => (ends.includes(L.cur().kind) ? null : this.parseExp());
    const start = part(":");
    if (!L.nextIf(":")) return start as Expr; // an index: without a colon something has been read
    const end = part(",", "]", ":");
    const step = L.nextIf(":") ? part(",", "]") : null;
    const maybe = (expr: Expr | null) => Maybe.of(range, Expr, expr);
    return views.SliceExpr.create(range, maybe(start), maybe(end), maybe(step));
  }

  // Lists

  /** Items with `sep` between them; `begin` and `end` may be "nothing", and then the last `sep` is followed by an item. */
  private parseSequence(begin: Kind, sep: Kind, end: Kind, parse: () => void): void {
    const { L } = this;
    if (begin !== "nothing") L.expect(begin);
    while (L.cur().kind !== end) {
      parse();
      if (!L.nextIf(sep)) {
        if (end !== "nothing") L.expect(end);
        return;
      }
    }
    L.expect(end);
  }

  private parseList<T extends TreeView>(begin: Kind, sep: Kind, end: Kind, view: View<T>, parse: () => T): List<T> {
    const { range } = this.L.cur();
    const items: T[] = [];
    this.parseSequence(begin, sep, end, () => items.push(parse()));
    return List.of(range, view, items);
  }

  // Statements

  private parseStmt(in_class: boolean): Stmt {
    const { L } = this;
    const { kind } = L.cur();
    switch (kind) {
      case "if":
        return this.parseIf(L.next().range);
      case "while":
        return this.parseWhile();
      case "for":
        return this.parseFor();
      case "def":
        return new Stmt(this.parseFunction(in_class).get());
      case "with":
        return this.parseWith();
      case "global":
      case "return":
      case "raise":
      case "assert":
      case "break":
      case "continue":
      case "pass":
      case "del": {
        const { range } = L.next();
        const stmt = this.parseSimpleStmt(kind, range);
        L.expect("newline");
        return stmt;
      }
      default: {
        const lhs = this.parseExpOrExpTuple();
        if (L.cur().kind !== "newline") return this.parseAssign(lhs);
        L.expect("newline");
        return views.ExprStmt.create(lhs.range(), lhs);
      }
    }
  }

  /** The rest of a statement that fits in a line and begins with a keyword, without the line break. */
  private parseSimpleStmt(kind: Kind, range: SourceRange): Stmt {
    const { L } = this;
    switch (kind) {
      case "global":
        return views.Global.create(
          range,
          this.parseList("nothing", ",", "nothing", Ident, () => this.parseIdent()),
        );
      case "return": {
        const bare = L.cur().kind === "newline";
        return views.Return.create(range, bare ? new Expr(Compound.create("None", range)) : this.parseExpOrExpTuple());
      }
      case "raise":
        return views.Raise.create(range, this.parseExp());
      case "assert": {
        const test = this.parseExp();
        const msg = L.nextIf(",") ? this.parseExp() : null;
        return views.Assert.create(range, test, Maybe.of(range, Expr, msg));
      }
      case "break":
        return views.Break.create(range);
      case "continue":
        return views.Continue.create(range);
      case "pass":
        return views.Pass.create(range);
      default:
        return views.Delete.create(
          range,
          this.parseList("nothing", ",", "nothing", Expr, () => this.parseExp()),
        );
    }
  }

  /** An assignment, plain or augmented, whose first left side has been read. */
  private parseAssign(lhs: Expr): Stmt {
    const { L } = this;
    const type = this.maybeParseTypeAnnotation();
    const { kind, range } = L.cur();
    const operator = augmented.get(kind);
    if (operator === undefined) {
      L.expect("newline");
      return views.Assign.create(lhs.range(), List.of(lhs.range(), Expr, [lhs]), Maybe.of(lhs.range(), Expr), type);
    }
    L.next();
    let rhs = this.parseExpOrExpTuple();
    if (operator !== "=") {
      L.expect("newline");
      if (lhs.kind() === "tuple-literal") {
        throw new ErrorReport(lhs, " augmented assignment can only have one LHS expression");
      }
      return views.AugAssign.create(lhs.range(), lhs, Compound.create(operator, range), rhs);
    }
    const lhs_list = [lhs];
    while (L.nextIf("=")) {
      lhs_list.push(rhs);
      rhs = this.parseExpOrExpTuple();
    }
    if (type.present() && lhs_list.length > 1) {
      throw new ErrorReport(type, "Annotated multiple assignment is not supported in python");
    }
    L.expect("newline");
    const targets = List.of(lhs_list[0].range(), Expr, lhs_list);
    return views.Assign.create(lhs.range(), targets, Maybe.of(rhs.range(), Expr, rhs), type);
  }

  /** The rest behind `if` or `elif`. The range begins at `if`, but behind `elif`. */
  private parseIf(range: SourceRange): Stmt {
    const { L } = this;
    const cond = this.parseExp();
    L.expect(":");
    const true_branch = this.parseStatements(true, false);
    let false_branch = List.of<Stmt>(L.cur().range, Stmt, []);
    if (L.nextIf("else")) {
      L.expect(":");
      false_branch = this.parseStatements(true, false);
    } else if (L.nextIf("elif")) {
      const elif = L.cur().range;
      false_branch = List.of(elif, Stmt, [this.parseIf(elif)]);
    }
    return views.If.create(range, cond, true_branch, false_branch);
  }

  private parseWhile(): Stmt {
    const { range } = this.L.expect("while");
    const cond = this.parseExp();
    this.L.expect(":");
    return views.While.create(range, cond, this.parseStatements(true, false));
  }

  private parseFor(): Stmt {
    const { range } = this.L.expect("for");
    const targets = this.parseList("nothing", ",", "in", Expr, () => this.parseLHSExp());
    const itrs = this.parseList("nothing", ",", ":", Expr, () => this.parseExp());
    return views.For.create(range, targets, itrs, this.parseStatements(true, false));
  }

  private parseWith(): Stmt {
    const { range } = this.L.expect("with");
    const targets = this.parseList("nothing", ",", ":", views.WithItem, () => this.parseWithItem());
    return views.With.create(range, targets, this.parseStatements(true, false));
  }

  private parseWithItem(): views.WithItem {
    const { L } = this;
    const target = this.parseExp();
    if (L.cur().kind !== "as") {
      return views.WithItem.create(target.range(), target, Maybe.of(target.range(), views.Var));
    }
    const { range } = L.next();
    const ident = this.parseIdent();
    const variable = views.Var.create(ident.range(), ident);
    return views.WithItem.create(range, target, Maybe.of(ident.range(), views.Var, variable));
  }

  private parseStatements(expect_indent: boolean, in_class: boolean): List<Stmt> {
    const { L } = this;
    const { range } = L.cur();
    if (expect_indent) L.expect("indent");
    const stmts: Stmt[] = [];
    do stmts.push(this.parseStmt(in_class));
    while (!L.nextIf("dedent"));
    return List.of(range, Stmt, stmts);
  }

  // Declarations

  private maybeParseTypeAnnotation(): Maybe<Expr> {
    if (!this.L.nextIf(":")) return Maybe.of(this.L.cur().range, Expr);
    const expr = this.parseExp();
    return Maybe.of(expr.range(), Expr, expr);
  }

  private parseFormalParam(kwarg_only: boolean): Param {
    const ident = this.parseIdent();
    const type = this.maybeParseTypeAnnotation();
    const value = this.L.nextIf("=") ? this.parseExp() : null;
    const def = Maybe.of(value?.range() ?? this.L.cur().range, Expr, value);
    return Param.create(type.range(), ident, type, def, kwarg_only);
  }

  private parseFormalParams(): List<Param> {
    const { L } = this;
    const { range } = L.cur();
    const params: Param[] = [];
    let kwarg_only = false;
    this.parseSequence("(", ",", ")", () => {
      if (!kwarg_only && L.nextIf("*")) kwarg_only = true;
      else params.push(this.parseFormalParam(kwarg_only));
    });
    return List.of(range, Param, params);
  }

  private parseReturnAnnotation(): Maybe<Expr> {
    const { L } = this;
    if (!L.nextIf("arrow")) return Maybe.of(L.cur().range, Expr);
    const { range } = L.cur();
    return Maybe.of(range, Expr, this.parseExp());
  }

  private parseDecl(): Decl {
    const params = this.parseFormalParams();
    const return_type = this.parseReturnAnnotation();
    this.L.expect(":");
    return Decl.create(params.range(), params, return_type);
  }

  private parseBareTypeAnnotation(): Param {
    const type = this.parseExp();
    const range = type.range();
    return Param.create(range, Ident.create(range, ""), Maybe.of(range, Expr, type), Maybe.of(range, Expr), false);
  }

  /** `# type: (int, Tensor) -> Tensor` */
  parseTypeComment(): Decl {
    const { range } = this.L.expect("type comment");
    const types = this.parseList("(", ",", ")", Param, () => this.parseBareTypeAnnotation());
    return Decl.create(range, types, this.parseReturnAnnotation());
  }

  parseFunction(is_method: boolean): Def {
    const { L } = this;
    L.expect("def");
    const name = this.parseIdent();
    let decl = this.parseDecl();
    const block = L.nextIf("indent");
    if (L.cur().kind === "type comment") {
      const types = this.parseTypeComment();
      if (block) L.expect("newline");
      decl = mergeTypesFromTypeComment(decl, types, is_method);
    }
    let body: List<Stmt>;
    if (block) {
      body = this.parseStatements(false, false);
    } else {
      const stmt = this.parseStmt(is_method); // a function on one line
      body = List.of(L.cur().range, Stmt, [stmt]);
    }
    return Def.create(name.range(), name, decl, body);
  }

  parseClass(): views.ClassDef {
    const { L } = this;
    L.expect("class");
    const name = this.parseIdent();
    let superclass = Maybe.of<Expr>(name.range(), Expr);
    if (L.nextIf("(")) {
      const id = this.parseExp();
      superclass = Maybe.of(id.range(), Expr, id);
      L.expect(")");
    }
    L.expect(":");
    return views.ClassDef.create(name.range(), name, superclass, this.parseStatements(true, true));
  }
}

/** Functions of a text, as `CompilationUnit.define` takes them. */
export function parseFunctions(source: Source): Def[] {
  const parser = new Parser(source);
  const defs: Def[] = [];
  while (parser.lexer().cur().kind !== "eof") defs.push(parser.parseFunction(false));
  return defs;
}
