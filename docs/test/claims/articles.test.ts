/**
 * @file The page of the articles' Python names every recorded piece, with the outcome that was recorded.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

interface Program {
  readonly name: string;
  readonly error: string | null;
}

const here = import.meta.dirname;
const page = readFileSync(join(here, "../../content/articles.mdx"), "utf8");
const recorded = JSON.parse(
  gunzipSync(readFileSync(join(here, "../../../test/fixtures/python/programs/torch_articles.json.gz"))).toString(),
) as { programs: readonly Program[] };

test("the table lists each piece with its outcome", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (article|---) /.test(line));
  expect(rows).toEqual(
    recorded.programs.map(({ name, error }) => {
      const [article, piece] = name.split(" / ");
      return `| ${article} | ${piece} | ${error === null ? "runs" : `\`${error}\``} |`;
    }),
  );
});
