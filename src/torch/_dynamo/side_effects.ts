/**
 * @file Changes of the followed code outside of the graph: lists, dicts, attributes, cells. Generated code does it after the graph has run.
 * @mirrors torch/_dynamo/side_effects.py
 */
import type { PyDict } from "#python/Objects/dictobject";
import type { Cell } from "#python/Objects/funcobject";
import { PySlice } from "#python/Objects/sliceobject";
import { object_type } from "#python/Objects/typeobject";
import { unique_id } from "./bytecode_transformation.ts";
import type { PyCodegen } from "./codegen.ts";
import { unimplemented } from "./graph_break.ts";
import { mutation_scope } from "./mutation_scope.ts";
import { type Source, TempLocalSource } from "./source.ts";
import { DeletedVariable, type Translator, type VariableTracker } from "./variables/base.ts";
import { build } from "./variables/build.ts";
import { ConstDictVariable } from "./variables/dicts.ts";
import { CellVariable } from "./variables/functions.ts";
import { ListVariable } from "./variables/lists.ts";
import { type UserDefinedClassVariable, UserDefinedObjectVariable } from "./variables/user_defined.ts";

/** A function that an operator takes changes nothing outside of itself. */
function refuse_side_effect(what: string): never {
  return unimplemented({
    gb_type: "HOP: Unsafe side effect",
    context: `Attempted to mutate ${what}`,
    explanation: "Mutating a variable from outside the scope of this HOP is not supported.",
    hints: [
      "If the HOP is activation checkpointing (torch.utils.checkpoint.checkpoint), this points to a side effect in forward method. Eager activation checkpointing replays that side-effect while recomputing the forward in the backward. If you are ok with side-effect not replayed in the backward, try setting `torch._dynamo.config.skip_fwd_side_effects_in_bwd_under_checkpoint = True`",
    ],
  });
}
function check_side_effect(of: VariableTracker): void {
  if (mutation_scope.depth > 0 && (of.mutation === "existing" || of.scope !== mutation_scope.depth))
    refuse_side_effect(of.toString());
}

export class SideEffects {
  private readonly id_to_variable = new Map<object, VariableTracker>();
  /** Values that existed before the frame and were changed. */
  private readonly mutated = new Set<VariableTracker>();
  private readonly attributes = new Map<VariableTracker, Map<string, VariableTracker>>();
  private readonly cells = new Map<Cell, CellVariable>();
  private readonly changed_cells = new Set<CellVariable>();
  /** Globals that the followed code set, by module and name. */
  private readonly globals = new Map<PyDict, Map<string, VariableTracker>>();
  private root_globals: PyDict | null = null;
  /** Objects that generated code has made, in order. */
  private made: UserDefinedObjectVariable[] = [];

  variable_of(value: object): VariableTracker | null {
    return this.id_to_variable.get(value) ?? null;
  }
  track_existing(value: object, variable: VariableTracker): void {
    this.id_to_variable.set(value, variable);
  }
  /** Called before a list or dict changes. */
  mutation(of: VariableTracker): void {
    check_side_effect(of);
    if (of.mutation === "new") return;
    if (of.mutation === null)
      unimplemented({
        gb_type: "Unsupported method call",
        context: `mutation of ${of.toString()}`,
        explanation: `Dynamo does not know how to change ${of.toString()}`,
        hints: ["Please report an issue to PyTorch."],
      });
    this.mutated.add(of);
  }

  track_object_new(cls: UserDefinedClassVariable): UserDefinedObjectVariable {
    const made = new UserDefinedObjectVariable(null, cls.type, null, "new", cls);
    this.attributes.set(made, new Map());
    return made;
  }
  store_attr(of: VariableTracker, name: string, value: VariableTracker): void {
    if (of.mutation === null) this.mutation(of);
    check_side_effect(of);
    const known = this.attributes.get(of) ?? new Map<string, VariableTracker>();
    known.set(name, value);
    this.attributes.set(of, known);
  }
  /** The object never had the attribute before. */
  forget_attr(of: VariableTracker, name: string): void {
    this.attributes.get(of)?.delete(name);
  }
  load_attr(of: VariableTracker, name: string): VariableTracker | null {
    return this.attributes.get(of)?.get(name) ?? null;
  }

  store_global(globals: PyDict, name: string, value: VariableTracker, is_root: boolean): void {
    if (mutation_scope.depth > 0) refuse_side_effect(`global ${name}`);
    const known = this.globals.get(globals) ?? new Map<string, VariableTracker>();
    known.set(name, value);
    this.globals.set(globals, known);
    if (is_root) this.root_globals = globals;
  }

  /** The variable of a cell of a function that exists. */
  cell(tx: Translator, cell: Cell, source: Source | null): CellVariable {
    const known = this.cells.get(cell);
    if (known !== undefined) return known;
    const content = cell.value === undefined ? null : build(tx, cell.value, source);
    const made = new CellVariable(content, cell, source);
    this.cells.set(cell, made);
    return made;
  }
  /** A new cell of a frame that is followed. */
  store_cell(cell: CellVariable, value: VariableTracker): void {
    check_side_effect(cell);
    cell.content = value;
    if (cell.cell !== null || cell.local_name !== null) this.changed_cells.add(cell);
  }

  /** Makes an object that the followed code made: without attributes, which come at the end. */
  make_object(codegen: PyCodegen, value: VariableTracker): boolean {
    if (!(value instanceof UserDefinedObjectVariable) || value.cls === null) return false;
    const name = unique_id("tmp");
    codegen.load_const(object_type.lookup("__new__"));
    codegen.push_null_below();
    codegen.load_const(value.type.cls);
    codegen.call(1);
    codegen.append("COPY", 1);
    codegen.store(name);
    value.source = new TempLocalSource(name);
    this.made.push(value);
    return true;
  }
  /** Forgets where objects are, before the code is generated once more. */
  begin(): void {
    for (const it of this.made) it.source = null;
    this.made = [];
  }

  /**
   * New values are all made before the first is written.
   * @param is_live whether anybody can read a cell behind the end of the graph
   */
  codegen_update_mutated(codegen: PyCodegen, is_live: (cell: CellVariable) => boolean): void {
    const writes: (() => void)[] = [];
    for (const of of this.mutated) {
      const source = of.source as Source;
      if (of instanceof ListVariable) {
        of.reconstruct(codegen);
        codegen.load_source(source);
        codegen.load_const(new PySlice(null, null, null));
        writes.push(() => codegen.append("STORE_SUBSCR"));
      } else if (of instanceof ConstDictVariable) {
        codegen.load_source(source);
        codegen.load_attr("update");
        codegen.push_null_below();
        for (const [key, it] of of.entries()) {
          codegen.load_const(key);
          codegen.reconstruct(it);
        }
        codegen.append("BUILD_MAP", of.items.size);
        codegen.load_source(source);
        codegen.load_attr("clear");
        codegen.push_null_below();
        writes.push(() => {
          codegen.call(0);
          codegen.append("POP_TOP");
          codegen.call(1);
          codegen.append("POP_TOP");
        });
      }
    }
    for (const cell of this.changed_cells) {
      const { content, local_name } = cell;
      if (content === null || !is_live(cell)) continue;
      codegen.reconstruct(content);
      if (local_name !== null) writes.push(() => codegen.store(local_name));
      else {
        codegen.load_cell(cell);
        writes.push(() => codegen.store_attr("cell_contents"));
      }
    }
    for (const [of, attributes] of this.attributes) {
      if (of.mutation === "new") continue;
      for (const [name, value] of attributes) {
        const is_deleted = value instanceof DeletedVariable;
        if (!is_deleted) codegen.reconstruct(value);
        codegen.load_source(of.source as Source);
        writes.push(() => (is_deleted ? codegen.delete_attr(name) : codegen.store_attr(name)));
      }
    }
    for (const [globals, names] of this.globals)
      for (const [name, value] of names) {
        codegen.reconstruct(value);
        if (globals === this.root_globals) {
          writes.push(() => codegen.store_global(name));
          continue;
        }
        codegen.load_const(globals);
        codegen.load_const(name);
        writes.push(() => codegen.append("STORE_SUBSCR"));
      }
    for (const write of writes.reverse()) write();
    // Objects that were made: their attributes may make further objects.
    for (let i = 0; i < this.made.length; i++) {
      const of = this.made[i] as UserDefinedObjectVariable;
      for (const [name, value] of this.attributes.get(of) ?? []) {
        if (value instanceof DeletedVariable) continue;
        codegen.reconstruct(value);
        codegen.load_source(of.source as Source);
        codegen.store_attr(name);
      }
    }
  }
}
