/**
 * @file Parses a program, or one expression, to a syntax tree.
 * @mirrors Parser/peg_api.c (CPython 3.11)
 */
import * as ast from "../ast/nodes.ts";
import { SyntaxError_ } from "./errors.ts";
import { StatementParser } from "./statements.ts";
import { TokenError, Tokenizer, TokenType } from "./tokenizer.ts";

class Parser extends StatementParser {
  module(): ast.Module {
    try {
      return new ast.Module(this.statements(TokenType.ENDMARKER), []);
    } catch (error) {
      throw this.told(error);
    }
  }

  expression_only(): ast.Expression {
    try {
      const body = this.star_expressions();
      while (this.is_type(TokenType.NEWLINE)) this.advance();
      if (!this.is_type(TokenType.ENDMARKER)) this.unexpected();
      return new ast.Expression(body);
    } catch (error) {
      throw this.told(error);
    }
  }

  /** An expression of an f-string, in brackets. */
  in_string(): ast.expr {
    const value = this.star_expressions();
    while (this.is_type(TokenType.NEWLINE)) this.advance();
    if (!this.is_type(TokenType.ENDMARKER)) this.unexpected();
    return value;
  }

  protected override embedded(text: string, lines: number, columns: number): ast.expr {
    const parser = new Parser(new Tokenizer(text, lines, columns));
    try {
      return parser.in_string();
    } catch (error) {
      if (error instanceof SyntaxError_ && !(error instanceof TokenError))
        error.message = `f-string: ${error.message.replace(/^f-string: /, "")}`;
      throw error;
    }
  }

  /** A bad token further on, or a bracket that is never closed, is the cause of an error of the parser. */
  private told(error: unknown): unknown {
    if (!(error instanceof SyntaxError_) || error instanceof TokenError) return error;
    try {
      return this.check_rest(error);
    } catch (better) {
      return better;
    }
  }
}

/**
 * Parses Python.
 * @param mode `"exec"` for a program, `"eval"` for one expression
 * @throws {SyntaxError_} with CPython's class, text and place
 */
export function parse(
  text: string,
  filename = "<unknown>",
  mode: "exec" | "eval" = "exec",
): ast.Module | ast.Expression {
  try {
    if (text.includes("\0")) throw new SyntaxError_("source code string cannot contain null bytes", NOWHERE);
    const parser = new Parser(new Tokenizer(text));
    return mode === "exec" ? parser.module() : parser.expression_only();
  } catch (error) {
    if (error instanceof SyntaxError_) error.filename = filename;
    throw error;
  }
}

const NOWHERE = { lineno: 0, offset: 0, end_lineno: 0, end_offset: 0 };
