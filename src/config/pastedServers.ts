import { addressForms, parseServerAddress } from '../base/serverAddress.ts';
import { importPasted } from './importServers.ts';
import type { InputDefinition } from './inputs.ts';
import { pastedDefinition } from './pastedDefinition.ts';
import type { ServerDefinition } from './serverDefinition.ts';
import { splitCommandLine } from './splitCommandLine.ts';

export interface PastedServer {
  /** Absent where what was pasted has no name. */
  readonly label?: string;
  readonly definition: ServerDefinition;
  /** It is switched off where it comes from. */
  readonly isOff: boolean;
}

/** With no servers, the first of `notes` says why, unless the text is empty. */
export interface PastedServers {
  readonly servers: readonly PastedServer[];
  readonly inputs: readonly InputDefinition[];
  /** One sentence for each thing that is left out or changed. */
  readonly notes: readonly string[];
}

/** Marks a pasted definition without a name. No author would choose this one. */
const placeholderLabel = '\u0000';

/**
 * Reads what documentation prints for a server: a command line, an address, JSON for any client, or the link or command that adds
 * it to another client. Never throws.
 */
export function readPastedServers(text: string): PastedServers {
  const found = pastedDefinition(text);
  if (found === '') return nothing();
  if (isJson(found)) return ofJson(text);
  const first = /^\S*/.exec(found)?.[0] ?? '';
  if (/^(?:https?|unix|pipe):/i.test(first)) {
    if (parseServerAddress(found) !== undefined) return single({ type: 'http', url: found });
    return nothing(`This must be ${addressForms}.`);
  }
  if (/^[a-z][a-z.+-]+:[^\\]/i.test(first)) return nothing('This link has no server definition that can be read.');
  return ofCommand(found);
}

/** A comment, an object or list, or the first member of one. A path or a program in quotes is none of these. */
function isJson(text: string): boolean {
  return /^(?:[[{]|\/[/*]|"(?:[^"\\]|\\.)*"\s*:)/.test(text);
}

function ofJson(text: string): PastedServers {
  const { servers, inputs, problems } = importPasted(text, placeholderLabel);
  const notes = problems.map((problem) => problem.replaceAll(`Server "${placeholderLabel}": `, ''));
  if (servers.length === 0 && notes.length === 0) return nothing('There is no server definition in it.');
  return {
    inputs,
    notes,
    servers: servers.map(({ label, definition, isOff }) => ({
      definition,
      isOff,
      ...(label !== placeholderLabel && { label }),
    })),
  };
}

function ofCommand(line: string): PastedServers {
  // As shells print and continue their lines.
  const words = splitCommandLine(line.replace(/^\$\s+/, '')).filter((word) => word !== '\\');
  const assigned = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [command, ...args] = assigned === -1 ? [] : words.slice(assigned);
  if (command === undefined) return nothing('A command is needed.');
  if (addsElsewhere(command, args))
    return nothing('This command adds a server to another program, but Patchbay cannot read it.');
  const env = Object.fromEntries(
    words.slice(0, assigned).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  return single({
    type: 'stdio',
    command,
    ...(args.length > 0 && { args }),
    ...(assigned > 0 && { env }),
  });
}

/** To save it as the command of a server would run that program. */
function addsElsewhere(command: string, args: readonly string[]): boolean {
  const program = /[^\\/]*$/.exec(command)?.[0].replace(/\.(?:exe|cmd)$/i, '') ?? '';
  if (args.some((word) => /^--add-mcp\b/.test(word))) return true;
  return /^(?:claude|codex|gemini|code|code-insiders|cursor|qwen|amp|droid|copilot)$/i.test(program)
    ? args[0] === 'mcp' && /^(?:add|install)/.test(args[1] ?? '')
    : false;
}

function single(definition: ServerDefinition): PastedServers {
  return { servers: [{ definition, isOff: false }], inputs: [], notes: [] };
}

function nothing(...notes: readonly string[]): PastedServers {
  return { servers: [], inputs: [], notes };
}
