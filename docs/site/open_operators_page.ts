/**
 * @file The page of operators that are not here yet: kind, difficulty, PyTorch's file, and the operators that each needs first.
 * @original
 */
import { join } from "node:path";
import { read_tree } from "../../tools/codegen/file_system.ts";
import { openOperatorsOf } from "../../tools/new_op/knowledge.ts";
import { DIFFICULTIES, KINDS, type OpenOperator } from "../../tools/pytorch/open_operators.ts";
import type { Context } from "./context.ts";

/** Data of the page's list. */
export interface OpenOperators {
  readonly kinds: Readonly<Record<string, string>>;
  readonly difficulties: Readonly<Record<string, string>>;
  readonly operators: readonly OpenOperator[];
}

export async function openOperatorsPage(context: Context): Promise<string> {
  const operators = openOperatorsOf(read_tree(context.root));
  const sorted = [...operators].sort((a, b) => a.difficulty - b.difficulty || a.entries[0][1] - b.entries[0][1]);
  const data: OpenOperators = { kinds: KINDS, difficulties: DIFFICULTIES, operators: sorted };
  context.write(join(context.generated, "open_operators.json"), JSON.stringify(data));
  const ready = operators.filter(({ difficulty }) => difficulty <= 2).length;
  const page = [
    "---",
    "title: Operators to build",
    "sidebar_label: Operators to build",
    "slug: /open-operators/",
    "custom_edit_url: null",
    "description: The operators of PyTorch that are not here yet, with kind, difficulty, PyTorch's file and the operators that each needs first.",
    "keywords: [contribute, good first issue, operators not built, missing operators, not implemented, starter list, help wanted]",
    "---",
    "",
    'import open from "@site/generated/open_operators.json";',
    'import { OpenOperators } from "@site/src/components/reference/OpenOperators";',
    "",
    "# Operators to build",
    "",
    `PyTorch's list has ${operators.length} operators that are missing here, or incomplete; ${ready} of them need no other operator first. Choose one.`,
    "Then `npm run new-op -- aten::special_bessel_j0` begins it, and `npm run ex -- check 22` tells you when it is complete:",
    "[how to add an operator](/contribute#adding-an-operator).",
    "",
    "This list is not written by hand: kind, difficulty and needs are computed from recordings of PyTorch 2.13 and from the sources of this site's build.",
    "Operators that learners write in the exercises are left out.",
    "",
    "<OpenOperators data={open} />",
    "",
  ];
  context.write(join(context.content, "open-operators.mdx"), page.join("\n"));
  return `${operators.length} operators to build, ${ready} of them need nothing else first`;
}
