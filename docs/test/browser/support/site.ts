/**
 * @file What every browser test needs: the site opened, what it complains of, its accessibility, its picture.
 * @original
 */
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, test as each, expect, inject } from "vitest";
import { launch } from "./chromium.ts";
import { build, screenshots } from "./paths.ts";
import { type Served, serve } from "./server.ts";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** A test that needs the browser. */
export const test = each.skipIf(!inject("browser"));

export type Theme = "light" | "dark";
export const themes: readonly Theme[] = ["light", "dark"];
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export interface Site {
  readonly served: Served;
  /** Opens a page (`""` is the first) and waits until it has come alive. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /**
   * Until the host has sent nothing for half a second. The browser's own count of open requests ("networkidle") can stay above zero for good
   * when a page gives one up.
   */
  quiet(): Promise<void>;
}

interface Host {
  /** What the host sends with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Complaints that a page is to make. */
  readonly expected?: RegExp;
  /** Whether the browser lets pages have service workers: without, none is loaded twice to be isolated. */
  readonly serviceWorkers?: boolean;
  /** What the browser is started with. */
  readonly flags?: readonly string[];
}

/** To be called at the top of a test file: one browser and one server for its tests. A complaint of any page fails the test that opened it. */
export function site({ headers, expected, serviceWorkers = false, flags = [] }: Host = {}): Site {
  let browser: Browser | undefined;
  let served: Served | undefined;
  let complaints: string[] = [];

  beforeAll(async () => {
    if (inject("browser")) [browser, served] = await Promise.all([launch(flags), serve(build, headers)]);
  });
  afterAll(async () => {
    await browser?.close();
    served?.close();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    const seen = complaints;
    complaints = [];
    expect(seen, "no page complains").toEqual([]);
  });

  const host = (): Served => {
    if (served === undefined) throw new Error("no server");
    return served;
  };

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await (browser as Browser).newContext({
      viewport: { width: 1320, height: 900 },
      reducedMotion: "reduce",
      serviceWorkers: serviceWorkers ? "allow" : "block",
      ...options,
    });
    const complain = (words: string): void => void (expected?.test(words) || complaints.push(`/${path}: ${words}`));
    context.on("page", (page) => listen(page, new URL(host().url).origin, complain));
    const page = await context.newPage();
    await page.goto(host().url + path);
    if (options.javaScriptEnabled !== false) await alive(page);
    return page;
  }

  async function quiet(): Promise<void> {
    for (let before = -1; before !== host().sent.length; ) {
      before = host().sent.length;
      await new Promise((ready) => setTimeout(ready, 500));
    }
  }

  return {
    get served() {
      return host();
    },
    open,
    quiet,
  };
}

function listen(page: Page, origin: string, complain: (words: string) => void): void {
  const own = (url: string): boolean => url.startsWith(origin) || url.startsWith("blob:") || url.startsWith("data:");
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!message.text().includes("Service Worker registration blocked by Playwright")) complain(message.text());
  });
  page.on("pageerror", (error) => complain(error.message));
  page.on("request", (request) => {
    if (!own(request.url()) && !request.isNavigationRequest()) complain(`asks another host: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // The reader left, or the playground ended a worker: not a failure.
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      complain(`${request.failure()?.errorText}: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (own(response.url()) && response.status() >= 400) complain(`${response.status()}: ${response.url()}`);
  });
}

/** Docusaurus says on the root element when React has taken over. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset["hasHydrated"] === "true");
}

/** A picture for people. On a busy machine Chromium may give one up that it could not draw in its time. */
export async function shoot(page: Page, name: string, fullPage = true): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await page.screenshot({ path: `${screenshots}${name}.png`, fullPage });
      return;
    } catch (error) {
      if (tries === 5 || !String(error).includes("Unable to capture screenshot")) throw error;
    }
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly target: readonly string[];
    readonly failureSummary: string;
  }[];
}

/** Findings of axe-core that it calls serious or critical. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: unknown): Promise<{ violations: Finding[] }> } };
    return (await axe.run({ resultTypes: ["violations"] })).violations.filter(
      (v) => v.impact === "serious" || v.impact === "critical",
    );
  });
  return found.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 4)
      .map(
        (node) =>
          `${id}: ${node.target.join(" ")} ${node.html.slice(0, 140)} ${node.failureSummary.replace(/\s+/g, " ").slice(0, 260)}`,
      ),
  );
}

/** What reaches past the right edge of the window, so that the whole page could be pushed sideways. Empty if nothing does. */
export function wider(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    // Not scrollWidth alone: `overflow: hidden` on the body would hide what is cut off.
    const root = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
    const scrolls = (element: Element | null): boolean => {
      for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX, position } = getComputedStyle(at);
        if (overflowX !== "visible" || position === "fixed") return true;
      }
      return false;
    };
    const out: string[] = [];
    for (const element of document.querySelectorAll("body *")) {
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.right > width + 1 && !scrolls(element))
        out.push(
          `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} ends at ${Math.round(box.right)}`,
        );
    }
    if (root > width) out.unshift(`the page is ${root} wide in a window of ${width}`);
    return out.slice(0, 6);
  });
}

/** Presses Tab until the element has the focus; how often it took. */
export async function tabTo(page: Page, selector: string, most = 120): Promise<number> {
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector)) return presses;
  }
  throw new Error(`${most} times Tab do not lead to ${selector}`);
}
