/**
 * @file The statements of a function: assignments, `if`, loops, `with`, inner functions.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#printNode
 */
import type { Type } from "#aten/core/jit_type";
import { TORCH_CHECK } from "#c10/util/Exception";
import { ErrorReport } from "../../frontend/error_report.ts";
import type { Block, Node, Value } from "../../ir/ir.ts";
import { IfView, LoopView } from "../../ir/ir_views.ts";
import { get_min_version_for } from "../../operator_upgraders/version_map.ts";
import { printRHS } from "./expressions.ts";
import type { PrintState } from "./state.ts";
import type { TaggedStringStream } from "./tagged_string.ts";

// Note [Long lines]
// ~~~~~~~~~~~~~~~~~
// An expression of 40 characters or more, with its indent, is not written inside another one. It gets a line of its own, and then everything
// that runs before it must get one too, or the order would change:
//     r = f(x.add_(b), long_expression)              _0 = x.add_(b)
//                                                    _1 = long_expression
//                                                    r = f(_0, _1)
const kLongLine = 40;

export class StatementPrinter {
  private readonly state: PrintState;
  /** How many inputs of a node have been looked at while long lines were split. */
  private readonly visited_split_inline_uses_ = new Map<Node, number>();
  private readonly seen_constants_ = new Set<Node>();
  private readonly annotated_unions_ = new Set<Value>();

  constructor(state: PrintState) {
    this.state = state;
  }

  /** Constants come first, in the order of their use; only long ones get a line. */
  printBody(body: Block): void {
    const { state } = this;
    const constants: Node[] = [];
    this.buildConstantList(body, constants);
    state.inline.scanBlock(body);
    state.indented(() => {
      for (const node of constants) this.printNode(node, true);
      this.printBlock(body, body.outputs().length > 0);
      this.printNode(body.return_node());
    });
  }

  private buildConstantList(block: Block, constants: Node[]): void {
    for (const node of [...block.nodes(), block.return_node()]) {
      for (const input of node.inputs()) {
        const constant = input.node();
        if (constant.kind() !== "prim::Constant" || this.seen_constants_.has(constant)) continue;
        this.seen_constants_.add(constant);
        constants.push(constant);
      }
      for (const inner of node.blocks()) this.buildConstantList(inner, constants);
    }
  }

  /** @param has_other_statements whether the caller writes more into the block, which is then never empty */
  private printBlock(block: Block, has_other_statements: boolean): void {
    const nodes = block.nodes();
    if (!has_other_statements && nodes.length === 0) this.state.indent().write("pass\n");
    for (const node of nodes) this.printNode(node);
  }

  private printNode(node: Node, print_const = false): void {
    const { state } = this;
    state.withSourceRange(node, () => {
      this.scanTypeDependencies(node);
      state.min_version = Math.max(state.min_version, get_min_version_for(node));
      if (!print_const && node.kind() === "prim::Constant") return;
      const statement = this.statements[node.kind()];
      if (statement === undefined) this.printExpression(node);
      else statement(node);
    });
  }

  private scanTypeDependencies(node: Node): void {
    const types: Type[] = [...node.inputs(), ...node.outputs()].map((value) => value.type());
    for (const name of node.attributeNames()) {
      if (node.kindOf(name) === "ty") types.push(node.ty(name));
      else if (node.kindOf(name) === "tys") types.push(...node.tys(name));
    }
    for (const type of types) this.state.registerClassDependencies(type);
  }

  // Expressions

  private printExpression(node: Node): void {
    const { state } = this;
    const expression = state.stream();
    printRHS(state, expression, node);
    const is_long = this.isLongLine(expression.str());
    if (!state.inline.has(node) || (node.kind() === "prim::Constant" && is_long)) {
      this.printOutputDefinition(node, expression);
      return;
    }
    state.assignExpression(node.output(), expression);
    if (is_long) this.splitLongInlines(node.output());
  }

  private isLongLine(text: string): boolean {
    return text.length + this.state.level * 2 >= kLongLine;
  }

  private printOutputDefinition(node: Node, expression: string | TaggedStringStream): void {
    const { state } = this;
    state.assignValuesToTheirUniqueNames(node.outputs());
    state.indent();
    if (node.outputs().length > 0) {
      state.printValueList(state.body, node.outputs());
      state.body.write(" = ");
    }
    state.body.write(expression, "\n");
  }

  /** Gives a long expression, and each one that runs before it, a line; see Note [Long lines]. */
  private splitLongInlines(value: Value): void {
    const to_split_reversed: Value[] = [];
    const [{ user, offset }] = value.uses();
    this.scanLongInlines(user, offset, to_split_reversed);
    for (const split of to_split_reversed.reverse()) {
      this.printOutputDefinition(split.node(), this.state.useOf(split));
    }
  }

  private scanLongInlines(user: Node, offset: number, to_split_reversed: Value[]): void {
    const { inline } = this.state;
    const visited = this.visited_split_inline_uses_.get(user);
    for (let i = offset; i >= (visited === undefined ? 0 : visited + 1); i--) {
      const input = user.input(i);
      if (input.node().kind() !== "prim::Constant" && inline.has(input.node())) to_split_reversed.push(input);
    }
    this.visited_split_inline_uses_.set(user, offset);
    if (visited === undefined && inline.has(user)) {
      // The user itself is still being written, so only what stands before it in the expression around it can be split.
      const [use] = user.output().uses();
      this.scanLongInlines(use.user, use.offset - 1, to_split_reversed);
    }
  }

  private printAssignment(lhs: readonly Value[], rhs: readonly Value[]): void {
    if (lhs.length === 0) return;
    const { state } = this;
    state.indent();
    state.printValueList(state.body, lhs);
    if (lhs.length === 1) this.printUnionAnnotation(lhs[0]);
    state.body.write(" = ");
    state.printValueList(state.body, rhs);
    state.body.write("\n");
  }

  /** A variable that may hold values of several types says so where it is first assigned, which Python allows for one variable only. */
  private printUnionAnnotation(value: Value): void {
    const { state } = this;
    const type = value.type();
    if (type.kind() !== "OptionalType" && type.kind() !== "UnionType") return;
    if (this.annotated_unions_.has(value) || state.hasExpression(value)) return;
    state.body.write(` : ${type.annotation_str()}`);
    this.annotated_unions_.add(value);
  }

  // Statements

  private readonly statements: Readonly<Record<string, (node: Node) => void>> = {
    "prim::Return": (node) => this.printReturn(node),
    "prim::Loop": (node) => this.printLoop(new LoopView(node)),
    "prim::If": (node) => this.printIf(new IfView(node)),
    "prim::TupleUnpack": (node) => this.printUnpack(node),
    "prim::ListUnpack": (node) => this.printUnpack(node),
    "prim::SetAttr": (node) => this.printSetAttr(node),
    "prim::fork": (node) => this.printTask(node, "__forked_function", "fork"),
    "prim::awaitable": (node) => this.printTask(node, "__awaitable_function", "awaitable"),
    "prim::Enter": (node) => this.printEnter(node),
    "prim::Exit": (node) => this.printExit(node),
    "prim::Closure": (node) => this.printClosure(node),
    "prim::ModuleContainerIndex": (node) => this.printContainerIndex(node),
  };

  private printReturn(node: Node): void {
    const { state } = this;
    if (state.enforce_importable && node.inputs().length !== 1) {
      throw new ErrorReport(
        node.sourceRange(),
        "Exportable methods must have a single return value. Normal use of ScriptMethods should enforce this",
      );
    }
    if (node.inputs().length === 0) return;
    state.indent().write("return ");
    state.printValueList(state.body, node.inputs());
    state.body.write("\n");
  }

  private printIf(view: IfView): void {
    const { state } = this;
    const outputs = view.outputs();
    state.assignValuesToTheirUniqueNames(outputs);
    const branch = (block: Block): void =>
      state.indented(() => {
        this.printBlock(block, outputs.length > 0);
        this.printAssignment(outputs, block.outputs());
      });
    state.indent().write("if ", state.useOf(view.cond()), ":\n");
    branch(view.thenBlock());
    state.indent().write("else:\n");
    branch(view.elseBlock());
  }

  /** The variables of a loop are the outputs of its node: they are assigned before the loop, and at the end of each round. */
  private printLoop(view: LoopView): void {
    const { state } = this;
    const type = view.loopType();
    if (type === "ModifiedLoop") {
      throw new ErrorReport(
        view.node().sourceRange(),
        "loop cannot be printed as python because it has gone through an optimization that combined while and for loops. File a bug",
      );
    }
    const variables = view.carriedOutputs();
    state.assignValuesToTheirUniqueNames(variables);
    const inside = view.bodyCarriedInputs();
    TORCH_CHECK(inside.length === variables.length, "Python printer expected 2 lists of same size");
    for (const [i, value] of inside.entries()) state.assignExpression(value, state.useOf(variables[i]));
    this.printAnnotatedAssignment(variables, view.carriedInputs());

    // A `while` has no use for the counter: the value stands for the condition.
    const counter = view.currentTripCount();
    state.assignValuesToTheirUniqueNames([counter]);
    const is_for = type === "For";
    if (is_for) {
      state.indent().write("for ", state.useOf(counter), " in range(", state.useOf(view.maxTripCount()), "):\n");
    } else {
      this.printAssignment([counter], [view.inputCond()]);
      state.indent().write("while ", state.useOf(counter), ":\n");
    }
    state.indented(() => {
      const body = view.bodyBlock();
      const assigned = body.inputs().slice(is_for ? 1 : 0);
      this.printBlock(body, assigned.length > 0);
      this.printAssignment(assigned, body.outputs().slice(is_for ? 1 : 0));
    });
  }

  private printAnnotatedAssignment(lhs: readonly Value[], rhs: readonly Value[]): void {
    const { state } = this;
    for (const [i, value] of lhs.entries()) {
      state.indent().write(state.useOf(value));
      if (!value.type().equals(rhs[i].type())) state.body.write(`: ${state.annotation(value.type())}`);
      state.body.write(" = ", state.useOf(rhs[i]), "\n");
    }
  }

  /** `a, b, = x`: the comma at the end also takes a tuple of one element apart. */
  private printUnpack(node: Node): void {
    const { state } = this;
    state.assignValuesToTheirUniqueNames(node.outputs());
    state.indent();
    if (node.outputs().length > 0) state.printValueList(state.body, node.outputs(), "", ", = ");
    state.body.write(state.useOf(node.input()), "\n");
  }

  private printSetAttr(node: Node): void {
    const { state } = this;
    const [object, value] = node.inputs();
    state.indent().write(state.useOf(object), ".", node.s("name"), " = ", state.useOf(value), "\n");
  }

  /** The body of a task is a function inside the function. */
  private printTask(node: Node, function_name: string, form: string): void {
    const { state } = this;
    const name = state.names.genName(function_name);
    const graph = node.g("Subgraph");
    state.indent().write("def ", name, "():\n");
    for (const [i, input] of node.inputs().entries()) {
      state.assignExpression(graph.inputs()[i], state.useOf(input));
    }
    this.printBody(graph.block());
    this.printOutputDefinition(node, `${form}(${name})`);
  }

  private printEnter(node: Node): void {
    const { state } = this;
    const out = node.output(0);
    state.indent().write("with ", state.useOf(node.input(0)));
    if (out.hasUses()) {
      state.assignName(out, state.genUniqueNameFor(out));
      state.body.write(" as ", state.useOf(out));
    }
    state.body.write(":\n");
    state.level++;
  }

  private printExit(node: Node): void {
    if (node.prev().kind() === "prim::Enter") this.state.indent().write("pass\n");
    this.state.level--;
  }

  private printClosure(node: Node): void {
    const { state } = this;
    if (state.enforce_importable) throw new ErrorReport(node.sourceRange(), "closures are not exportable");
    state.assignValuesToTheirUniqueNames(node.outputs());
    const name = state.useOf(node.output()).str();
    const graph = node.g("Subgraph");
    state.indent().write("def ", name, "(");
    state.assignValuesToTheirUniqueNames(graph.inputs());
    for (const [i, input] of graph.inputs().entries()) {
      state.body.write(i === 0 ? "" : ", ", state.useOf(input), `: ${state.annotation(input.type())}`);
    }
    state.body.write("):\n");
    this.printBody(graph.block());
  }

  private printContainerIndex(node: Node): void {
    const { state } = this;
    const out = node.output(0);
    const [container, key] = node.inputs();
    state.assignValuesToTheirUniqueNames([out]);
    state.indent().write(state.useOf(out), ` : ${out.type().annotation_str()} = `);
    state.body.write(state.useOf(container), "[", state.useOf(key), "]\n");
  }
}
