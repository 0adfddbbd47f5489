/**
 * @file An exercise's page: its README, without the parts about a terminal, around the workbench where it is done.
 * @original
 */
import type { Folder } from "../../tools/learn/node/folder.ts";
import { numberOf, pathOf } from "../src/school/data.ts";

/** A section with the output of a terminal: a page shows this output when it happens, so the section is cut out. */
const TERMINALS = /^## What you see before you begin\n[\s\S]*?(?=^## )/m;

/**
 * A text is written for a clone: it names the file of answers and commands of a terminal. In a page the questions stand beside the text, and
 * *Where is it?* tells what `npm run explain` prints.
 */
const FOR_A_PAGE: readonly (readonly [said: RegExp, here: string])[] = [
  [/\bOpen `answers\.yaml` and write your answers\b/g, "Write your answers into the fields"],
  [/\b[Aa]nswer (\w+) questions in `answers\.yaml`/g, "Answer the $1 questions in the fields"],
  [/\bAnswer in `answers\.yaml`/g, "Answer in the fields"],
  [/`answers\.yaml`: make/g, "The questions: make"],
  [/`answers\.yaml`/g, "the questions"],
  [/`npm run explain -- ([\w.:]+)`/g, "[Where is it?](/lookup/?q=$1)"],
  [/In a contribution, `npm run codegen` does the same\./g, "In a contribution, the command for this is `codegen`."],
];

/** The README's text as the page has it. */
export function pageText(readme: string): string {
  return FOR_A_PAGE.reduce((text, [said, here]) => text.replace(said, here), readme.replace(TERMINALS, ""));
}

export function exercisePage(folder: Folder, folders: readonly Folder[]): string {
  const { id, title, goal } = folder.exercise;
  const [, text = ""] = /^# .*\n([\s\S]*)$/.exec(folder.read("README.md")) ?? [];
  return [
    "---",
    `title: ${JSON.stringify(`${numberOf(id)} · ${title}`)}`,
    `slug: ${pathOf(id)}`,
    `description: ${JSON.stringify(goal)}`,
    "hide_table_of_contents: true",
    "custom_edit_url: null",
    "pagination_next: null",
    "pagination_prev: null",
    "---",
    "",
    'import { Exercise } from "@site/src/school/Exercise";',
    "",
    `<Exercise id="${id}" stub={${JSON.stringify(stubOf(folder))}}>`,
    "",
    mdx(linked(pageText(text), folders)),
    "",
    "</Exercise>",
    "",
  ].join("\n");
}

/** The learner's file as text, shown and printed while nothing has been fetched. */
function stubOf({ exercise, stub }: Folder): string {
  return stub.get(exercise.edits[0]?.file as string) as string;
}

/** Links `exercise 03` to its page, and replaces a link into the repository by its text. */
function linked(readme: string, folders: readonly Folder[]): string {
  const text = readme.replace(/\[([^\]]+)\]\(\.\.\/\.\.\/[^)]+\)/g, "$1");
  const of = (number: string): string | undefined =>
    folders.find(({ exercise }) => numberOf(exercise.id) === number)?.exercise.id;
  return text.replace(
    /\b([Ee]xercises? )((?:\d\d[a-z]?)(?:(?:, | and )\d\d[a-z]?)*)/g,
    (_, word, numbers: string) =>
      `${word}${numbers.replace(/\d\d[a-z]?/g, (number) => {
        const id = of(number);
        return id === undefined ? number : `[${number}](${pathOf(id)})`;
      })}`,
  );
}

/** Markdown as MDX: characters that MDX would read as markup are escaped, and an indented figure becomes a block of code. */
function mdx(markdown: string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith("```") ? part : part.split(FIGURE).map(prose).join("")))
    .join("");
}

const FIGURE = /((?<=\n\n)(?: {4}.*\n|\n(?= {4}))+)/;

function prose(part: string): string {
  if (part.startsWith("    ")) return `\`\`\`text\n${part.replace(/^ {4}/gm, "")}\`\`\`\n`;
  return part
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith("`") ? piece : piece.replace(/[{}<]/g, "\\$&")))
    .join("");
}
