import type { FileKind } from './serverSection.ts';

/** One for each of several containers, in a folder of its name. */
export const containerFile = '.devcontainer/*/devcontainer.json';

/** The configuration files of a folder, in order of precedence. */
export const configurationPaths: readonly { readonly kind: FileKind; readonly path: string }[] = [
  { kind: 'vscode', path: '.vscode/mcp.json' },
  { kind: 'mcpJson', path: '.mcp.json' },
  { kind: 'cursor', path: '.cursor/mcp.json' },
  { kind: 'github', path: '.github/mcp.json' },
  { kind: 'devcontainer', path: '.devcontainer/devcontainer.json' },
  { kind: 'devcontainer', path: '.devcontainer.json' },
  { kind: 'devcontainer', path: containerFile },
];

export const copilotFile = 'mcp-config.json';
