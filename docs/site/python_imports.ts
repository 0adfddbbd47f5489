/**
 * @file The imports that a figure's program leaves out.
 * @original
 */

/** A figure's lines as a whole program. */
export const withImports = (lines: string): string => `import torch\nfrom torch import nn\n\n${lines.trimEnd()}\n`;
