/**
 * @file Instructions that make values anew: outputs of the graph, objects from their parts, what a source names.
 * @mirrors torch/_dynamo/codegen.py
 */

import type { OpName } from "#python/compiler/opcode";
import { builtins } from "#python/Objects/builtins_of";
import { Cell } from "#python/Objects/funcobject";
import type { Node } from "#torch/fx/node";
import { create_call_function, create_instruction, type Instruction, unique_id } from "./bytecode_transformation.ts";
import { ClosureSource, type Source } from "./source.ts";
import { LazyVariableTracker, type VariableTracker } from "./variables/base.ts";
import type { CellVariable } from "./variables/functions.ts";
import { type NumberVariable, SymNodeVariable } from "./variables/tensor.ts";

/** The question that generated code asks of the frame that it belongs to. */
export interface CodegenFrame {
  /** Names of variables that live in cells. */
  cell_and_freevars(): ReadonlySet<string>;
  readonly output: { as_tensor(value: NumberVariable): Node };
}

/** Makes a cell: what a function that the followed code made shares with others. */
const make_cell = (): Cell => new Cell(undefined);

export class PyCodegen {
  readonly tx: CodegenFrame;
  /** Variable of the generated code that holds what the graph returns; null while nobody may ask for it. */
  private readonly graph_output_var: string | null;
  readonly output: Instruction[] = [];
  /** Nodes that the graph must return, with their places. */
  readonly graph_outputs = new Map<Node, number>();
  /** How often a value was made; a value that is made twice must be one object. */
  readonly uses = new Map<VariableTracker, number>();
  private readonly tempvars: Map<VariableTracker, string | null>;
  /** Called for an object that the followed code made: leaves it on the stack. */
  make_object: ((codegen: PyCodegen, value: VariableTracker) => boolean) | null = null;
  private readonly cells = new Map<CellVariable, string>();
  /** Cells of the frame itself that functions take with them. */
  readonly loaded_cells = new Set<CellVariable>();

  constructor(tx: CodegenFrame, graph_output_var: string | null = null, shared: Iterable<VariableTracker> = []) {
    this.tx = tx;
    this.graph_output_var = graph_output_var;
    this.tempvars = new Map([...shared].map((it) => [it, null]));
  }

  append(name: OpName, arg = 0): void {
    this.output.push(create_instruction(name, { arg }));
  }
  push(...instructions: Instruction[]): void {
    this.output.push(...instructions);
  }
  load_const(value: unknown): void {
    this.output.push(create_instruction("LOAD_CONST", { argval: value }));
  }
  load(name: string): void {
    const in_cell = this.tx.cell_and_freevars().has(name);
    this.output.push(create_instruction(in_cell ? "LOAD_DEREF" : "LOAD_FAST", { argval: name }));
  }
  store(name: string): void {
    const in_cell = this.tx.cell_and_freevars().has(name);
    this.output.push(create_instruction(in_cell ? "STORE_DEREF" : "STORE_FAST", { argval: name }));
  }
  load_global(name: string): void {
    this.output.push(create_instruction("LOAD_GLOBAL", { argval: name }));
  }
  store_global(name: string): void {
    this.output.push(create_instruction("STORE_GLOBAL", { argval: name }));
  }
  load_attr(name: string): void {
    this.output.push(create_instruction("LOAD_ATTR", { argval: name }));
  }
  store_attr(name: string): void {
    this.output.push(create_instruction("STORE_ATTR", { argval: name }));
  }
  delete_attr(name: string): void {
    this.output.push(create_instruction("DELETE_ATTR", { argval: name }));
  }
  load_source(source: Source): void {
    source.reconstruct(this);
  }
  /** Calls a method of a generated local variable with constants, and drops the result. */
  call_on_local(name: string, method: string, args: readonly unknown[]): void {
    this.push(create_instruction("LOAD_FAST", { argval: name }));
    this.load_attr(method);
    this.push_null_below();
    for (const arg of args) this.load_const(arg);
    this.call(args.length);
    this.append("POP_TOP");
  }
  /** Loads a builtin as the callee of a call. */
  load_builtin(name: string): void {
    this.append("PUSH_NULL");
    this.load_const(builtins.get(name));
  }
  /** Puts the empty place below the callee on top of the stack. */
  push_null_below(): void {
    this.append("PUSH_NULL");
    this.append("SWAP", 2);
  }
  call(nargs: number): void {
    this.output.push(...create_call_function(nargs));
  }

  /** A value that the graph computes. */
  load_graph_output(node: Node): void {
    const known = this.graph_outputs.get(node);
    const index = known ?? this.graph_outputs.size;
    this.graph_outputs.set(node, index);
    this.load(this.graph_output_var as string);
    this.load_const(index);
    this.append("BINARY_SUBSCR");
  }

  /** A cell that functions share, the same one each time. */
  load_cell(cell: CellVariable): void {
    const known = this.cells.get(cell);
    if (known !== undefined) this.load(known);
    else if (cell.local_name !== null) {
      this.loaded_cells.add(cell);
      this.push(create_instruction("LOAD_CLOSURE", { argval: cell.local_name }));
    } else if (cell.source instanceof ClosureSource) cell.source.load_cell(this);
    else if (cell.cell !== null) this.load_const(cell.cell);
    else this.make_cell(cell);
  }
  /** A cell that the followed code made. Its content may name the cell itself: a function that calls itself. */
  private make_cell(cell: CellVariable): void {
    const name = unique_id("cell");
    this.cells.set(cell, name);
    this.load_const(make_cell);
    this.push_null_below();
    this.call(0);
    this.append("COPY", 1);
    this.store(name);
    if (cell.content === null) return;
    this.reconstruct(cell.content);
    this.load(name);
    this.store_attr("cell_contents");
  }

  /** Leaves the value on the stack. */
  reconstruct(given: VariableTracker): void {
    if (given instanceof LazyVariableTracker && !given.is_realized) {
      this.load_source(given.source as Source);
      return;
    }
    const value = given.realize();
    this.uses.set(value, (this.uses.get(value) ?? 0) + 1);
    const is_constant = value.is_python_constant() && !(value instanceof SymNodeVariable);
    const temp = this.tempvars.get(value);
    if (value.source !== null && !is_constant) this.load_source(value.source);
    else if (typeof temp === "string") this.load(temp);
    else this.make(value, temp === null);
  }
  private make(value: VariableTracker, is_shared: boolean): void {
    if (this.make_object?.(this, value) !== true) value.reconstruct(this);
    if (!is_shared || value.is_tensor()) return;
    const name = unique_id("tmp");
    this.tempvars.set(value, name);
    this.append("COPY", 1);
    this.store(name);
  }
}
