import { toolScheme, type UriParts } from './uriSchemes.ts';

/**
 * The languages of documents that servers, models and apps wrote. They have the colours of the language that they are named
 * after, and nothing else: VS Code and other extensions offer links, hovers and actions for `markdown`, `json` or `html`, and
 * follow a link to a command in them.
 */
export type OwnLanguage = keyof typeof extensionsOf | 'patchbay-text';

/** The extensions of the names of files, by language; all others are `patchbay-text`. `package.json` has the same. */
export const extensionsOf = {
  'patchbay-css': ['css', 'less', 'scss'],
  'patchbay-diff': ['diff', 'patch'],
  'patchbay-html': ['html', 'htm', 'xhtml'],
  'patchbay-javascript': ['js', 'mjs', 'cjs', 'jsx'],
  'patchbay-json': ['json', 'jsonc', 'jsonl', 'geojson'],
  'patchbay-markdown': ['md', 'mdc', 'mdx', 'markdown'],
  'patchbay-python': ['py'],
  'patchbay-shell': ['sh', 'bash', 'zsh'],
  'patchbay-sql': ['sql'],
  'patchbay-typescript': ['ts', 'mts', 'cts', 'tsx'],
  'patchbay-xml': ['xml', 'svg', 'xsd', 'xsl'],
  'patchbay-yaml': ['yaml', 'yml'],
} as const;

/** The language of the arguments of a tool: Patchbay's own too. */
const argumentsLanguage = 'mcp-arguments';

/**
 * The folder of the documents that Patchbay makes itself. The patterns of the languages in `package.json` are about paths that
 * begin with `/patchbay~`, so that a document has its language before Patchbay is active, and no file of the person has it.
 */
export const ownFolder = '/patchbay~';

/** @returns the language of a document of Patchbay; `undefined` for a document that is none */
export function languageOf({ scheme, path }: Pick<UriParts, 'scheme' | 'path'>): string | undefined {
  if (!scheme.startsWith('patchbay-')) return undefined;
  if (scheme === toolScheme) return argumentsLanguage;
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  const known = Object.entries(extensionsOf).find(([, extensions]) => extensions.some((one) => one === extension));
  return known?.[0] ?? 'patchbay-text';
}
