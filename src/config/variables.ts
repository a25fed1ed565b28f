import type { SourceKind } from './configuredServer.ts';

/** A `${…}` in a text: what it names, and where it stands. */
export interface VariableReference {
  /** Between the braces. */
  readonly name: string;
  /** Of the `$`, in UTF-16 units. */
  readonly offset: number;
  /** With `${` and `}`. */
  readonly length: number;
}

/** What a reference means. */
export type VariableMeaning =
  | { readonly kind: 'workspaceFolder'; readonly folder: string | undefined }
  | { readonly kind: 'workspaceFolderBasename'; readonly folder: string | undefined }
  | { readonly kind: 'userHome' }
  | { readonly kind: 'pathSeparator' }
  | {
      readonly kind: 'environment';
      readonly name: string;
      readonly fallback: string | undefined;
      readonly isRequired: boolean;
    }
  | { readonly kind: 'input'; readonly id: string }
  /** Known to editors, but not here: to pass it on as it is written would only mislead the server. */
  | { readonly kind: 'unsupported' }
  /** Not ours: it may be meant for a shell, so it stays as it is written. */
  | { readonly kind: 'foreign' };

/** Stands for a secret that is written out in a file. */
export const secretMask = '••••••••';

const referencePattern = /\$\{([^${}]*)\}/g;
const shellPattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const editorVariables =
  /^(?:(?:config|command|extensionInstallFolder|file|relativeFile|localEnv|containerEnv):.*|workspaceRoot|workspaceRootFolderName|file|fileWorkspaceFolder|relativeFile|relativeFileDirname|fileBasename|fileBasenameNoExtension|fileExtname|fileDirname|fileDirnameBasename|cwd|lineNumber|columnNumber|selectedText|execPath|execInstallFolder|defaultBuildTask)$/s;

/** `.mcp.json` and `.github/mcp.json` are for clients that write environment variables as a shell does. */
export function usesShellVariables(kind: SourceKind): boolean {
  return kind === 'mcpJson' || kind === 'github';
}

export function findVariables(text: string): VariableReference[] {
  return [...text.matchAll(referencePattern)].map((match) => ({
    name: match[1] ?? '',
    offset: match.index,
    length: match[0].length,
  }));
}

/** @param isShellStyle see {@link VariableContext.isShellStyle} */
export function variableMeaning(name: string, isShellStyle: boolean): VariableMeaning {
  const colon = name.indexOf(':');
  const argument = colon === -1 ? undefined : name.slice(colon + 1);
  switch (colon === -1 ? name : name.slice(0, colon)) {
    case 'workspaceFolder':
      return { kind: 'workspaceFolder', folder: argument };
    case 'workspaceFolderBasename':
      return { kind: 'workspaceFolderBasename', folder: argument };
    case 'userHome':
      return { kind: 'userHome' };
    case 'pathSeparator':
    case '/':
      return { kind: 'pathSeparator' };
    case 'env':
      if (argument === undefined || argument === '') break;
      return { kind: 'environment', name: argument, fallback: undefined, isRequired: false };
    case 'input':
      if (argument === undefined || argument === '') break;
      return { kind: 'input', id: argument };
  }
  if (editorVariables.test(name)) return { kind: 'unsupported' };
  const shell = isShellStyle ? shellPattern.exec(name) : null;
  if (shell?.[1] === undefined) return { kind: 'foreign' };
  return { kind: 'environment', name: shell[1], fallback: shell[2], isRequired: shell[2] === undefined };
}
