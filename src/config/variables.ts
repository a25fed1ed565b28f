import type { SourceKind } from './configuredServer.ts';

export type VariableMeaning =
  | { readonly kind: 'workspaceFolder' | 'workspaceFolderBasename'; readonly folder: string | undefined }
  | { readonly kind: 'userHome' | 'pathSeparator' }
  | {
      readonly kind: 'environment';
      readonly name: string;
      readonly fallback: string | undefined;
      readonly isRequired: boolean;
    }
  | { readonly kind: 'input'; readonly id: string }
  /** A variable of editors that is not available here. An error, since the server could not use the reference. */
  | { readonly kind: 'unsupported' }
  /** Any other variable. It may be for a shell, so the reference stays in the text. */
  | { readonly kind: 'foreign' };

const referencePattern = /\$\{([^${}]*)\}/g;
const shellPattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const editorVariables =
  /^(?:(?:config|command|extensionInstallFolder|file|relativeFile|localEnv|containerEnv):.*|workspaceRoot|workspaceRootFolderName|file|fileWorkspaceFolder|relativeFile|relativeFileDirname|fileBasename|fileBasenameNoExtension|fileExtname|fileDirname|fileDirnameBasename|cwd|lineNumber|columnNumber|selectedText|execPath|execInstallFolder|defaultBuildTask)$/s;

/** True for `.mcp.json` and the two files of Copilot, whose clients use the shell syntax of environment variables. */
export function usesShellVariables(kind: SourceKind): boolean {
  return kind === 'mcpJson' || kind === 'github' || kind === 'copilot';
}

/** @returns every `${…}` in a text: what is between its braces, and where all of it is, in UTF-16 units */
export function findVariables(text: string) {
  return [...text.matchAll(referencePattern)].map(({ 0: whole, 1: name = '', index }) => {
    return { name, offset: index, length: whole.length };
  });
}

export function variableMeaning(name: string, isShellStyle: boolean): VariableMeaning {
  const colon = name.indexOf(':');
  const argument = colon === -1 ? undefined : name.slice(colon + 1);
  const kind = colon === -1 ? name : name.slice(0, colon);
  switch (kind) {
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
      return { kind, folder: argument };
    case 'userHome':
      return { kind };
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
