/**
 * @file The theme would bring Prism's list of languages: there is no Prism in pages (src/client/no_prism.tsx).
 * @original
 */
export default function prismIncludeLanguages(): void {}
