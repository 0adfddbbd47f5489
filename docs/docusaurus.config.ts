/**
 * @file The site: where pages come from, how code in them is coloured, what breaks the build.
 * @original
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Config, PluginConfig } from "@docusaurus/types";
import rehypeShiki from "@shikijs/rehype";
import { shikiOptions } from "./site/code_style";
import { remarkImportGraph } from "./site/remark_import_graph";
import { remarkSite } from "./site/remark_site";

/** `/` or the sub-path of a host, e.g. `/glasstorch/`. */
const baseUrl = (process.env.BASE_URL ?? "/").replace(/\/?$/, "/");

/** Where the sources of the site and of the library are kept. */
const repository = process.env.REPOSITORY_URL ?? "https://github.com/glasstorch/glasstorch";

const { version } = JSON.parse(readFileSync(path.resolve(__dirname, "../package.json"), "utf8")) as { version: string };

/** SOURCE_DATE_EPOCH makes a build that can be repeated to the byte. */
const builtOn = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000).toISOString().slice(0, 10);

const docs: PluginConfig = [
  "@docusaurus/plugin-content-docs",
  {
    path: "content",
    routeBasePath: "/",
    sidebarPath: "./sidebars.ts",
    breadcrumbs: false,
    // Generated pages say that there is nothing to edit.
    editUrl: ({ docPath }: { docPath: string }) => `${repository}/edit/main/docs/content/${docPath}`,
    beforeDefaultRemarkPlugins: [remarkSite, remarkImportGraph],
    beforeDefaultRehypePlugins: [[rehypeShiki, shikiOptions]],
  },
];

/** The bundler compiles the library's and the viewer's sources where they stand; bare imports in them are this package's. */
function repositorySources() {
  const own = path.resolve(__dirname, "node_modules");
  return {
    name: "repository-sources",
    configureWebpack: () => ({
      resolve: {
        alias: {
          "glasstorch/trace$": path.resolve(__dirname, "../src/trace/index.ts"),
          glasstorch$: path.resolve(__dirname, "../src/index.ts"),
          "@glasstorch/trace-viewer$": path.resolve(__dirname, "../tools/trace-viewer/src/index.ts"),
          "@glasstorch/trace-viewer/style.css$": path.resolve(__dirname, "../tools/trace-viewer/src/style/index.css"),
          "prism-react-renderer$": path.resolve(__dirname, "src/client/no_prism.tsx"),
          // One React, whoever asks.
          react$: path.join(own, "react"),
          "react/jsx-runtime$": path.join(own, "react/jsx-runtime"),
          "react-dom$": path.join(own, "react-dom"),
        },
        modules: [own, "node_modules"],
      },
    }),
  };
}

/**
 * What a page may do: run and fetch what is of this host. `eval` is the playground's, in workers that a frame with a narrower policy starts; a
 * policy of the page holds for that frame, too. A meta tag cannot say who may frame the page: a host's headers can.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "connect-src 'self' blob: data:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
].join("; ");

export default {
  title: "glasstorch",
  tagline: "PyTorch, small enough to read and made of glass",
  url: process.env.SITE_URL ?? "https://glasstorch.github.io",
  baseUrl,
  favicon: "img/mark.svg",
  trailingSlash: true,
  onBrokenLinks: "throw",
  onBrokenAnchors: "throw",
  onDuplicateRoutes: "throw",
  markdown: { hooks: { onBrokenMarkdownLinks: "throw", onBrokenMarkdownImages: "throw" } },
  future: { v4: true, faster: true },
  headTags: [{ tagName: "meta", attributes: { "http-equiv": "Content-Security-Policy", content: policy } }],
  clientModules: ["./src/client/light_pages.ts", "./src/client/search_focus.ts"],
  plugins: [docs, "@docusaurus/plugin-content-pages", repositorySources],
  themes: [
    ["@docusaurus/theme-classic", { customCss: ["./src/css/site.css", "./src/css/code.css"] }],
    [
      "@easyops-cn/docusaurus-search-local",
      {
        hashed: true,
        indexBlog: false,
        docsRouteBasePath: "/",
        docsDir: "content",
        highlightSearchTermsOnTargetPage: false,
        explicitSearchResultPath: true,
        // Parts of generated pages that would fill the index and answer nobody.
        ignoreCssSelectors: [".no-search", ".code-block", ".trace", ".pg", ".two-ways-tabs"],
        searchBarShortcutHint: false,
      },
    ],
  ],
  themeConfig: {
    colorMode: { respectPrefersColorScheme: true },
    navbar: {
      title: "glasstorch",
      logo: { alt: "", src: "img/mark.svg", width: 22, height: 22 },
      items: [
        { to: "/start/", label: "Start here", position: "left" },
        { to: "/walkthroughs/prelu/", label: "Walkthroughs", position: "left", activeBasePath: "/walkthroughs" },
        { to: "/house/", label: "Layers", position: "left", activeBasePath: "/house" },
        { to: "/learn/", label: "Exercises", position: "left", activeBasePath: "/learn" },
        { to: "/operators/", label: "Operators", position: "left", activeBasePath: "/operators" },
        { to: "/lookup/", label: "Where is it?", position: "left" },
        { to: "/playground/", label: "Playground", position: "left" },
        { to: "/viewer/", label: "Viewer", position: "left" },
        { href: repository, label: "GitHub", position: "right" },
      ],
    },
    footer: {
      copyright: `glasstorch ${version} mirrors PyTorch 2.13.0. It is no part of the PyTorch project. BSD-3-Clause. Built on ${builtOn}. <a href="${repository}">Repository</a> · <a href="${repository}/issues/new">Report an error</a>`,
    },
    docs: { sidebar: { hideable: true } },
    tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
  },
} satisfies Config;
