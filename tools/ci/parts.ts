/**
 * @file The parts of a complete run of all checks (`.ci/run`), in the order in which they begin, and the files on which
 * each depends.
 * @original
 * @see run.ts (runs them), rehearse.ts (runs those that a change can touch)
 */

/** How a part's tests are counted. */
export type Counting =
  /** vitest writes a report, from which failures can be repeated. */
  | { readonly by: "vitest"; readonly folder: string }
  /** The part's last line says `N passed, N failed`. */
  | { readonly by: "last line" }
  /** It passes or fails as a whole, and no tests are counted. */
  | { readonly by: "status" };

export interface Part {
  readonly name: string;
  /** Shell commands, one after the other. */
  readonly commands: readonly string[];
  readonly counting: Counting;
  /** Changes of these files can change the result; null: any change can. */
  readonly touched_by: RegExp | null;
  /** Parts that must have ended before. */
  readonly after?: readonly string[];
  /** Whether it keeps about one core busy, so that another such part may run beside it. */
  readonly one_core?: boolean;
}

/** Sources of the library, and files that are generated from them or with them. */
const LIBRARY = "src/|tools/codegen/|package|tsconfig";
const touched_by = (folders: string): RegExp => new RegExp(`^(?:${folders})`);

/** The real PyTorch is installed here, once. Users do not need it. */
export const PYTORCH = "node_modules/.cache/pytorch";
const python = `$PWD/${PYTORCH}/bin/python`;

// As many parts that keep one core busy run beside each other as there are cores: none waits for another's end. The longest begin first.
export const PARTS: readonly Part[] = [
  {
    name: "unit tests",
    commands: ["npm test -- --project alone --project together $REPORT"],
    counting: { by: "vitest", folder: "." },
    touched_by: null,
  },
  {
    name: "site",
    commands: [
      "cd docs && npm ci --no-audit --no-fund",
      "BASE_URL=/glasstorch/ npm run --silent site:build", // under a sub-path, as on a project's page of a static host
      "cd docs && npm run --silent typecheck",
    ],
    counting: { by: "status" },
    touched_by: touched_by(
      `${LIBRARY}|docs/|walkthroughs/|exercises/|tools/|gallery/|test/README|CONTRIBUTING|README|CHANGELOG`,
    ),
    after: ["unit tests"],
    one_core: true,
  },
  {
    name: "site: engine, claims, browser",
    commands: ["cd docs && npx vitest run $REPORT"],
    counting: { by: "vitest", folder: "docs" },
    touched_by: touched_by(`${LIBRARY}|docs/|walkthroughs/|exercises/|tools/|gallery/`),
    after: ["site"],
    one_core: true, // tests of pages wait half of their time
  },
  {
    name: "check",
    // With their packages, the device's tests are checked for types, too.
    commands: ["npm ci --prefix test/webgpu", 'npm run --silent check -- --without "unit tests" --jobs 1'],
    counting: { by: "last line" },
    touched_by: null,
    after: ["unit tests"],
    one_core: true,
  },
  {
    name: "real PyTorch",
    commands: [
      `[ -x ${python} ] || { python3 -m venv ${PYTORCH} && ${PYTORCH}/bin/pip install --quiet torch==2.13.0 numpy scipy pyyaml expecttest; }`,
      `PYTHON=${python} npm run --silent test:oracle`,
    ],
    counting: { by: "last line" },
    touched_by: touched_by(`${LIBRARY}|tools/oracle/|tools/pytorch|test/fixtures/|walkthroughs/`),
    after: ["unit tests"],
    one_core: true,
  },
  {
    name: "other configurations of kernels and heap",
    commands: ["npm run --silent test:matrix -- --sample --jobs 1"],
    counting: { by: "last line" },
    touched_by: touched_by(`src/c10/|src/aten/|test/aten/|test/opinfo/|test/helpers/`),
    after: ["unit tests"],
    one_core: true,
  },
  {
    name: "device",
    commands: ['npm test -- --project "webgpu*" $REPORT'],
    counting: { by: "vitest", folder: "." },
    touched_by: touched_by(`${LIBRARY}|test/webgpu/|test/helpers/|test/fixtures/webgpu/|tools/learn/|walkthroughs/`),
    after: ["check"], // which installs the packages
    one_core: true,
  },
  {
    name: "trace viewer",
    commands: ["cd tools/trace-viewer && npm ci && npm run typecheck && npm run build && npx vitest run $REPORT"],
    counting: { by: "vitest", folder: "tools/trace-viewer" },
    touched_by: touched_by(`tools/trace-viewer/|src/trace/|walkthroughs/`),
    after: ["unit tests"],
    one_core: true,
  },
  {
    name: "bench",
    commands: [`PYTHON=${python} npm run --silent bench -- --quick`, "npx tsx bench/first_command.ts"],
    counting: { by: "status" }, // times are printed and never fail a run; a benchmark that does not run does
    touched_by: touched_by(`${LIBRARY}|bench/|tools/build|tools/module_loader`),
    after: ["real PyTorch", "check"], // the one installs PyTorch, the other builds the package
    one_core: true,
  },
];
