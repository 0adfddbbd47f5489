/** The report of compilations: what it says, and that no text of a program becomes markup. */
import "glasstorch/compile";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { html } from "../../tools/compile_report/html.ts";
import { CompileReport } from "../../tools/compile_report.ts";

test("what is put into a template is escaped, once, and templates are not", () => {
  const inner = html`<i>${"a < b & 'c' \"d\" \0"}</i>`;
  expect(html`<p title="${'"><b>'}">${[inner, inner]}${null}</p>`.text).toBe(
    `<p title="&quot;&gt;&lt;b&gt;">${"<i>a &lt; b &amp; &#39;c&#39; &quot;d&quot; \ufffd</i>".repeat(2)}</p>`,
  );
});

const program = `import torch

def f(x, name):
    y = torch.softmax(x * 2, 1)
    if y.sum() > 0:
        y = y + len(name)
    return y.cumsum(0) + 1

compiled = torch.compile(f)
x = torch.ones(4, 4)
compiled(x, "</script><script>alert(1)</script>")
compiled(x.double(), "&lt;")
`;

test("frames with bytecode, guards and reasons; programs with fusion groups and output code", () => {
  const report = new CompileReport();
  try {
    python(program, { filename: '<img src="x">.py' });
  } finally {
    report.stop();
  }
  const page = report.html("<b>");
  python(program, { filename: "later.py" });
  expect(report.html("<b>")).toBe(page); // it has stopped
  const tags = new Set([...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
  expect([...tags].sort()).toEqual(
    "a body code div h1 h2 h3 head html li meta ol p pre section span style table tbody td th thead title tr".split(
      " ",
    ),
  );
  expect(page).toContain("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).toContain("<code>torch_dynamo_resume_in_f_at_");
  expect(page).toContain("check_tensor(L[&#39;x&#39;], Tensor, torch.float32, ");
  expect(page).toContain("tensor &#39;x&#39; dtype mismatch. expected Float, actual Double");
  expect(page).toContain("generic_jump TensorVariable()");
  expect(page).toMatch(/\nwasm_fused_\w*mul_sum\w*_0 = /);
  expect(page).toMatch(/<td>call of the library<\/td><td><code>buf\d+<\/code><\/td><td>aten\.cumsum\.default</);
  expect(page).toMatch(/not fused: /);
});

test("a program that compiles nothing", () => {
  const report = new CompileReport();
  report.stop();
  expect(report.html("x.py")).toContain("Nothing was compiled");
});
