/**
 * @file The main pages, looked at: axe-core finds nothing serious in either theme, and a phone holds them. Pictures are written for people.
 * @original
 */
import { expect } from "vitest";
import { turn_of_tests } from "../../../tools/ci/turn.ts";
import { main, nameOf } from "./support/pages.ts";
import { phone, seriousFindings, shoot, site, test, themes, wider } from "./support/site.ts";

const s = site();

/** Of every five pages three, each in one of three forms: five commits see every page in each form. Without a turn all do. */
const TURNS = 5;
const turn = turn_of_tests(TURNS);
const in_form = (form: number): readonly string[] =>
  main.filter((_, i) => turn === null || (i + turn) % TURNS === form);

for (const [form, colorScheme] of themes.entries())
  test.each(in_form(form))(`/%s: no serious finding of axe-core (${colorScheme})`, async (path) => {
    const page = await s.open(path, { colorScheme });
    await s.quiet();
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe(colorScheme);
    await shoot(page, `${nameOf(path)}-${colorScheme}`);
    expect(await seriousFindings(page)).toEqual([]);
  });

test.each(in_form(2))("/%s: on a phone", async (path) => {
  const page = await s.open(path, { ...phone, colorScheme: path === "" ? "dark" : "light" });
  await s.quiet();
  await shoot(page, `${nameOf(path)}-phone`);
  expect(await wider(page)).toEqual([]);
});
