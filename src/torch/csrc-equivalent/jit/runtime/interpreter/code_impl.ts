/**
 * @file From a graph to the interpreter's instructions.
 * @mirrors torch/csrc/jit/runtime/interpreter/code_impl.h
 * @differs There are no bailouts: PyTorch's executor does not make them any more either.
 *
 * The mechanism in miniature: a node loads its inputs onto the stack, acts on them, and stores its outputs into registers.
 *
 *     graph(%x : Tensor, %n : int):                 STOREN 1 2     the arguments: registers 1 and 2
 *       %2 : Tensor = aten::mul(%x, %n)             LOAD 1         x is used again
 *       %3 : Tensor = aten::neg(%2)                 MOVE 2         the last use clears the register
 *       %4 : Tensor = aten::sub(%x, %3, %1)         OP 0           mul; its value stays on the stack, see Note [Trees on the stack]
 *       return (%4)                                 ...
 */
import type { ClassType } from "#aten/core/class_type";
import type { Function, FunctionType } from "#aten/core/function";
import { IValue } from "#aten/core/ivalue";
import { TupleType, type Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { toIValue } from "../../ir/constants.ts";
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";
import { Instruction, Op, type OpCode } from "../instruction.ts";
import type { Operation, Operator } from "../operator.ts";
import { SubgraphFunction } from "../subgraph_function.ts";
import { PreprocessGraph } from "./preprocess_graph.ts";

/** A node with a callback that looks at the stack while the graph is profiled. */
export interface ProfileNode extends Node {
  getCallback(): (stack: Stack) => void;
}

/** Nodes that have an instruction of their own in place of an operator. */
const promoted: Readonly<Record<string, OpCode>> = {
  "prim::RaiseException": Op.RAISE_EXCEPTION,
  "prim::TupleIndex": Op.TUPLE_INDEX,
  "prim::dtype": Op.DTYPE,
  "prim::device": Op.DEVICE,
  "aten::dim": Op.DIM,
  "prim::is_cuda": Op.IS_CUDA,
  "aten::__not__": Op.__NOT__,
  "aten::__is__": Op.__IS__,
  "aten::__isnot__": Op.__ISNOT__,
  "prim::NumToTensor": Op.NUM_TO_TENSOR,
  "prim::tolist": Op.TO_LIST,
};

export class CodeImpl {
  readonly instructions_: Instruction[] = [];
  /** The node that made each instruction, for tracebacks. */
  readonly instructions_source_: Node[] = [];
  readonly constant_table_: IValue[] = [];
  readonly operator_table_: Operation[] = [];
  readonly function_table_: Function[] = [];
  readonly type_table_: Type[] = [];
  readonly profile_function_table_: ((stack: Stack) => void)[] = [];
  register_size_ = 0;
  readonly n_inputs: number;
  readonly n_outputs: number;
  readonly return_type_: Type;
  readonly function_name_: string;
  readonly graph_: Graph;
  protected readonly preprocess_: PreprocessGraph;
  /** Indices of operators by name and number of inputs: an operator is in the table once. */
  private readonly operator_table_inv_ = new Map<string, number>();
  /** The register of a value, or the index of a constant. */
  private readonly value_to_reg_ = new Map<Value, number>();
  /** Uses that were emitted so far; the last one moves the value out of its register. */
  private readonly use_count_ = new Map<Value, number>();
  private current_node_: Node;

  constructor(graph: Graph, function_name: string) {
    this.function_name_ = function_name;
    this.preprocess_ = new PreprocessGraph(graph);
    this.graph_ = this.preprocess_.graph;
    this.current_node_ = this.graph_.return_node();
    const outputs = this.graph_.outputs();
    this.n_inputs = this.graph_.inputs().length;
    this.n_outputs = outputs.length;
    this.return_type_ =
      outputs.length === 1 ? outputs[0].type() : TupleType.create(outputs.map((output) => output.type()));
  }

  /** Emits everything. It is no part of the constructor, because a subclass counts arguments before. */
  run(): this {
    this.emitCodeForBlock(this.graph_.block());
    this.insertInstruction(Op.RET);
    return this;
  }

  protected insertInstruction(op: OpCode, X = 0, N = 0): void {
    this.instructions_.push(new Instruction(op, X, N));
    this.instructions_source_.push(this.current_node_);
  }

  /** Registers, from 1 on, for values; returns the first. */
  private allocRegs(values: readonly Value[]): number {
    const first = this.register_size_ + 1;
    for (const value of values) {
      TORCH_INTERNAL_ASSERT(!this.value_to_reg_.has(value));
      this.value_to_reg_.set(value, ++this.register_size_);
    }
    return first;
  }

  private registerFor(value: Value): number {
    const register = this.value_to_reg_.get(value);
    TORCH_INTERNAL_ASSERT(register !== undefined, "no register for %", value.debugName());
    return register;
  }

  /** Pushes a value; if `drop`, clears its register instead, or pops the value that was just made. */
  private emitUse(input: Value, drop: boolean): void {
    if (this.preprocess_.can_emit_inline.has(input.node())) {
      this.emitNode(input.node());
      if (drop) this.insertInstruction(Op.DROP);
      return;
    }
    const register = this.registerFor(input);
    const count = (this.use_count_.get(input) ?? 0) + 1;
    this.use_count_.set(input, count);
    const moved = input.uses().length === count;
    const load = input.node().kind() === "prim::Constant" ? Op.LOADC : moved ? Op.MOVE : Op.LOAD;
    this.insertInstruction(drop ? Op.DROPR : load, register);
  }

  protected emitLoadInputs(inputs: readonly Value[]): void {
    for (const input of inputs) this.emitUse(input, false);
  }

  protected emitOperator(node: Node): void {
    this.emitLoadInputs(node.inputs());
    this.emitCallOf(node, node.getOperator());
  }

  /** The call itself; its arguments are on the stack. */
  protected emitCallOf(node: Node, op: Operator): void {
    const num_inputs = node.inputs().length;
    const index = this.add_to_operator_table(op, node, num_inputs);
    if (op.hasOperation() && op.schema().is_vararg()) this.insertInstruction(Op.OPN, index, num_inputs);
    else this.insertInstruction(Op.OP, index);
  }

  private add_to_operator_table(op: Operator, node: Node, num_inputs: number): number {
    const size = this.operator_table_.length;
    if (!op.schema().is_vararg()) {
      const key = `${op.schema().operator_name()} ${num_inputs}`;
      const found = this.operator_table_inv_.get(key);
      if (found !== undefined) return found;
      this.operator_table_inv_.set(key, size);
    }
    this.operator_table_.push(op.getOperation(node));
    return size;
  }

  protected emitOperatorOrInstruction(node: Node, op: OpCode, X = 0, N = 0, emit_inputs = true): void {
    if (emit_inputs) this.emitLoadInputs(node.inputs());
    this.insertInstruction(op, X, N);
  }

  /** An index into a dict has an instruction, whatever the type of its key is. */
  private checkNodeAndEmit(node: Node): void {
    const name = String(node.getOperator().schema().operator_name());
    if (name.startsWith("aten::__getitem__.Dict")) this.emitOperatorOrInstruction(node, Op.DICT_INDEX);
    else this.emitOperator(node);
  }

  private emitStoreOutputs(node: Node): void {
    const N = node.outputs().length;
    if (N === 0) return;
    const registers = this.allocRegs(node.outputs());
    if (N === 1) this.insertInstruction(Op.STORE, registers);
    else this.insertInstruction(Op.STOREN, registers, N);
  }

  private insertConstant(value: IValue): number {
    return this.constant_table_.push(value) - 1;
  }

  private emitConstant(node: Node): void {
    if (node.output().type().kind() === "FunctionType") return;
    const value = toIValue(node.output());
    TORCH_INTERNAL_ASSERT(value !== null, "a constant has a value");
    this.value_to_reg_.set(node.output(), this.insertConstant(value));
  }

  private emitIf(node: Node): void {
    this.emitLoadInputs(node.inputs());
    const start_if = this.instructions_.length;
    this.insertInstruction(Op.JF);
    this.emitCodeForBlock(node.blocks()[0]);
    this.insertInstruction(Op.JMP);
    const start_else = this.instructions_.length;
    this.instructions_[start_if].X = start_else - start_if;
    this.emitCodeForBlock(node.blocks()[1]);
    this.instructions_[start_else - 1].X = this.instructions_.length - (start_else - 1);
  }

  /** On the stack lie, below the loop's own inputs, the rounds that were made. */
  private emitLoop(loop: Node): void {
    this.insertInstruction(Op.LOADC, this.insertConstant(IValue.fromInt(0)));
    this.emitLoadInputs(loop.inputs());
    const start = this.instructions_.length;
    this.insertInstruction(Op.LOOP, 0, loop.inputs().length);
    this.emitCodeForBlock(loop.blocks()[0]);
    this.insertInstruction(Op.JMP, start - this.instructions_.length);
    this.instructions_[start].X = this.instructions_.length - start;
  }

  private emitCall(fn: Function, inputs: readonly Value[]): void {
    this.emitLoadInputs(inputs);
    this.insertInstruction(Op.CALL, this.function_table_.push(fn) - 1);
  }

  private emitCallMethod(node: Node): void {
    const type = node.inputs()[0].type();
    const name = node.s("name");
    if (type.kind() === "ClassType") {
      this.emitCall((type as ClassType).getMethod(name), node.inputs());
      return;
    }
    this.emitLoadInputs(node.inputs());
    this.insertInstruction(Op.INTERFACE_CALL, this.insertConstant(IValue.fromString(name)), node.inputs().length);
  }

  private emitType(type: Type): number {
    return this.type_table_.push(type) - 1;
  }

  /** @returns the index of the first */
  private emitTypes(types: readonly Type[]): number {
    const start = this.type_table_.length;
    for (const type of types) this.emitType(type);
    return start;
  }

  private emitTypeCheck(node: Node): void {
    const num_inputs = node.inputs().length;
    TORCH_INTERNAL_ASSERT(num_inputs > 0 && num_inputs + 1 === node.outputs().length);
    this.emitLoadInputs(node.inputs());
    this.insertInstruction(Op.TYPECHECK, this.emitTypes(node.tys("types")), num_inputs);
  }

  private emitProfile(node: Node): void {
    this.emitLoadInputs(node.inputs());
    this.insertInstruction(Op.PROFILE_OP, this.profile_function_table_.push((node as ProfileNode).getCallback()) - 1);
  }

  private emitAttribute(node: Node, op: OpCode): void {
    this.emitLoadInputs(node.inputs());
    const type = node.inputs()[0].type() as ClassType;
    this.insertInstruction(op, type.getAttributeSlot(node.s("name")));
  }

  private emitContainerConstruct(op: OpCode, node: Node): void {
    this.emitLoadInputs(node.inputs());
    this.insertInstruction(op, this.emitType(node.output().type()), node.inputs().length);
  }

  private emitTupleConstruct(node: Node): void {
    const type = node.output().type() as Type & { name?(): string | null };
    if ((type.name?.() ?? null) !== null) {
      this.emitContainerConstruct(Op.NAMED_TUPLE_CONSTRUCT, node);
      return;
    }
    this.emitLoadInputs(node.inputs());
    this.insertInstruction(Op.TUPLE_CONSTRUCT, node.inputs().length);
  }

  private emitTupleSlice(node: Node): void {
    this.emitLoadInputs(node.inputs());
    const begin = node.i("beg");
    this.insertInstruction(Op.TUPLE_SLICE, begin, node.i("end") - begin);
  }

  /** The subgraph becomes a function. */
  private emitTask(node: Node, op: OpCode, name: string): void {
    this.emitLoadInputs(node.inputs());
    const fn = new SubgraphFunction(name, node.g("Subgraph"));
    this.insertInstruction(op, this.function_table_.push(fn) - 1, node.inputs().length);
  }

  private emitNodeAtBlockLevel(node: Node): void {
    const outer = this.current_node_;
    this.current_node_ = node;
    if (node.kind() === "prim::Constant") this.emitConstant(node);
    else if (node.kind() === "prim::Return") this.emitLoadInputs(node.inputs());
    else if (!this.preprocess_.can_emit_inline.has(node)) {
      this.emitNode(node);
      this.emitStoreOutputs(node);
    }
    this.current_node_ = outer;
  }

  private emitNode(node: Node): void {
    const outer = this.current_node_;
    this.current_node_ = node;
    this.emitKind(node);
    this.current_node_ = outer;
  }

  private emitKind(node: Node): void {
    const kind = node.kind();
    switch (kind) {
      case "prim::Param":
        return;
      case "prim::Drop":
        for (const input of node.inputs()) this.emitUse(input, true);
        return;
      case "prim::Constant":
        this.emitConstant(node);
        return;
      case "prim::If":
        this.emitIf(node);
        return;
      case "prim::Loop":
        this.emitLoop(node);
        return;
      case "aten::wait":
      case "prim::awaitable_wait":
        this.emitLoadInputs(node.inputs());
        this.insertInstruction(Op.WAIT);
        return;
      case "prim::CallFunction":
        this.emitCall((node.inputs()[0].type() as FunctionType).function(), node.inputs().slice(1));
        return;
      case "prim::CallMethod":
        this.emitCallMethod(node);
        return;
      case "prim::TypeCheck":
        this.emitTypeCheck(node);
        return;
      case "prim::BailOut":
        TORCH_CHECK(false, "prim::BailOut not yet implemented");
        return;
      case "prim::profile":
      case "prim::profile_ivalue":
        this.emitProfile(node);
        return;
      case "prim::GetAttr":
        this.emitAttribute(node, Op.GET_ATTR);
        return;
      case "prim::SetAttr":
        this.emitAttribute(node, Op.SET_ATTR);
        return;
      case "prim::ListUnpack":
        this.emitLoadInputs(node.inputs());
        this.insertInstruction(Op.LIST_UNPACK, node.outputs().length);
        return;
      case "prim::TupleConstruct":
        this.emitTupleConstruct(node);
        return;
      case "prim::ListConstruct":
        this.emitContainerConstruct(Op.LIST_CONSTRUCT, node);
        return;
      case "prim::DictConstruct":
        this.emitContainerConstruct(Op.DICT_CONSTRUCT, node);
        return;
      case "prim::CreateObject":
        this.insertInstruction(Op.CREATE_OBJECT, this.emitType(node.output().type()));
        return;
      case "prim::isinstance": {
        this.emitLoadInputs(node.inputs());
        const types = node.tys("types");
        this.insertInstruction(Op.ISINSTANCE, this.emitTypes(types), types.length);
        return;
      }
      case "prim::TupleSlice":
        this.emitTupleSlice(node);
        return;
      case "prim::fork":
        this.emitTask(node, Op.FORK, "<forked function>");
        return;
      case "prim::awaitable":
        this.emitTask(node, Op.AWAITABLE, "<awaitable function>");
        return;
      case "aten::warn":
        this.emitLoadInputs(node.inputs());
        this.insertInstruction(Op.WARN, node.hasAttribute("warn_id") ? node.i("warn_id") : -1);
        return;
      case "prim::Enter":
        this.emitLoadInputs(node.inputs());
        this.insertInstruction(Op.ENTER);
        return;
      case "prim::Exit":
        this.insertInstruction(Op.EXIT);
        return;
      case "prim::Uninitialized":
        this.emitOperatorOrInstruction(node, Op.UN_INITIALIZED, 0, 0, false);
        return;
      case "aten::format":
        this.emitOperatorOrInstruction(node, Op.FORMAT, node.inputs().length);
        return;
      default:
        if (Object.hasOwn(promoted, kind)) this.emitOperatorOrInstruction(node, promoted[kind]);
        else this.checkNodeAndEmit(node);
    }
  }

  private emitCodeForBlock(block: Block): void {
    this.emitNodeAtBlockLevel(block.param_node());
    for (const node of block.nodes()) this.emitNodeAtBlockLevel(node);
    this.emitNodeAtBlockLevel(block.return_node());
  }

  /** The graph and the numbered instructions; a call shows its node. */
  toString(): string {
    const lines = this.instructions_.map((instruction, i) => {
      const calls = instruction.op === Op.OP || instruction.op === Op.OPN || instruction.op === Op.CALL;
      return `${i} ${instruction}${calls ? ` # ${this.instructions_source_[i]}` : "\n"}`;
    });
    return `${this.graph_}\n${lines.join("")}`;
  }
}
