/**
 * @file The main pages, looked at: axe-core finds nothing serious in either theme, and a phone holds them. Pictures are written for people.
 * @original
 */
import { expect } from "vitest";
import { main, nameOf } from "./support/pages.ts";
import { phone, seriousFindings, shoot, site, test, themes, wider } from "./support/site.ts";

const s = site();

for (const colorScheme of themes)
  test.each(main)(`/%s: no serious finding of axe-core (${colorScheme})`, async (path) => {
    const page = await s.open(path, { colorScheme });
    await s.quiet();
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe(colorScheme);
    await shoot(page, `${nameOf(path)}-${colorScheme}`);
    expect(await seriousFindings(page)).toEqual([]);
  });

test.each(main)("/%s: on a phone", async (path) => {
  const page = await s.open(path, { ...phone, colorScheme: path === "" ? "dark" : "light" });
  await s.quiet();
  await shoot(page, `${nameOf(path)}-phone`);
  expect(await wider(page)).toEqual([]);
});
