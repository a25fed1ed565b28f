import { Diagnostic, DiagnosticSeverity, languages, Range, Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createLocator } from '../../config/configurationProblem.ts';
import { isWithoutSchema, type Tool } from '../../protocol/mcp/tools.ts';
import { findSchemaFault } from '../../schema/schemaFault.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import { singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import type { Faults, ToolFaults } from './toolFaults.ts';

/** A list that keeps changing is looked at once in this time. */
const intervalMs = 1_000;
/** Tools that are looked at in one turn of the event loop. */
const sliceLength = 100;
/** Tools of one server that are in the Problems view. */
const maximumProblems = 20;

/** @returns what is wrong with the schemas of a tool, in a sentence; `undefined` for nearly all */
export function toolFault(tool: Tool): string | undefined {
  if (isWithoutSchema(tool)) return 'This tool has no "inputSchema". Any arguments are sent to it unchecked.';
  for (const [name, schema] of [
    ['inputSchema', tool.inputSchema],
    ['outputSchema', tool.outputSchema],
  ] as const) {
    const fault = schema && findSchemaFault(schema);
    if (fault === undefined) continue;
    const place = singleLine(fault.place === '' ? name : `${name}.${fault.place}`, 200);
    return `This tool's schema is invalid: ${fault.text} (at ${place}).`;
  }
  return undefined;
}

/**
 * Looks for faults in the schemas of each list of tools, after it is shown and a few at a time, and puts them into the Problems view
 * at the entry of the server in its file.
 */
export function followToolFaults(
  registry: Pick<ServerRegistry, 'servers' | 'get' | 'onDidChangeAny' | 'onDidChangeServers'>,
  faults: ToolFaults,
  configuration: Pick<ConfigurationService, 'snapshot' | 'onDidChange'>,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const looked = new Map<string, readonly Tool[]>();
  let isDisposed = false;

  /** Ends early where another list has taken the place of this one. */
  async function look(label: string): Promise<void> {
    const tools = toolsOf(registry.get(label));
    if (looked.get(label) === tools) return;
    looked.set(label, tools);
    const found = new Map<Tool, string>();
    for (const [index, tool] of tools.entries()) {
      if (index > 0 && index % sliceLength === 0) await new Promise((resolve) => setImmediate(resolve));
      if (isDisposed || looked.get(label) !== tools) return;
      const fault = toolFault(tool);
      if (fault !== undefined) found.set(tool, fault);
    }
    faults.set(label, found);
  }

  const looks = store.add(
    new Coalescer<string>(clock, intervalMs, (labels) => labels.forEach((label) => void look(label))),
  );
  const request = ({ label, server }: HostServer): void => {
    if (looked.get(label) !== toolsOf({ server }) && (looked.has(label) || server.state.kind === 'running'))
      looks.request(label);
  };
  store.add(registry.onDidChangeAny(request));
  const forget = (): void => {
    for (const label of looked.keys()) {
      if (registry.get(label) !== undefined) continue;
      looked.delete(label);
      faults.set(label, new Map());
    }
  };
  store.add(registry.onDidChangeServers(forget));
  const collection = store.add(languages.createDiagnosticCollection('patchbay-tools'));
  const showAll = (): void => {
    const all = new Map<string, Diagnostic[]>();
    for (const { label, configured } of registry.servers) {
      const { uri = '' } = configured.source;
      const text = configuration.snapshot.files.get(uri)?.text;
      if (text === undefined || faults.of(label).size === 0) continue;
      const shown = diagnosticsOf(label, faults.of(label), rangeIn(text, configured.range));
      all.set(uri, [...(all.get(uri) ?? []), ...shown]);
    }
    collection.clear();
    for (const [uri, diagnostics] of all) collection.set(Uri.parse(uri), diagnostics);
  };
  const draws = store.add(new Coalescer(clock, intervalMs, showAll));
  store.add(faults.onDidChange(() => draws.request()));
  store.add(configuration.onDidChange(() => draws.request()));
  registry.servers.forEach(request);
  store.add({ dispose: () => (isDisposed = true) });
  return store;
}

const noTools: readonly Tool[] = [];

/** Of a server that does not run there is only what was kept: not its schemas. */
function toolsOf(hostServer: Pick<HostServer, 'server'> | undefined): readonly Tool[] {
  return hostServer?.server.state.kind === 'running' ? hostServer.server.contents.tools : noTools;
}

function rangeIn(text: string, range: HostServer['configured']['range']): Range {
  const { offset, length } = range ?? { offset: 0, length: 0 };
  const placeOf = createLocator(text);
  const [start, end] = [placeOf(offset), placeOf(offset + length)];
  return new Range(start.line, start.character, end.line, end.character);
}

function diagnosticsOf(label: string, faults: Faults, range: Range): readonly Diagnostic[] {
  return [...faults].slice(0, maximumProblems).map(([{ name }, fault]) => {
    const message = `“${singleLine(label, 60)}” offers the tool “${singleLine(name, 60)}”. ${fault} Correct it in the server.`;
    const diagnostic = new Diagnostic(range, message, DiagnosticSeverity.Warning);
    return Object.assign(diagnostic, { source: 'Patchbay', code: 'invalidToolSchema' });
  });
}
