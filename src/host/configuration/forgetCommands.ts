import { window } from 'vscode';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import type { InputStore, StoredInput } from './inputStore.ts';
import type { ConfigurationCommandsOptions } from './registerConfiguration.ts';

/** *Forget Trusted Servers…*: forgets the chosen launches, and the pinned definitions of tools, prompts and resources. */
export async function resetTrust({
  trust,
  definitions,
}: Pick<ConfigurationCommandsOptions, 'trust' | 'definitions'>): Promise<void> {
  const agreements = (await trust.trustedServers()).map((agreement) => ({
    label: escapeIcons(singleLine(agreement.label, 80)),
    description: agreement.filesMayChange ? 'its files in this folder may change' : '',
    detail: escapeIcons(singleLine(agreement.uri ?? 'User settings')),
    picked: true,
    agreement,
  }));
  const used = {
    label: 'Tools, prompts and resources',
    description: 'of all servers',
    detail: 'What they were like when you used them',
    picked: true,
    agreement: undefined,
  };
  const picked = await window.showQuickPick([...agreements, used], {
    title: 'Forget Trusted Servers',
    placeHolder: 'The chosen ones ask again before their next start; those that run keep running',
    canPickMany: true,
  });
  if (picked === undefined || picked.length === 0) return;
  await trust.forget(picked.flatMap(({ agreement }) => (agreement === undefined ? [] : [agreement])));
  if (picked.includes(used)) await definitions.reset();
}

function describeConsumer({ usedBy }: StoredInput): string[] {
  return usedBy === undefined ? [] : [`for ${usedBy.label}`, `goes to ${usedBy.target}`];
}

/** *Forget Entered Inputs…*: forgets the chosen values. */
export async function forgetInputs(inputs: InputStore): Promise<void> {
  const items = (await inputs.stored()).map((stored) => ({
    label: escapeIcons(singleLine(stored.id)),
    description: escapeIcons(
      singleLine([...describeConsumer(stored), ...(stored.isSecret ? ['hidden'] : [])].join(' · ')),
    ),
    detail: escapeIcons(singleLine(stored.source.uri ?? 'User settings')),
    picked: true,
    stored,
  }));
  if (items.length === 0) {
    void window.showInformationMessage('No inputs are kept.');
    return;
  }
  const picked = await window.showQuickPick(items, {
    title: 'Forget Inputs',
    placeHolder: 'The chosen ones are asked for again at the next start',
    canPickMany: true,
  });
  if (picked === undefined || picked.length === 0) return;
  await inputs.forget(picked.map(({ stored }) => stored));
  void window.showInformationMessage(`Forgot ${countOf(picked.length, 'input')}.`);
}
