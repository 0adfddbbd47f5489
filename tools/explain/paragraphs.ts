/**
 * @file The paragraphs of the site's pages, by the words they explain: headings, names written as code, names that a
 * page declares obsolete.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export interface Paragraph {
  /** The file of the page's text. */
  readonly file: string;
  /** `/then-and-now/#th-thc-thnn` */
  readonly route: string;
  readonly title: string;
  /** Its first sentences. */
  readonly tip: string;
  /** Its subjects: its heading, names in the heading or the page's table, other forms of the word. */
  readonly about: readonly string[];
  /** Names that it describes as former; some of them still exist. */
  readonly once: readonly string[];
  /** Families of names that it explains, as regular expressions. */
  readonly families: readonly string[];
  /** Every other word in it. */
  readonly words: string;
}

const CONTENT = "docs/content";

/** Paragraphs of hand-written pages; pages made from sources explain no words. A tree without pages has none. */
export function paragraphs(root: string): Paragraph[] {
  if (!existsSync(join(root, CONTENT))) return [];
  const found: Paragraph[] = [];
  for (const entry of readdirSync(join(root, CONTENT), { recursive: true, encoding: "utf8" }).sort()) {
    const file = `${CONTENT}/${entry.replaceAll("\\", "/")}`;
    if (!/\.mdx$/.test(file) || /\/(?:operators|api)\/|\/differs\.mdx$/.test(file)) continue;
    found.push(...paragraphsOf(file, readFileSync(join(root, file), "utf8")));
  }
  return found.sort((a, b) => rankOf(a.file) - rankOf(b.file));
}

/** Rank of a page: what became of a name, then the glossary, then pages that use it. */
function rankOf(file: string): number {
  return file.endsWith("then-and-now.mdx") ? 0 : file.endsWith("glossary.mdx") ? 1 : file.includes("/house/") ? 2 : 3;
}

interface FrontMatter {
  readonly title?: string;
  readonly slug?: string;
  /** The glossary's other forms of words, with the word. */
  readonly aliases?: { readonly [form: string]: string };
  /** Families of names that the section at each anchor explains, as regular expressions. */
  readonly families?: { readonly [anchor: string]: readonly string[] };
}

export function paragraphsOf(file: string, text: string): Paragraph[] {
  const [, front = "", body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const { title = "", slug, aliases = {}, families = {} } = (parse(front) ?? {}) as FrontMatter;
  const page = slug ?? `/${file.slice(CONTENT.length + 1).replace(/(?:\/?index)?\.mdx$/, "")}/`;
  const rows = tableNames(body);
  return sectionsOf(body, title).map(({ heading, text: content }) => {
    const { name, anchor } = headingOf(heading);
    const forms = Object.entries(aliases).flatMap(([form, word]) =>
      word.toLowerCase() === name.toLowerCase() ? [form] : [],
    );
    return {
      file,
      route: heading === title ? page : `${page}#${anchor}`,
      title: name,
      tip: tipOf(content),
      about: [...new Set([name, ...codeIn(heading), ...forms, ...(rows.get(anchor) ?? [])])],
      once: [...new Set(gone(content))],
      families: families[anchor] ?? [],
      words: [...new Set(content.match(/[A-Za-z_$][\w.:$]*\w/g) ?? [])].join(" "),
    };
  });
}

/** The text under the page's title, then each section with its heading. */
function sectionsOf(body: string, title: string): { heading: string; text: string }[] {
  const parts = body.split(/^#{2,3} (.+)$/m);
  const found = [{ heading: title, text: parts[0].replace(/^# .*$/m, "") }];
  for (let i = 1; i < parts.length; i += 2) found.push({ heading: parts[i], text: parts[i + 1] });
  return found;
}

function headingOf(heading: string): { name: string; anchor: string } {
  const [, words = heading, id] = /^(.*?)\s*\{(?:\/\* )?#([\w-]+)(?: \*\/)?\}\s*$/.exec(heading) ?? [];
  const name = plain(words);
  const anchor =
    id ??
    name
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-");
  return { name, anchor };
}

/** Names in the first column of a table whose first column links to sections. */
function tableNames(body: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, words, anchor] of body.matchAll(/^\| \[(.+?)\]\(#([\w-]+)\)/gm))
    found.set(anchor, [...(found.get(anchor) ?? []), ...codeIn(words), ...plain(words).split(/,\s*|\s+and\s+/)]);
  return found;
}

/** The names in a paragraph that begins with **Then.** */
function gone(content: string): string[] {
  const then = /\*\*Then\.\*\*([\s\S]*?)(?=\n\s*\n\*\*|$)/.exec(content)?.[1] ?? "";
  return [...codeIn(then), ...(then.match(/\b[A-Z]{2,}\w*\b/g) ?? [])];
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => [code, code.replace(/^.*\//, "")]);
}

function tipOf(content: string): string {
  const paragraph =
    content.split(/\n\s*\n/).find((part) => /^[\w*`<[]/.test(part.trim()) && !part.includes("import ")) ?? "";
  return plain(paragraph.replace(/\s+/g, " "));
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<(?:Sym|Op|Source)\s+(?:name|file)="([^"]*)"\s*\/>/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[`*]/g, "")
    .trim();
}
