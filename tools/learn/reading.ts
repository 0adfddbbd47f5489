/**
 * @file A Markdown text for a terminal: paragraphs and list items are filled to its width; everything with a form of
 * its own stays as it is.
 * @original
 */
import { wrap } from "./feedback.ts";

const ITEM = /^(\s*)((?:[-*]|\d+\.) +|> )/;
/** A heading, a row of a table (also in an item), an empty line; and a figure between paragraphs. */
const AS_IT_STANDS = /^(?:#|\s*\||$)/;
const FIGURE = /^ {4}/;

export function reading(markdown: string, width: number): string[] {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let fenced = false;
  const end_paragraph = (): void => {
    if (paragraph.length > 0) lines.push(...filled(paragraph, width));
    paragraph = [];
  };
  for (const line of markdown.trimEnd().split(/\r?\n/)) {
    const fence = line.trimStart().startsWith("```");
    if (fence) fenced = !fenced;
    if (fence || fenced || AS_IT_STANDS.test(line) || (paragraph.length === 0 && FIGURE.test(line))) {
      end_paragraph();
      lines.push(line);
      continue;
    }
    const goes_on = line.startsWith("> ") && paragraph[0]?.startsWith("> ");
    if (ITEM.test(line) && !goes_on) end_paragraph();
    paragraph.push(line);
  }
  end_paragraph();
  return lines;
}

/** Later lines of an item are indented under its text; those of a quotation are quoted too. */
function filled(paragraph: readonly string[], width: number): string[] {
  const [, indent = "", mark = ""] = ITEM.exec(paragraph[0]) ?? /^(\s*)/.exec(paragraph[0]) ?? [];
  const quoted = mark === "> ";
  const words = paragraph.map((line) => (quoted ? line.replace(ITEM, "") : line).trim()).join(" ");
  const text = quoted ? words : words.slice(mark.length);
  const under = indent + (quoted ? mark : " ".repeat(mark.length));
  return wrap(text, width - under.length).map((line, i) => (i === 0 ? indent + mark : under) + line);
}
