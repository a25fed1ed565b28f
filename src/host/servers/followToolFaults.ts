import { Diagnostic, DiagnosticSeverity, type Range } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isWithoutSchema, type Tool } from '../../protocol/mcp/tools.ts';
import { findSchemaFault } from '../../schema/schemaFault.ts';
import { singleLine } from '../platform/displayText.ts';
import { createServerProblems, type ShownConfiguration } from './serverProblems.ts';
import { type FollowedServers, followToolLists, type LookAtTools } from './followToolLists.ts';
import type { Faults, ToolFaults } from './toolFaults.ts';

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
  registry: FollowedServers,
  faults: ToolFaults,
  configuration: ShownConfiguration,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const look: LookAtTools = async ({ label }, tools, isCurrent) => {
    const found = new Map<Tool, string>();
    for (const [index, tool] of tools.entries()) {
      if (index > 0 && index % sliceLength === 0) await new Promise((resolve) => setImmediate(resolve));
      if (!isCurrent()) return;
      const fault = toolFault(tool);
      if (fault !== undefined) found.set(tool, fault);
    }
    faults.set(label, found);
  };
  store.add(followToolLists(registry, clock, look, (label) => faults.set(label, new Map())));
  const problems = store.add(
    createServerProblems('patchbay-tools', registry, configuration, clock, ({ label }, range) =>
      diagnosticsOf(label, faults.of(label), range),
    ),
  );
  store.add(faults.onDidChange(problems.draw));
  return store;
}

function diagnosticsOf(label: string, faults: Faults, range: Range): readonly Diagnostic[] {
  return [...faults].slice(0, maximumProblems).map(([{ name }, fault]) => {
    const message = `“${singleLine(label, 60)}” offers the tool “${singleLine(name, 60)}”. ${fault} Correct it in the server.`;
    const diagnostic = new Diagnostic(range, message, DiagnosticSeverity.Warning);
    return Object.assign(diagnostic, { source: 'Patchbay', code: 'invalidToolSchema' });
  });
}
