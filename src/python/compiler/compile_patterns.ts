/**
 * @file `match`: patterns become tests.
 * @mirrors Python/compile.c (CPython 3.11): compiler_match, compiler_pattern
 *
 * A pattern takes the subject from the top of the stack. Names are bound only when the whole pattern has matched: until then, the captured
 * values wait on the stack, below what the tests need. If a test fails, as many values are popped as lie there; there is a chain of blocks
 * that pop one value each, and a test jumps to the right place in this chain.
 */

import { constant_repr } from "../ast/dump.ts";
import * as ast from "../ast/nodes.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { str_repr } from "../Objects/unicodeobject.ts";
import { BlockCompiler } from "./compile_blocks.ts";
import { constant_key } from "./constants.ts";
import { type BasicBlock, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";

/** State while the pattern of one case is compiled. */
class PatternContext {
  /** Names whose values wait on the stack, the lowest first. */
  stores: string[] = [];
  /** A pattern that always matches may stand here. */
  allow_irrefutable: boolean;
  /** `fail_pop[n]` pops n values and leads to the next case. */
  fail_pop: BasicBlock[] = [];
  /** Values above the captured ones. */
  on_top = 0;

  constructor(allow_irrefutable: boolean) {
    this.allow_irrefutable = allow_irrefutable;
  }
}

export abstract class PatternCompiler extends BlockCompiler {
  protected match({ subject, cases }: ast.Match): void {
    const { unit } = this;
    this.expression(subject);
    const end = unit.new_block();
    const last = cases[cases.length - 1];
    const has_default = is_wildcard(last.pattern) && cases.length > 1;
    const tested = has_default ? cases.slice(0, -1) : cases;
    tested.forEach(({ pattern, guard, body }, i) => {
      const keeps_subject = i < tested.length - 1;
      unit.location = pattern;
      if (keeps_subject) unit.emit(OP.COPY, 1);
      const context = new PatternContext(guard !== null || i === cases.length - 1);
      this.pattern(pattern, context);
      for (const name of context.stores) this.name_op(name, "store");
      if (guard !== null) this.jump_if(guard, this.fail_block(context, 0), false);
      if (keeps_subject) unit.emit(OP.POP_TOP);
      this.statements(body);
      unit.location = null;
      unit.emit_jump(PSEUDO.JUMP, end);
      unit.location = pattern;
      this.emit_fail_blocks(context);
    });
    if (has_default) {
      unit.location = last.pattern;
      // The line of `case _` must be seen.
      unit.emit(OP.NOP);
      if (last.guard !== null) this.jump_if(last.guard, end, false);
      this.statements(last.body);
      unit.location = null;
    }
    unit.use_next_block(end);
  }

  // Failing -----------------------------------------------------------------------------------------------------------------

  private fail_block({ fail_pop }: PatternContext, pops: number): BasicBlock {
    while (fail_pop.length <= pops) fail_pop.push(this.unit.new_block());
    return fail_pop[pops];
  }

  private fail(opcode: number, context: PatternContext): void {
    this.unit.emit_jump(opcode, this.fail_block(context, context.on_top + context.stores.length));
  }

  private emit_fail_blocks(context: PatternContext): void {
    const { unit } = this;
    for (let i = context.fail_pop.length - 1; i >= 0; i--) {
      unit.use_next_block(context.fail_pop[i]);
      if (i > 0) unit.emit(OP.POP_TOP);
    }
    context.fail_pop = [];
  }

  // Capturing ---------------------------------------------------------------------------------------------------------------

  /** Moves the top of the stack below the next `count - 1` values. */
  private rotate(count: number): void {
    for (let i = count; i > 1; i--) this.unit.emit(OP.SWAP, i);
  }

  private capture(name: string | null, context: PatternContext): void {
    if (name === null) {
      this.unit.emit(OP.POP_TOP);
      return;
    }
    this.check_name(name, "store");
    this.check_new_store(name, context);
    this.rotate(context.on_top + context.stores.length + 1);
    context.stores.push(name);
  }

  private check_new_store(name: string, { stores }: PatternContext): void {
    if (stores.includes(name)) throw this.error(`multiple assignments to name ${str_repr(name)} in pattern`);
  }

  // Patterns ----------------------------------------------------------------------------------------------------------------

  private pattern(node: ast.pattern, context: PatternContext): void {
    const { unit } = this;
    unit.location = node;
    if (node instanceof ast.MatchValue) this.match_value(node, context);
    else if (node instanceof ast.MatchSingleton) {
      unit.load_const(node.value);
      unit.emit(OP.IS_OP, 0);
      this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
    } else if (node instanceof ast.MatchSequence) this.match_sequence(node.patterns, context);
    else if (node instanceof ast.MatchMapping) this.match_mapping(node, context);
    else if (node instanceof ast.MatchClass) this.match_class(node, context);
    else if (node instanceof ast.MatchStar) this.capture(node.name, context);
    else if (node instanceof ast.MatchAs) this.match_as(node, context);
    else this.match_or(node as ast.MatchOr, context);
  }

  /** A pattern inside another: it may match always. */
  private inner_pattern(node: ast.pattern, context: PatternContext): void {
    const { allow_irrefutable } = context;
    context.allow_irrefutable = true;
    this.pattern(node, context);
    context.allow_irrefutable = allow_irrefutable;
  }

  private match_value(node: ast.MatchValue, context: PatternContext): void {
    const value = this.folder.fold(node.value);
    if (!(value instanceof ast.Constant || value instanceof ast.Attribute))
      throw this.error("patterns may only match literals and attribute lookups");
    this.expression(value);
    this.compare_op(new ast.Eq());
    this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
  }

  private match_as({ pattern, name }: ast.MatchAs, context: PatternContext): void {
    if (pattern === null) {
      if (!context.allow_irrefutable) {
        const what = name === null ? "wildcard" : `name capture ${str_repr(name)}`;
        throw this.error(`${what} makes remaining patterns unreachable`);
      }
      this.capture(name, context);
      return;
    }
    context.on_top++;
    this.unit.emit(OP.COPY, 1);
    this.pattern(pattern, context);
    context.on_top--;
    this.capture(name, context);
  }

  private match_sequence(patterns: readonly ast.pattern[], context: PatternContext): void {
    const { unit } = this;
    const stars = patterns.filter((each) => each instanceof ast.MatchStar);
    if (stars.length > 1) throw this.error("multiple starred names in sequence pattern");
    const [star] = stars;
    context.on_top++;
    unit.emit(OP.MATCH_SEQUENCE);
    this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
    if (star === undefined) this.check_length(patterns.length, new ast.Eq(), context);
    else if (patterns.length > 1) this.check_length(patterns.length - 1, new ast.GtE(), context);
    context.on_top--;
    if (patterns.every((each) => is_wildcard(each) || is_star_wildcard(each))) unit.emit(OP.POP_TOP);
    else if (star !== undefined && is_star_wildcard(star)) this.take_items(patterns, patterns.indexOf(star), context);
    else this.unpack_items(patterns, context);
  }

  private check_length(length: number, op: ast.cmpop, context: PatternContext): void {
    this.unit.emit(OP.GET_LEN);
    this.unit.load_const(length);
    this.compare_op(op);
    this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
  }

  private unpack_items(patterns: readonly ast.pattern[], context: PatternContext): void {
    const { unit } = this;
    const star = patterns.findIndex((each) => each instanceof ast.MatchStar);
    if (star < 0) unit.emit(OP.UNPACK_SEQUENCE, patterns.length);
    else {
      const after = patterns.length - star - 1;
      if (star >= 1 << 8) throw this.error("too many expressions in star-unpacking sequence pattern");
      unit.emit(OP.UNPACK_EX, star + (after << 8));
    }
    context.on_top += patterns.length;
    for (const each of patterns) {
      context.on_top--;
      this.inner_pattern(each, context);
    }
  }

  /** With `*_` among the patterns only the needed items are taken, by their index. */
  private take_items(patterns: readonly ast.pattern[], star: number, context: PatternContext): void {
    const { unit } = this;
    context.on_top++;
    patterns.forEach((pattern, i) => {
      if (i === star || is_wildcard(pattern)) return;
      unit.emit(OP.COPY, 1);
      if (i < star) unit.load_const(i);
      else {
        // Not every sequence takes negative indices.
        unit.emit(OP.GET_LEN);
        unit.load_const(patterns.length - i);
        this.binary_op(new ast.Sub(), false);
      }
      unit.emit(OP.BINARY_SUBSCR);
      this.inner_pattern(pattern, context);
    });
    context.on_top--;
    unit.emit(OP.POP_TOP);
  }

  private match_class(node: ast.MatchClass, context: PatternContext): void {
    const { unit } = this;
    const { cls, patterns, kwd_attrs, kwd_patterns } = node;
    this.check_attributes(kwd_attrs, kwd_patterns);
    unit.location = node;
    this.expression(cls);
    unit.load_const(tuple(kwd_attrs));
    unit.emit(OP.MATCH_CLASS, patterns.length);
    this.fail_if_none(context, 1);
    const all = [...patterns, ...kwd_patterns];
    unit.emit(OP.UNPACK_SEQUENCE, all.length);
    context.on_top += all.length - 1;
    for (const each of all) {
      context.on_top--;
      if (is_wildcard(each)) unit.emit(OP.POP_TOP);
      else this.inner_pattern(each, context);
    }
  }

  /** `MATCH_CLASS` and `MATCH_KEYS` leave None if nothing fits. */
  private fail_if_none(context: PatternContext, pushed: number): void {
    const { unit } = this;
    unit.emit(OP.COPY, 1);
    unit.load_const(null);
    unit.emit(OP.IS_OP, 1);
    context.on_top += pushed;
    this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
  }

  private check_attributes(names: readonly string[], patterns: readonly ast.pattern[]): void {
    names.forEach((name, i) => {
      this.unit.location = patterns[i];
      this.check_name(name, "store");
      const repeated = names.indexOf(name, i + 1);
      if (repeated < 0) return;
      this.unit.location = patterns[repeated];
      throw this.error(`attribute name repeated in class pattern: ${name}`);
    });
  }

  private match_mapping({ keys, patterns, rest }: ast.MatchMapping, context: PatternContext): void {
    const { unit } = this;
    const size = keys.length;
    context.on_top++;
    unit.emit(OP.MATCH_MAPPING);
    this.fail(PSEUDO.POP_JUMP_IF_FALSE, context);
    if (size === 0 && rest === null) {
      context.on_top--;
      unit.emit(OP.POP_TOP);
      return;
    }
    if (size > 0) this.check_length(size, new ast.GtE(), context);
    this.mapping_keys(keys);
    unit.emit(OP.BUILD_TUPLE, size);
    unit.emit(OP.MATCH_KEYS);
    this.fail_if_none(context, 2);
    unit.emit(OP.UNPACK_SEQUENCE, size);
    context.on_top += size - 1;
    for (const each of patterns) {
      context.on_top--;
      this.inner_pattern(each, context);
    }
    // Left are the tuple of keys and the subject.
    context.on_top -= 2;
    if (rest === null) {
      unit.emit(OP.POP_TOP);
      unit.emit(OP.POP_TOP);
      return;
    }
    unit.emit(OP.BUILD_MAP, 0);
    unit.emit(OP.SWAP, 3);
    unit.emit(OP.DICT_UPDATE, 2);
    unit.emit(OP.UNPACK_SEQUENCE, size);
    for (let i = size; i > 0; i--) {
      unit.emit(OP.COPY, 1 + i);
      unit.emit(OP.SWAP, 2);
      unit.emit(OP.DELETE_SUBSCR);
    }
    this.capture(rest, context);
  }

  private mapping_keys(keys: readonly ast.expr[]): void {
    const seen = new Set<string>();
    for (const each of keys) {
      const key = this.folder.fold(each);
      if (key instanceof ast.Constant) {
        const known = constant_key(key.value);
        if (seen.has(known)) throw this.error(`mapping pattern checks duplicate key (${constant_repr(key.value)})`);
        seen.add(known);
      } else if (!(key instanceof ast.Attribute))
        throw this.error("mapping pattern keys may only match literals and attribute lookups");
      this.expression(key);
    }
  }

  private match_or({ patterns }: ast.MatchOr, context: PatternContext): void {
    const { unit } = this;
    const end = unit.new_block();
    /** Names that the first alternative binds, in the order on the stack. */
    let control: string[] = [];
    patterns.forEach((alternative, i) => {
      unit.location = alternative;
      const inner = new PatternContext(i === patterns.length - 1 && context.allow_irrefutable);
      unit.emit(OP.COPY, 1);
      this.pattern(alternative, inner);
      if (i === 0) control = inner.stores;
      else this.reorder(inner.stores, control);
      unit.emit_jump(PSEUDO.JUMP, end);
      this.emit_fail_blocks(inner);
    });
    unit.emit(OP.POP_TOP);
    this.fail(PSEUDO.JUMP, context);
    unit.use_next_block(end);
    const below = control.length + 1 + context.on_top + context.stores.length;
    for (const name of control) {
      this.rotate(below);
      this.check_new_store(name, context);
      context.stores.push(name);
    }
    unit.emit(OP.POP_TOP);
  }

  /** Brings the captured values of an alternative into the order of the first one. */
  private reorder(stores: string[], control: readonly string[]): void {
    if (stores.length !== control.length) throw this.error("alternative patterns bind different names");
    for (let wanted = control.length - 1; wanted >= 0; wanted--) {
      const place = stores.indexOf(control[wanted]);
      if (place < 0) throw this.error("alternative patterns bind different names");
      if (place === wanted) continue;
      const moved = stores.splice(0, place + 1);
      stores.splice(wanted - place, 0, ...moved);
      for (let i = 0; i <= place; i++) this.rotate(wanted + 1);
    }
  }
}

function is_wildcard(node: ast.pattern): boolean {
  return node instanceof ast.MatchAs && node.name === null;
}

function is_star_wildcard(node: ast.pattern): boolean {
  return node instanceof ast.MatchStar && node.name === null;
}
