/**
 * @file A file of answers as questions: what stands in comments above each answer, and the answer as text. What a form changes is the file.
 * @original
 */

export interface Question {
  readonly name: string;
  /** The comment's first lines, without its number. */
  readonly text: string;
  /** Lines of the comment that stand further in: names to choose from, lines of a table. */
  readonly more: string;
}

export interface Asked {
  /** The text above all questions. */
  readonly preface: string;
  readonly questions: readonly Question[];
}

/** The questions in the initial file. */
export function questionsIn(stub: string): Asked {
  const [preface = "", ...blocks] = stub.trim().split(/\n\n+/);
  return {
    preface: plain(preface.split("\n")).join(" ").replace(ABOUT_THE_FILE, ""),
    questions: blocks.flatMap((block) => {
      const lines = block.split("\n");
      const name = lines.map((line) => LINE.exec(line)?.[1]).find((found) => found !== undefined);
      if (name === undefined) return [];
      const comment = lines.filter((line) => line.startsWith("#"));
      const further = comment.findIndex((line, i) => i > 0 && FIGURE.test(line));
      const at = further === -1 ? comment.length : further;
      return [
        {
          name,
          text: plain(comment.slice(0, at))
            .join(" ")
            .replace(/^\d+\. /, ""),
          more: comment
            .slice(at)
            .filter((line) => !ABOUT_THE_FILE.test(line))
            .map((line) => line.replace(/^# {0,6}/, ""))
            .join("\n"),
        },
      ];
    }),
  };
}

const LINE = /^(\w+):(.*)$/;
/** Names in columns, further in than the text or with two spaces between words. */
const FIGURE = /\w {2,}\S|^# {6}/;
/** How answers are written into the file: a form does it. */
const ABOUT_THE_FILE =
  /Write behind each colon[^.]*\. ?|(?:Lists|Several answers): \[[^\]]*\]\. ?|^#\s*\(in quotation marks.*$/g;

function plain(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/^#\s*/, ""));
}

/** The answer that the file has after a name. */
export function answerIn(text: string, name: string): string[] {
  const line = text.split("\n").find((each) => each.startsWith(`${name}:`));
  const value = (line?.slice(name.length + 1) ?? "").trim();
  if (value === "") return [];
  const list = /^\[(.*)\]$/.exec(value);
  if (list === null) return [bare(value)];
  return [...(list[1] ?? "").matchAll(/"(?:[^"\\]|\\.)*"|[^,\s][^,]*/g)].map(([each]) => bare(each.trim()));
}

const bare = (value: string): string => (/^".*"$/.test(value) ? (JSON.parse(value) as string) : value);

/** The file with this answer. */
export function withAnswer(text: string, name: string, answer: readonly string[], list: boolean): string {
  const value = list && answer.length > 0 ? `[${answer.map(quoted).join(", ")}]` : answer.map(quoted).join(", ");
  return text.replace(new RegExp(`^${name}:.*$`, "m"), () => `${name}:${value === "" ? "" : ` ${value}`}`);
}

/** In quotes where YAML would read something else. */
function quoted(value: string): string {
  return /^[\w./*-]+(?: [\w./*-]+)*$/.test(value) ? value : JSON.stringify(value);
}
