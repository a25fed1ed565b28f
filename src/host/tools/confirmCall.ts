import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { CancelledError } from '../../base/errors.ts';
import { toJsonText } from '../../base/json.ts';
import type { Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { escapeIcons, singleLine } from '../displayText.ts';
import type { HostServer } from '../serverRegistry.ts';
import { describeClaims, type ToolApprovals } from './toolApprovals.ts';

type Row = QuickPickItem & { readonly decision?: 'once' | 'always' };

/** A call that somebody is asked about. */
interface ProposedCall {
  readonly host: HostServer;
  readonly tool: Tool;
  readonly args: ToolArguments;
  /** A sentence on the arguments. */
  readonly note: string | undefined;
}

/**
 * Asks before a tool runs that does not even claim to change nothing, showing what it would get.
 * @throws {CancelledError} for a no
 */
export async function confirmCall(call: ProposedCall, approvals: ToolApprovals): Promise<void> {
  const { host, tool, args, note } = call;
  if (tool.annotations?.readOnlyHint === true || approvals.isApproved(host.server, tool)) return;
  const name = singleLine(toolDisplayName(tool), 60);
  const rows: Row[] = [
    { label: '$(play) Call', description: escapeIcons(`${name} of ${singleLine(host.label, 60)}`), decision: 'once' },
    {
      label: '$(check-all) Always for this tool in this window',
      description: 'until its description changes',
      decision: 'always',
    },
    { label: 'arguments', kind: QuickPickItemKind.Separator },
    ...(note === undefined ? [] : [{ label: `$(warning) ${escapeIcons(singleLine(note, 300))}` }]),
    ...argumentRows(args),
  ];
  const picked = await window.showQuickPick(rows, {
    title: `Call ${name}?`,
    placeHolder: `The tool ${describeClaims(tool)}. Escape to cancel.`,
    ignoreFocusOut: true,
  });
  if (picked?.decision === 'always') approvals.approve(host.server, tool);
  if (picked?.decision === undefined) throw new CancelledError();
}

/** Arguments shown before a call. */
const maximumArguments = 100;

/** Shown only; choosing one is a no, like anything but the first two rows. */
function argumentRows(args: ToolArguments): Row[] {
  const all = Object.entries(args);
  if (all.length === 0) return [{ label: 'none' }];
  const rows = all.slice(0, maximumArguments).map(([name, value]) => ({
    label: escapeIcons(singleLine(name, 60)),
    description: escapeIcons(singleLine(toJsonText(value, 300), 300)),
  }));
  return all.length > rows.length ? [...rows, { label: `… ${all.length - rows.length} more` }] : rows;
}
