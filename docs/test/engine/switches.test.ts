/**
 * @file Each "what if" switch changes a recording of its walkthrough, and the first step that changes is found.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compare } from "../../../tools/trace-viewer/src/model/compare.ts";
import { openValue } from "../../../tools/trace-viewer/src/model/open.ts";
import { switches } from "../../src/playground/switches.ts";
import { library, root, run } from "./tree.ts";

const lib = await library();

async function recordings(name: string, text: string) {
  const { recorded } = await run(lib, text, { path: `walkthroughs/${name}.ts` });
  return new Map(
    recorded.map(({ recording }) => {
      const opened = openValue(recording.trace);
      if (opened.kind !== "trace") throw new Error("no trace");
      return [recording.name, opened.model] as const;
    }),
  );
}

test.each(Object.keys(switches))("%s", async (name) => {
  const text = readFileSync(join(root, `walkthroughs/${name}.ts`), "utf8");
  const before = await recordings(name, text);
  expect(before.size).toBeGreaterThan(0);
  for (const { label, choices } of switches[name] ?? []) {
    const [first, ...others] = choices;
    expect(text.split(first?.code ?? "").length, `"${first?.code}" stands once in ${name}.ts`).toBe(2);
    for (const choice of others) {
      const after = await recordings(
        name,
        text.replace(first?.code ?? "", () => choice.code),
      );
      const changed = [...after].filter(([key, model]) => {
        const other = before.get(key);
        return other !== undefined && compare(model, other).first !== -1;
      });
      expect.soft(changed.length, `${label}: ${choice.label} changes nothing`).toBeGreaterThan(0);
    }
  }
});
