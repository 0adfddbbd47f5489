/**
 * @file The compiler of a kernel's text to a program for each invocation: variables, functions, statements.
 * @original
 */
import { bounded, type Code, Expressions, type Signal } from "./expressions.ts";
import { type Invocation, Memory, type Scalar } from "./memory.ts";
import { BUILTINS, show, type Type } from "./types.ts";
import { type Expression, type Function, KernelError, type Place, parse, type Statement } from "./wgsl.ts";

/** A kernel that can be run. */
export interface Program {
  readonly place: Place;
  readonly workgroup_size: readonly number[];
  /** The buffers as memory, in the order of `memories`. */
  bind(buffers: readonly { readonly words: ArrayBuffer }[]): Memory[];
  /** Workgroup memory, new for each workgroup and filled with zeros, as WGSL requires. */
  shared(): Memory[];
  run(on: Invocation): Generator<Place, unknown, void>;
}

export function compile(text: string): Program {
  return new Compiler(parse(text)).program();
}

class Compiler extends Expressions {
  private slots = 0;
  private inEntry = false;

  program(): Program {
    const buffers = this.module.variables.filter(({ space }) => space !== "workgroup");
    const shared = this.module.variables.filter(({ space }) => space === "workgroup");
    for (const constant of this.module.constants) this.constant(constant);
    [...buffers, ...shared].forEach((variable, memory) => {
      this.declare(variable.name, { kind: "memory", memory, type: this.typeOf(variable.type), variable }, variable);
    });
    const entries = this.module.functions.filter(({ workgroup_size }) => workgroup_size !== null);
    const [entry] = entries;
    if (entry === undefined || entries.length > 1)
      throw new KernelError(
        entries[1] ?? { line: 1, column: 1 },
        `${entries.length} functions are marked @compute; there must be one`,
      );
    for (const written of this.module.functions)
      this.functions.set(written.name, {
        written,
        code: null,
        result: written.result === null ? "void" : this.typeOf(written.result),
      });
    for (const each of this.functions.values()) each.code = this.body(each.written, each.result);
    const [sx, sy = 1, sz = 1] = (entry.workgroup_size as readonly Expression[]).map((size) => this.known(size));
    const code = this.functions.get(entry.name)?.code as Code;
    return {
      place: entry,
      workgroup_size: [sx, sy, sz],
      bind: (given) =>
        buffers.map((variable) => {
          const buffer = given[variable.binding];
          if (buffer === undefined)
            throw new KernelError(variable, `no buffer was given for binding ${variable.binding}, '${variable.name}'`);
          return new Memory(variable.name, variable.space, buffer.words);
        }),
      shared: () =>
        shared.map(
          ({ name, type }) =>
            new Memory(name, "workgroup", new ArrayBuffer(4 * this.lengthOf(this.typeOf(type), type))),
        ),
      run: (on) => code(on),
    };
  }

  // Statements ---------------------------------------------------------------------------------------------------------

  /** The body of a function, whose arguments are its first slots. The entry point's come from the builtins. */
  private body(written: Function, result: Type): Code {
    this.slots = 0;
    this.inEntry = written.workgroup_size !== null;
    return this.within(() => {
      const builtins = written.parameters.map((parameter) => {
        const type = this.typeOf(parameter.type);
        if (this.inEntry && BUILTINS[parameter.builtin ?? ""] !== type)
          throw new KernelError(
            parameter,
            `'${parameter.name}' needs @builtin(...) before it, of type ${show(type)}; there are ${Object.keys(BUILTINS).join(", ")}`,
          );
        this.declare(parameter.name, { kind: "slot", slot: this.slots++, type, writable: false }, parameter);
        return parameter.builtin as string;
      });
      const code = this.statement(written.body, result);
      if (!this.inEntry)
        return function* (on) {
          const signal = yield* code(on);
          return (signal?.value ?? null) as never;
        };
      return function* (on) {
        builtins.forEach((name, slot) => {
          on.slots[slot] = on.builtins[name];
        });
        return yield* code(on);
      };
    });
  }

  private statement(statement: Statement, result: Type): Code {
    switch (statement.kind) {
      case "block":
        return this.within(() => sequence(statement.body.map((each) => this.statement(each, result))));
      case "let":
      case "var":
      case "const":
        return this.declaration(statement);
      case "assign":
        return this.assignment(statement);
      case "if":
        return this.branch(statement, result);
      case "for":
        return this.loop(statement, result);
      case "return":
        return this.returned(statement, result);
      case "break":
      case "continue": {
        const signal = { kind: statement.kind };
        return only_once(() => signal);
      }
      case "call":
        return this.called_for_effect(statement);
    }
  }

  private declaration(statement: Statement & { kind: "let" | "var" | "const" }): Code {
    const { kind, name, type: written, value } = statement;
    const given = value === null ? null : this.expression(value);
    const wanted =
      written !== null
        ? this.typeOf(written)
        : given?.type === "int"
          ? "i32"
          : given?.type === "float"
            ? "f32"
            : given?.type;
    if (wanted === undefined) throw new KernelError(statement, `'${name}' needs a type or a value`);
    const slot = this.slots++;
    this.declare(name, { kind: "slot", slot, type: wanted, writable: kind === "var" }, statement);
    if (typeof wanted !== "string") {
      const length = this.lengthOf(wanted, statement);
      return only_once((on) => {
        on.slots[slot] = new Array(length).fill(0);
      });
    }
    const get = given === null ? () => (wanted === "bool" ? false : 0) : this.as(given, wanted, statement).get;
    return only_once((on) => {
      on.slots[slot] = get(on);
    });
  }

  private assignment(statement: Statement & { kind: "assign" }): Code {
    const { target, operator } = statement;
    const { type, set } = this.target(target);
    const given = this.expression(statement.value);
    const value =
      operator === "=" ? given : this.binary(operator.slice(0, -1), this.expression(target), given, statement);
    const { get } = this.as(value, type, statement);
    return only_once((on) => {
      set(on, get(on) as number);
    });
  }

  /** An expression to which a value can be assigned. */
  private target(target: Expression): { type: Type; set: (on: Invocation, value: number) => void } {
    const named =
      target.kind === "name" ? target : target.kind === "index" && target.of.kind === "name" ? target.of : null;
    if (named === null) throw new KernelError(target, "this cannot be written to");
    const found = this.find(named.name, named);
    if (found.kind === "value" || (found.kind === "slot" && !found.writable))
      throw new KernelError(target, `'${named.name}' cannot be written to; way out: declare it with var`);
    if (found.kind === "memory" && !found.variable.writable)
      throw new KernelError(target, `'${named.name}' is only read; way out: var<storage, read_write>`);
    if (target.kind === "index") {
      const { element, index } = this.indexed(target);
      if (found.kind === "slot")
        return {
          type: element,
          set: (on, value) => {
            (on.slots[found.slot] as number[])[bounded(index(on), found.type, target)] = value;
          },
        };
      return {
        type: element,
        set: (on, value) => on.memories[found.memory].write(element, index(on), value, on, target),
      };
    }
    if (found.kind === "slot")
      return {
        type: found.type,
        set: (on, value) => {
          on.slots[found.slot] = value;
        },
      };
    const scalar = found.type as Scalar;
    if (typeof found.type !== "string")
      throw new KernelError(target, `'${named.name}' is ${show(found.type)}; an index is missing`);
    return { type: scalar, set: (on, value) => on.memories[found.memory].write(scalar, 0, value, on, target) };
  }

  private condition(expression: Expression): (on: Invocation) => unknown {
    return this.as(this.expression(expression), "bool", expression).get;
  }

  private branch(statement: Statement & { kind: "if" }, result: Type): Code {
    const condition = this.condition(statement.condition);
    const then = this.statement(statement.then, result);
    const otherwise = statement.otherwise === null ? null : this.statement(statement.otherwise, result);
    return function* (on) {
      if (condition(on) === true) return yield* then(on);
      return otherwise === null ? null : yield* otherwise(on);
    };
  }

  private loop(statement: Statement & { kind: "for" }, result: Type): Code {
    return this.within(() => {
      const init = statement.init === null ? null : this.statement(statement.init, result);
      const condition = statement.condition === null ? () => true : this.condition(statement.condition);
      const step = statement.step === null ? null : this.statement(statement.step, result);
      const body = this.statement(statement.body, result);
      return function* (on) {
        if (init !== null) yield* init(on);
        for (let turns = 0; condition(on) === true; turns++) {
          if (turns === MAX_TURNS) throw new KernelError(statement, `this loop has run ${MAX_TURNS} times`);
          const signal = yield* body(on);
          if (signal?.kind === "return") return signal;
          if (signal?.kind === "break") return null;
          if (step !== null) yield* step(on);
        }
        return null;
      };
    });
  }

  private returned(statement: Statement & { kind: "return" }, result: Type): Code {
    if (statement.value === null) {
      if (result !== "void") throw new KernelError(statement, `${show(result)} should be returned`);
      return only_once(() => ({ kind: "return" }));
    }
    const { get } = this.as(this.expression(statement.value), result, statement);
    return only_once((on) => ({ kind: "return", value: get(on) }));
  }

  private called_for_effect(statement: Statement & { kind: "call" }): Code {
    const { call } = statement;
    const name = call.kind === "call" ? call.name : "";
    if (name === "workgroupBarrier") {
      if (!this.inEntry)
        throw new KernelError(statement, "workgroupBarrier() stands only in the function that is marked @compute");
      return function* () {
        yield statement;
        return null;
      };
    }
    if (name === "storageBarrier")
      throw new KernelError(
        statement,
        "storageBarrier() is not supported by the simulator; way out: let every invocation write elements of its own",
      );
    const { get } = this.expression(call);
    return only_once((on) => {
      get(on);
    });
  }
}

const MAX_TURNS = 100_000;

/** Code without a barrier. */
function only_once(what: (on: Invocation) => Signal | undefined): Code {
  // biome-ignore lint/correctness/useYield: as all code of a kernel, it could be one that waits
  return function* (on) {
    return what(on) ?? null;
  };
}

function sequence(all: readonly Code[]): Code {
  return function* (on) {
    for (const each of all) {
      const signal = yield* each(on);
      if (signal !== null) return signal;
    }
    return null;
  };
}
