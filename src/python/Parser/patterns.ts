/**
 * @file The patterns of `match`.
 * @mirrors Grammar/python.gram (CPython 3.11), its patterns
 */
import * as ast from "../ast/nodes.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { ExpressionParser, LOAD } from "./expressions.ts";
import { KEYWORDS } from "./pegen.ts";
import { TokenType } from "./tokenizer.ts";

export abstract class PatternParser extends ExpressionParser {
  /** The pattern of a `case`: also a sequence without brackets. */
  protected patterns(): ast.pattern {
    const start = this.tok;
    const first = this.maybe_star_pattern();
    if (!this.is(",")) {
      if (first instanceof ast.MatchStar) return new ast.MatchSequence([first], this.range(start));
      return first;
    }
    const patterns = [first];
    while (this.accept(",")) {
      if (this.is(":") || this.is("if")) break;
      patterns.push(this.maybe_star_pattern());
    }
    return new ast.MatchSequence(patterns, this.range(start));
  }

  private maybe_star_pattern(): ast.pattern {
    if (!this.is("*")) return this.pattern();
    const start = this.advance();
    const name = this.identifier();
    return new ast.MatchStar(name === "_" ? null : name, this.range(start));
  }

  private pattern(): ast.pattern {
    const start = this.tok;
    const made = this.or_pattern();
    if (!this.accept("as")) return made;
    const target = this.tok;
    if (!this.is_name() && this.begins_expression()) {
      const value = this.expression();
      this.error_at("invalid pattern target", value);
    }
    const name = this.identifier();
    if (name === "_") this.error_at("cannot use '_' as a target", target);
    if (this.is(".") || this.is("(") || this.is("[")) this.error_at("invalid pattern target", target);
    return new ast.MatchAs(made, name, this.range(start));
  }

  private or_pattern(): ast.pattern {
    const start = this.tok;
    const first = this.closed_pattern();
    if (!this.is("|")) return first;
    const patterns = [first];
    while (this.accept("|")) patterns.push(this.closed_pattern());
    return new ast.MatchOr(patterns, this.range(start));
  }

  private closed_pattern(): ast.pattern {
    const start = this.tok;
    const { text, type } = start;
    if (type === TokenType.STRING || type === TokenType.NUMBER || text === "-") {
      const value = this.literal();
      return new ast.MatchValue(value, this.range(start));
    }
    if (text === "None" || text === "True" || text === "False") {
      this.advance();
      return new ast.MatchSingleton(text === "None" ? null : text === "True", this.range(start));
    }
    if (text === "(" || text === "[") return this.sequence(text === "(" ? ")" : "]");
    if (text === "{") return this.mapping();
    if (type !== TokenType.NAME || KEYWORDS.has(text)) this.unexpected();
    return this.name_or_class();
  }

  /** A name binds; a dotted name is compared; with brackets it is a class. */
  private name_or_class(): ast.pattern {
    const start = this.tok;
    const name = this.dotted_name();
    if (this.is("(")) return this.class_pattern(start, name);
    if (name instanceof ast.Attribute) return new ast.MatchValue(name, this.range(start));
    const { id } = name as ast.Name;
    return new ast.MatchAs(null, id === "_" ? null : id, this.range(start));
  }

  private dotted_name(): ast.expr {
    const start = this.tok;
    let node: ast.expr = new ast.Name(this.identifier(), LOAD, this.range(start));
    while (this.accept(".")) node = new ast.Attribute(node, this.identifier(), LOAD, this.range(start));
    return node;
  }

  /** A number with its sign, a complex number as a sum, or strings. */
  private literal(): ast.expr {
    if (this.tok.type === TokenType.STRING) {
      const value = this.bitwise_or(7);
      if (value instanceof ast.JoinedStr)
        this.error_at("patterns may only match literals and attribute lookups", value);
      return value;
    }
    const start = this.tok;
    const left = this.bitwise_or(7);
    if (!this.is("+") && !this.is("-")) return left;
    const op = this.advance().text === "+" ? new ast.Add() : new ast.Sub();
    const mark = this.tok;
    const right = this.bitwise_or(7);
    if (left instanceof ast.Constant && left.value instanceof PyComplex)
      this.error_at("real number required in complex literal", start, this.last);
    if (!(right instanceof ast.Constant && right.value instanceof PyComplex))
      this.error_at("imaginary number required in complex literal", mark, this.last);
    return new ast.BinOp(left, op, right, this.range(start));
  }

  private sequence(closing: string): ast.pattern {
    const start = this.advance();
    const patterns: ast.pattern[] = [];
    let comma = false;
    while (!this.is(closing)) {
      patterns.push(this.maybe_star_pattern());
      comma = this.accept(",");
      if (!comma) break;
    }
    this.expect(closing);
    const [only] = patterns;
    const group = closing === ")" && patterns.length === 1 && !comma && !(only instanceof ast.MatchStar);
    return group ? (only as ast.pattern) : new ast.MatchSequence(patterns, this.range(start));
  }

  private mapping(): ast.pattern {
    const start = this.advance();
    const keys: ast.expr[] = [];
    const patterns: ast.pattern[] = [];
    let rest: string | null = null;
    while (!this.is("}")) {
      if (this.accept("**")) {
        if (this.is("_")) this.unexpected();
        rest = this.identifier();
        this.accept(",");
        break;
      } else {
        keys.push(this.key());
        this.expect(":");
        patterns.push(this.pattern());
      }
      if (!this.accept(",")) break;
    }
    this.expect("}");
    return new ast.MatchMapping(keys, patterns, rest, this.range(start));
  }

  private key(): ast.expr {
    const start = this.tok;
    const { text, type } = start;
    if (text === "None" || text === "True" || text === "False") {
      this.advance();
      return new ast.Constant(text === "None" ? null : text === "True", null, this.range(start));
    }
    return type === TokenType.NAME ? this.dotted_name() : this.literal();
  }

  private class_pattern(start: ast.Range, cls: ast.expr): ast.pattern {
    this.expect("(");
    const patterns: ast.pattern[] = [];
    const kwd_attrs: string[] = [];
    const kwd_patterns: ast.pattern[] = [];
    while (!this.is(")")) {
      const first = this.tok;
      if (this.is_name() && this.peek().text === "=") {
        kwd_attrs.push(this.identifier());
        this.advance();
        kwd_patterns.push(this.pattern());
      } else {
        const positional = this.pattern();
        if (kwd_attrs.length > 0) this.error_at("positional patterns follow keyword patterns", first, this.last);
        patterns.push(positional);
      }
      if (!this.accept(",")) break;
    }
    this.expect(")");
    const { end_lineno, end_col_offset } = this.last;
    const { lineno, col_offset } = start;
    return new ast.MatchClass(cls, patterns, kwd_attrs, kwd_patterns, {
      lineno,
      col_offset,
      end_lineno,
      end_col_offset,
    });
  }
}
