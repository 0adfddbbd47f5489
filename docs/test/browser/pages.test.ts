/**
 * @file Every page, opened as a reader would: nothing complains, nothing is wider than a phone.
 * @original
 */
import { expect } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { all, main, visited, walkthroughs } from "./support/pages.ts";
import { site, test, wider } from "./support/site.ts";

const s = site();

test("the site is there", () => {
  expect(all.length).toBeGreaterThan(150);
  expect(walkthroughs.length).toBeGreaterThanOrEqual(7);
  for (const page of main) expect(all, page).toContain(page.replace(/[?#].*$/, ""));
});

test("it is built for a sub-path", ({ skip }) => {
  const { pathname } = new URL(s.served.url);
  if (pathname === "/" && process.env["CI"] !== "true")
    skip("this build is for the root of a host; BASE_URL=/glasstorch/ builds for a sub-path");
  expect(pathname).not.toBe("/");
});

test.each(cases_in_turn("pages in a browser", visited, 16))(
  "/%s: no complaint, no empty figure, no word of things to come, fits a phone",
  async (path) => {
    const page = await s.open(path);
    await s.quiet();
    expect((await page.title()).length).toBeGreaterThan(3);
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator("body").innerText()).not.toMatch(
      /coming soon|lorem ipsum|under construction|\bTBD\b|\bTODO\b/i,
    );
    // Images have arrived, and figures are not empty.
    expect(
      await page.evaluate(() =>
        [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
      ),
    ).toEqual([]);
    expect(
      await page.evaluate(
        () =>
          [...document.querySelectorAll("main figure, main .trace, main svg")].filter(
            (f) => f.getBoundingClientRect().height === 0 && f.checkVisibility(),
          ).length,
      ),
    ).toBe(0);
    expect(await page.locator(".shiki code:empty").count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(150);
    expect(await wider(page), "on a phone nothing can be pushed sideways").toEqual([]);
  },
);

test("the theme can be switched, and stays", async () => {
  const page = await s.open("", { colorScheme: "light" });
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  const button = page.getByRole("button", { name: /dark and light mode/ });
  for (let k = 0; k < 3 && (await theme()) !== "dark"; k++) await button.click();
  expect(await theme()).toBe("dark");
  await page.goto(`${s.served.url}start/`);
  expect(await theme()).toBe("dark");
});

test("an address that leads nowhere says so", async () => {
  const page = await s.open("");
  const answer = await page.request.get(`${s.served.url}no/such/page/`);
  expect(answer.status()).toBe(404);
  expect(await answer.text()).toContain("Page Not Found");
});
