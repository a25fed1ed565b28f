import { env, type InputBoxOptions, InputBoxValidationSeverity, window } from 'vscode';
import { addressForms, parseServerAddress } from '../../base/serverAddress.ts';
import type { InputDefinition } from '../../config/inputs.ts';
import { importPasted } from '../../config/importServers.ts';
import { labelProblem, suggestLabel, uniqueLabel } from '../../config/newServer.ts';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { pastedDefinition } from '../../config/pastedDefinition.ts';
import { splitCommandLine } from '../../config/splitCommandLine.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import { type AddServerOptions, addServers, chooseTarget, findExistingNames, type NewServer } from './saveServers.ts';

const title = 'Add MCP Server';
/** Marks a pasted definition without a name. No author would choose this one. */
const placeholderLabel = '\u0000';

/** A server without a label has no name yet: the person is asked for it. */
interface Drafts {
  readonly servers: readonly { readonly label?: string; readonly definition: ServerDefinition }[];
  readonly inputs: readonly InputDefinition[];
}

/** *Add MCP Server…*: asks for a command line, a URL or JSON, then for a name and a place. Closing any step cancels all. */
export async function addServer(options: AddServerOptions): Promise<void> {
  const drafts = await askDrafts();
  if (drafts === undefined) return;
  const target = await chooseTarget(title);
  if (target === undefined) return;
  const existing = await findExistingNames(target, options.labels());
  const servers: NewServer[] = [];
  for (const { label, definition } of drafts.servers) {
    const taken = existing.labels;
    const name = label === undefined ? await askLabel(definition, taken) : uniqueLabel(label, taken);
    if (name === undefined) return;
    taken.add(name);
    servers.push({ label: name, definition });
  }
  await addServers(target, servers, drafts.inputs, existing, options);
}

async function askDrafts(): Promise<Drafts | undefined> {
  const kinds = [
    { label: '$(terminal) Command', description: 'A program on this machine, over stdio', ask: askCommand },
    { label: '$(globe) Address', description: 'A server on the network, over HTTP', ask: askAddress },
    { label: '$(json) JSON', description: 'A definition as documentation prints it, of any client', ask: askJson },
  ];
  const kind = await window.showQuickPick(kinds, { title, placeHolder: 'What kind of server', ignoreFocusOut: true });
  return kind?.ask();
}

function askText(options: InputBoxOptions): Thenable<string | undefined> {
  return window.showInputBox({ title, ignoreFocusOut: true, ...options });
}

async function askCommand(): Promise<Drafts | undefined> {
  const line = await askText({
    prompt: 'The command that starts the server, with its arguments',
    placeHolder: 'npx -y @modelcontextprotocol/server-memory',
    validateInput: (text) => (text.trim() === '' ? 'A command is needed.' : undefined),
  });
  const [command, ...args] = splitCommandLine(line ?? '');
  return command === undefined ? undefined : singleDraft({ type: 'stdio', command, ...(args.length > 0 && { args }) });
}

async function askAddress(): Promise<Drafts | undefined> {
  const url = await askText({
    prompt: 'The address of the server',
    placeHolder: 'https://example.com/mcp',
    validateInput: (text) =>
      parseServerAddress(text.trim()) === undefined ? `This must be ${addressForms}.` : undefined,
  });
  return url === undefined ? undefined : singleDraft({ type: 'http', url: url.trim() });
}

async function askJson(): Promise<Drafts | undefined> {
  const text = await askText({
    prompt: 'Paste the JSON, a whole file or one definition; or the link or command that adds it to another client',
    placeHolder: '{ "mcpServers": { "name": { "command": "…" } } }',
    validateInput: async (pasted) => {
      const whole = await withLines(pasted);
      const { servers, problems } = importPasted(whole, placeholderLabel);
      const said = [...(hidesRest(pastedDefinition(whole)) ? [commentAdvice] : []), ...problems];
      if (pasted.trim() === '') return undefined;
      if (servers.length === 0) return notificationText(said[0] ?? 'There is no server definition in it.');
      if (said.length === 0) return undefined;
      // A warning does not keep the person from going on.
      const message = `Found ${countOf(servers.length, 'server')}. ${said.join(' ').replaceAll(placeholderLabel, '')}`;
      return { message: notificationText(message), severity: InputBoxValidationSeverity.Warning };
    },
  });
  const { servers, inputs } = importPasted(await withLines(text ?? ''), placeholderLabel);
  if (servers.length === 0) return undefined;
  return {
    inputs,
    servers: servers.map(({ label, definition }) => ({ definition, ...(label !== placeholderLabel && { label }) })),
  };
}

const commentAdvice = 'A comment (“//”) hides the rest, as this box has one line only: remove the comments.';

/** The box turns line ends into spaces. @returns the text of the clipboard if that is what was pasted, with its lines */
async function withLines(pasted: string): Promise<string> {
  if (!pasted.includes('//')) return pasted;
  const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '');
  const copied = await env.clipboard.readText();
  return withoutSpaces(copied) === withoutSpaces(pasted) ? copied : pasted;
}

/** True for one line with a comment to its end. */
function hidesRest(text: string): boolean {
  const code = text.replaceAll(/"(?:\\.|[^"\\])*(?:"|$)/g, '');
  return /^["[{/]/.test(text) && code.includes('//') && !/[\r\n]/.test(text.trim());
}

async function askLabel(definition: ServerDefinition, taken: ReadonlySet<string>): Promise<string | undefined> {
  const label = await askText({
    prompt: 'A short name for the server',
    value: uniqueLabel(suggestLabel(definition), taken),
    validateInput: (text) => labelProblem(text, taken),
  });
  return label?.trim();
}

function singleDraft(definition: ServerDefinition): Drafts {
  return { servers: [{ definition }], inputs: [] };
}
