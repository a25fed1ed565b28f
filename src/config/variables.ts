export type VariableMeaning =
  | { readonly kind: 'workspaceFolder' | 'workspaceFolderBasename'; readonly folder: string | undefined }
  | { readonly kind: 'userHome' | 'pathSeparator' }
  | {
      readonly kind: 'environment';
      readonly name: string;
      readonly fallback: string | undefined;
      /** Without a value and a fallback the reference stays in the text, otherwise it becomes empty. */
      readonly isKept: boolean;
    }
  | { readonly kind: 'input'; readonly id: string }
  /** A variable of editors that is not available here. An error, since the server could not use the reference. */
  | { readonly kind: 'unsupported' }
  /** Any other variable. It may be for a shell, so the reference stays in the text. */
  | { readonly kind: 'foreign' };

/**
 * How a client writes variables.
 *
 * - `editor`: `${env:NAME}` and the other variables of editors.
 * - `container`: those of dev containers that are about the container as well.
 * - `shell`: `${NAME}` and `${NAME:-default}` as well, with any text as default. `dollar`: `$NAME` as well.
 * - `opencode`: only `{env:NAME}`.
 * - `secrets`: only `${{ secrets.NAME }}` and `${{ inputs.NAME }}`.
 */
export type VariableSyntax = 'editor' | 'container' | 'shell' | 'dollar' | 'opencode' | 'secrets';

/** `${…}` without another one inside; the beginning of one with a default, which may hold others; a name alone. */
const patterns: Readonly<Record<VariableSyntax, RegExp>> = {
  editor: /\$\{(?<inner>[^${}]*)\}/g,
  container: /\$\{(?<inner>[^${}]*)\}/g,
  shell: /\$\{(?<inner>[^${}]*)\}|\$\{(?<env>env:)?(?<start>[A-Za-z_]\w*):-/g,
  dollar: /\$\{(?<inner>[^${}]*)\}|\$\{(?<env>env:)?(?<start>[A-Za-z_]\w*):-|\$(?<name>[A-Za-z_]\w*)/g,
  opencode: /(?<!\$)\{env:(?<name>[^{}]+)\}/g,
  secrets: /\$\{\{\s*(?:secrets|inputs)\.(?<id>[\w./-]+)\s*\}\}/g,
};
const shellPattern = /^([A-Za-z_]\w*)(?::-(.*))?$/s;
const editorVariables =
  /^(?:(?:config|command|extensionInstallFolder|file|relativeFile|localEnv|containerEnv):.*|file|fileWorkspaceFolder|relativeFile|relativeFileDirname|fileBasename|fileBasenameNoExtension|fileExtname|fileDirname|fileDirnameBasename|lineNumber|columnNumber|selectedText|execPath|execInstallFolder|defaultBuildTask|(?:local|container)WorkspaceFolder(?:Basename)?)$/s;

/** True for a text that may have variables, in the syntax of any file. */
export function hasVariables(text: string): boolean {
  return /\$(?:\{|[A-Za-z_])/.test(text);
}

/**
 * A value that is nothing but a variable of Copilot's files, perhaps after the scheme of a header. Only in capitals: other words
 * after a dollar sign may be secrets.
 */
export const dollarReference = /^(?:[A-Z][a-z]+\s+)?\$([A-Z_][A-Z\d_]*)$/;

export interface FoundVariable {
  /** Where all of it is, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly meaning: VariableMeaning;
}

/** @returns every variable of a text, in linear time. What is inside a default is part of it, not a variable. */
export function findVariables(text: string, syntax: VariableSyntax): readonly FoundVariable[] {
  const found: FoundVariable[] = [];
  const pattern = new RegExp(patterns[syntax]);
  let closings: ReadonlyMap<number, number> | undefined;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index: offset, 0: whole, groups = {} } = match;
    const { inner = '', env, start, name = start, id } = groups;
    let end = offset + whole.length;
    let fallback: string | undefined;
    if (start !== undefined) {
      closings ??= closingBraces(text);
      // As the clients do it: a default that is not balanced ends at the first brace.
      end = (closings.get(offset) ?? text.indexOf('}', offset)) + 1;
      if (end === 0) break;
      fallback = text.slice(offset + whole.length, end - 1);
      pattern.lastIndex = end;
    }
    const other: VariableMeaning = id === undefined ? variableMeaning(inner, syntax) : { kind: 'input', id };
    const meaning =
      name === undefined ? other : ({ kind: 'environment', name, fallback, isKept: env === undefined } as const);
    found.push({ offset, length: end - offset, meaning });
  }
  return found;
}

/** @returns a text in its parts: each variable as it is written, with its meaning, and what is between them */
export function partsOf(text: string, syntax: VariableSyntax) {
  const parts: { readonly text: string; readonly meaning?: VariableMeaning }[] = [];
  let end = 0;
  for (const { offset, length, meaning } of findVariables(text, syntax)) {
    parts.push({ text: text.slice(end, offset) }, { text: text.slice(offset, offset + length), meaning });
    end = offset + length;
  }
  return [...parts, { text: text.slice(end) }];
}

/** @returns the offset of the brace that closes each `${`, by the offset of that */
function closingBraces(text: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/\$\{|\}/g)) {
    if (brace !== '}') open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) closings.set(start, index);
    }
  }
  return closings;
}

/** The servers run in the container, so its folder is that of the workspace, and its environment theirs. */
function ofContainer(name: string): string {
  const other = name.replace(/^containerW(?=orkspaceFolder(?:Basename)?$)/, 'w');
  return other.replace(/^containerEnv:(\w+)(:?)/, (_, variable: string, colon) => `env:${variable}${colon && ':-'}`);
}

/** @param written what is between the braces */
function variableMeaning(written: string, syntax: VariableSyntax): VariableMeaning {
  const name = syntax === 'container' ? ofContainer(written) : written;
  const colon = name.indexOf(':');
  const argument = colon === -1 ? undefined : name.slice(colon + 1);
  const kind = colon === -1 ? name : name.slice(0, colon);
  // `${workspaceFolder:-.}` has a default, where there is no folder.
  const folder = argument?.startsWith('-') === true ? undefined : argument;
  switch (kind) {
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
      return { kind, folder };
    // Older names, which VS Code replaces too. A server has no other working folder before it starts.
    case 'workspaceRoot':
    case 'cwd':
      return { kind: 'workspaceFolder', folder };
    case 'workspaceRootFolderName':
      return { kind: 'workspaceFolderBasename', folder };
    case 'userHome':
      return { kind };
    case 'pathSeparator':
    case '/':
      return { kind: 'pathSeparator' };
    case 'env': {
      const [, variable, fallback] = /^(.+?)(?::-(.*))?$/s.exec(argument ?? '') ?? [];
      if (variable === undefined) break;
      return { kind: 'environment', name: variable, fallback, isKept: false };
    }
    case 'input':
      if (argument === undefined || argument === '') break;
      return { kind: 'input', id: argument };
  }
  if (editorVariables.test(name)) return { kind: 'unsupported' };
  const shell = syntax === 'editor' || syntax === 'container' ? null : shellPattern.exec(name);
  if (shell?.[1] === undefined) return { kind: 'foreign' };
  return { kind: 'environment', name: shell[1], fallback: shell[2], isKept: true };
}

/** An environment variable that says where a program keeps its files counts only if it does so for any working folder. */
export function absoluteOr(path: string | undefined, otherwise: string): string {
  return path !== undefined && /^(?:[A-Za-z]:)?[\\/]/.test(path) ? path : otherwise;
}

/** @returns the variable that is meant by an unknown one: one of editors in other letters, or that of the environment */
export function knownVariable(reference: string): string | undefined {
  const [, name] = /^\$\{([A-Za-z_]\w*)\}$/.exec(reference) ?? [];
  if (name === undefined) return undefined;
  const names = ['workspaceFolder', 'workspaceFolderBasename', 'workspaceRoot', 'userHome', 'pathSeparator'];
  return `\${${names.find((known) => known.toLowerCase() === name.toLowerCase()) ?? `env:${name}`}}`;
}

/**
 * @returns the variable of Patchbay for one of dev containers; `undefined` for one that has none, or a default, or that in the
 *   container is another one
 */
export function replacementFor(reference: string, syntax: VariableSyntax): string | undefined {
  const [, folder] = /^\$\{(?:local|container)W(orkspaceFolder(?:Basename)?)\}$/.exec(reference) ?? [];
  const [, name] = /^\$\{(?:localEnv|containerEnv):(\w+)\}$/.exec(reference) ?? [];
  if (folder !== undefined) return `\${w${folder}}`;
  return name === undefined || syntax === 'container' ? undefined : `\${env:${name}}`;
}

/** @returns full sentences about a variable of kind `unsupported`: who replaces it, and what to write instead */
export function unsupportedAdvice(reference: string, syntax: VariableSyntax): string {
  const [, kind = ''] = /^\$\{(\w+):?/.exec(reference) ?? [];
  if (kind === 'localEnv' && syntax === 'container')
    return 'It is a variable outside of the container: hand it in by "remoteEnv", and use ${env:NAME}.';
  if (reference.startsWith('${file:'))
    return 'Patchbay reads no file for a value: write the value, or use ${env:NAME} or ${input:id}.';
  if (kind === 'localEnv' || kind === 'containerEnv')
    return 'Dev containers replace it, Patchbay does not: use ${env:NAME}.';
  const instead = replacementFor(reference, syntax);
  if (instead !== undefined) return `Dev containers replace it, Patchbay does not: use ${instead}.`;
  const advice =
    kind === 'command'
      ? 'use ${input:id} with an input of type "command", which runs the same command'
      : 'write the value, or use ${env:NAME} or ${input:id}';
  return `VS Code replaces it, Patchbay does not: ${advice}.`;
}
