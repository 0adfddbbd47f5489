import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { site_files } from "../tools/ci/slow_files.ts";

/** What takes half a minute and more. */
const long = [
  "browser/pages",
  "browser/looks",
  "engine/school",
  "browser/redteam",
  "browser/school_answers",
  "browser/playground",
  "engine/run_form",
  "browser/weights",
  "browser/traces",
];

/** Long files begin early: at the end no worker waits for one of them. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at === -1 ? long.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** They measure times: one browser at once, and no other test of the site beside it. */
const timed = ["home", "school", "cpu_half"].map((name) => `test/browser/${name}.test.ts`);

const left_out = [...site_files.left_out];

const browser = {
  globalSetup: ["test/say_turn.ts", "test/browser/support/setup.ts"],
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What a page does next may take its time on a busy machine; only what never comes is a failure.
  expect: { poll: { timeout: 30_000 } },
};

// `node` runs the playground's engine; `browser` and `timed` open the built site in Chromium.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Modules of the library are compiled once for all files.
    experimental: { fsModuleCache: true },
    // A test of a page waits half of its time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", ...left_out],
          globalSetup: ["test/say_turn.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...browser,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          exclude: [...timed, ...left_out],
        },
      },
      {
        extends: true,
        test: {
          ...browser,
          name: "timed",
          include: timed,
          exclude: left_out,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
