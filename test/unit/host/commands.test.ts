import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actingCommands, CommandIds } from '../../../src/host/commandIds.ts';

const root = resolve(import.meta.dirname, '../../..');
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};
const page = readFileSync(join(root, 'src/THREATS.md'), 'utf8');
const list = page.slice(page.indexOf('### What another extension can run'), page.indexOf('## Verification'));

describe('a command that another extension can run', () => {
  const acting = actingCommands as readonly string[];
  const all = contributes.commands.map(({ command }) => command.slice('patchbay.'.length)).toSorted();

  it.each(all)('is in one line of the threat model: %s', (name) => {
    const lines = list.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${name}\``));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith('| confirmed')).toBe(acting.includes(name));
  });

  it('is the only kind that the threat model lists', () => {
    const rows = list.split('\n').filter((line) => line.startsWith('|'));
    const named = rows.flatMap((row) =>
      [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(named.toSorted()).toEqual(all);
    expect(Object.keys(CommandIds).toSorted()).toEqual(all);
  });
});
