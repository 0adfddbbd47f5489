/**
 * @file The compiler of `@vec` kernel text to WebAssembly: statements, functions, and the module for a dtype.
 *
 *   for (let i = 0; i < n; i++) body        i = 0; if (i < n) loop { body; i++; again if (i < n) }
 *
 * @original PyTorch uses the C++ compiler, once for each CPUCapability.
 * @see src/aten/cpu/vec/Vec.ts, Note [Kernel text with Vec]; vec_expressions.ts; src/aten/cpu/vec/assembler.ts
 */
import type { WasmFunction, WasmType } from "../../../src/aten/cpu/vec/assembler.ts";
import { CodegenError } from "../errors.ts";
import type { Node } from "./source.ts";
import { type Binding, type Instance, VecExpressions } from "./vec_expressions.ts";
import type { VecDtype, VecFile, VecFunction } from "./vec_source.ts";
import { SHAPES, type Shape, type_named, type VecType, wasm_type } from "./vec_types.ts";

/** The functions of a file for one dtype: the exported ones and those that they call. */
export function compile_vec(file: VecFile, dtype: VecDtype, relaxed: boolean): WasmFunction[] {
  const shape = SHAPES[dtype];
  const typed = (fn: VecFunction, text: string, node: Node): VecType => {
    const type = type_named(text);
    if (type !== null) return type;
    const place = { file: fn.path, line: node.loc.start.line };
    const way_out = "use Vec, IntVec, Mask, int, float or ptr";
    throw new CodegenError(place, `@vec ${file.name}`, `"${text}" in ${fn.name}`, way_out);
  };
  const instance: Instance = {
    file,
    shape,
    relaxed,
    result_of: (fn) => typed(fn, fn.returnType, fn.node),
    param_types: (fn) => fn.params.map((p) => typed(fn, p.type, p.node)),
  };
  const all = [...file.functions.values()];
  const compiled = new Map<string, WasmFunction>();
  const visit = (fn: VecFunction): void => {
    if (compiled.has(fn.name)) return;
    const made = new FunctionCompiler(instance, fn).compile();
    compiled.set(fn.name, made);
    for (const line of made.body)
      if (line.startsWith("call $")) visit(file.functions.get(line.slice(6)) as VecFunction);
  };
  for (const fn of all) if (fn.exported) visit(fn);
  return [...compiled.values()];
}

/** Whether fused multiply-add would change any instruction. */
export function uses_fmadd(file: VecFile): boolean {
  return /\bfmadd\(/.test(file.text);
}

class FunctionCompiler extends VecExpressions {
  private readonly fn: VecFunction;
  private readonly params: [string, WasmType][] = [];
  /** Loops around the current statement, the innermost last: the targets of break and continue. */
  private readonly loops: { readonly label: string; breaks: boolean; continues: boolean }[] = [];
  private labels = 0;
  private inlining = 0;

  constructor(instance: Instance, fn: VecFunction) {
    super(instance, fn.path);
    this.fn = fn;
  }

  private get shape(): Shape {
    return this.instance.shape;
  }

  compile(): WasmFunction {
    const { fn, shape } = this;
    const types = this.instance.param_types(fn);
    for (const [k, p] of fn.params.entries()) {
      const type = wasm_type(types[k], shape);
      this.params.push([p.name, type]);
      this.locals.push([p.name, type]);
      this.scopes[0].set(p.name, { kind: "local", local: p.name, type: types[k], writable: true });
    }
    const result = this.instance.result_of(fn);
    this.block(fn.node.body.body);
    const results = result === "void" ? [] : [wasm_type(result, shape)];
    if (results.length > 0) this.emit("unreachable"); // after the last return
    const { conversions } = this;
    const body = [...this.head, ...conversions.head, ...this.lines];
    const locals = [...this.locals.slice(types.length), ...conversions.locals];
    return { name: fn.name, params: this.params, results, locals, body };
  }

  protected inline_body(fn: VecFunction): void {
    const statements: Node[] = fn.node.body.body;
    const result = this.instance.result_of(fn);
    const last = statements.at(-1);
    const returns = last?.type === "ReturnStatement" && last.argument;
    if (result !== "void" && !returns) this.fail(fn.node, `${fn.name} does not end with return`, "end it so");
    const loops = this.loops.splice(0);
    this.inlining++;
    this.scopes.push(new Map());
    for (const s of returns ? statements.slice(0, -1) : statements) this.statement(s);
    if (returns) this.value(last.argument, result);
    this.scopes.pop();
    this.inlining--;
    this.loops.push(...loops);
  }

  private block(nodes: readonly Node[]): void {
    this.scopes.push(new Map());
    for (const node of nodes) this.statement(node);
    this.scopes.pop();
  }

  private body(node: Node): void {
    this.block(node.type === "BlockStatement" ? node.body : [node]);
  }

  private statement(s: Node): void {
    switch (s.type) {
      case "VariableDeclaration":
        for (const d of s.declarations) this.declare(s, d);
        return;
      case "ExpressionStatement":
        this.effect(s.expression);
        return;
      case "BlockStatement":
        this.block(s.body);
        return;
      case "IfStatement":
        this.if_(s);
        return;
      case "ForStatement":
        this.scopes.push(new Map());
        if (s.init?.type === "VariableDeclaration") this.statement(s.init);
        else if (s.init) this.effect(s.init);
        this.loop(s.test, s.body, s.update);
        this.scopes.pop();
        return;
      case "WhileStatement":
        this.loop(s.test, s.body, null);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        this.jump(s);
        return;
      case "ReturnStatement":
        if (this.inlining > 0)
          this.fail(s, "return in the middle of an @inline function", "return at its end, or remove @inline");
        if (s.argument) this.value(s.argument, this.instance.result_of(this.fn));
        this.emit("return");
        return;
      default: {
        const way_out = "use const, let, for, while, if, break, continue, return, assignments and calls";
        this.fail(s, `${s.type} in vector kernel text`, way_out);
      }
    }
  }

  private declare(s: Node, d: Node): void {
    const annotation = d.id.typeAnnotation?.typeAnnotation;
    const written: string | null = annotation ? (annotation.typeName?.name ?? annotation.type) : null;
    const name: string = d.id.name;
    const scope = this.scopes.at(-1) as Map<string, Binding>;
    const value = d.init ? this.literal(d.init) : null;
    if (s.kind === "const" && value !== null && written === null) {
      scope.set(name, { kind: "literal", value });
      return;
    }
    let type: VecType | null = written === null ? null : type_named(written);
    if (written !== null && type === null)
      this.fail(d, `"${written}" is not a type`, "use Vec, IntVec, Mask, int, float or ptr");
    if (type === null) {
      if (!d.init) this.fail(d, `${name} has neither type nor value`, "annotate it");
      type = this.type_of(d.init);
      if (type === "literal") {
        if (!Number.isInteger(value)) this.fail(d, `${name} may be a float or a Vec`, "annotate it");
        type = "int";
      }
    }
    if (type === "void" || type === "truth") this.fail(d, `${name} would be ${type}`, "write it where it is needed");
    const local = this.local(name, wasm_type(type, this.shape));
    // A variable without a value is 0 in WebAssembly too, but only the first time.
    if (d.init) {
      this.value(d.init, type);
      this.emit(`local.set $${local}`);
    }
    scope.set(name, { kind: "local", local, type, writable: s.kind === "let" });
  }

  /** Prints an expression that is used for its effect. */
  private effect(node: Node): void {
    switch (node.type) {
      case "SequenceExpression":
        for (const e of node.expressions) this.effect(e);
        return;
      case "UpdateExpression": {
        const to = this.target(node.argument);
        if (to.type !== "int" && to.type !== "ptr") this.fail(node, `${node.operator} of ${to.type}`, "write += 1");
        const op = node.operator === "++" ? "i32.add" : "i32.sub";
        this.emit(`local.get $${to.local}`, "i32.const 1", op, `local.set $${to.local}`);
        return;
      }
      case "AssignmentExpression": {
        const to = this.target(node.left);
        // `a += b` is `a = a + b`.
        const operator = node.operator.slice(0, -1);
        const value =
          operator === ""
            ? node.right
            : { type: "BinaryExpression", operator, left: node.left, right: node.right, loc: node.loc };
        this.value(value, to.type);
        this.emit(`local.set $${to.local}`);
        return;
      }
      case "CallExpression":
        if (this.type_of(node) !== "void") this.fail(node, `the result of ${node.callee.name} is not used`, "use it");
        this.call(node);
        return;
      default:
        this.fail(node, `${node.type} as a statement`, "use an assignment or a call");
    }
  }

  private target(node: Node): Binding & { kind: "local" } {
    const b =
      node.type === "Identifier"
        ? this.name(node)
        : this.fail(node, "the left side of an assignment must be a name", "use store()");
    if (b.kind !== "local" || !b.writable) return this.fail(node, `${node.name} is constant`, "declare it with let");
    return b;
  }

  private if_(s: Node): void {
    const known = this.literal(s.test);
    if (known !== null) {
      if (known) this.body(s.consequent);
      else if (s.alternate) this.body(s.alternate);
      return;
    }
    this.value(s.test, "truth");
    this.emit("if");
    this.body(s.consequent);
    if (s.alternate) {
      this.emit("else");
      this.body(s.alternate);
    }
    this.emit("end");
  }

  private loop(test: Node | null, body: Node, update: Node | null): void {
    const loop = { label: `${this.labels++}`, breaks: false, continues: false };
    const known = test === null ? true : this.literal(test);
    if (known === false) return;
    const before = this.lines;
    const ask = (): void => {
      if (known === null) this.value(test as Node, "truth");
    };
    this.lines = [];
    this.loops.push(loop);
    this.body(body);
    this.loops.pop();
    const inner = this.lines;
    this.lines = before;
    if (loop.breaks) this.emit(`block $break${loop.label}`);
    if (known === null) {
      ask();
      this.emit("if");
    }
    this.emit(`loop $again${loop.label}`);
    if (loop.continues) this.emit(`block $continue${loop.label}`);
    this.emit(...inner);
    if (loop.continues) this.emit("end");
    if (update) this.effect(update);
    ask();
    this.emit(`${known === null ? "br_if" : "br"} $again${loop.label}`, "end");
    if (known === null) this.emit("end");
    if (loop.breaks) this.emit("end");
  }

  /** The parser guarantees a loop around it; a label would be a statement of its own. */
  private jump(s: Node): void {
    const loop = this.loops[this.loops.length - 1];
    const isBreak = s.type === "BreakStatement";
    if (isBreak) loop.breaks = true;
    else loop.continues = true;
    this.emit(`br $${isBreak ? "break" : "continue"}${loop.label}`);
  }
}
