import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
  readonly args?: { readonly commands: readonly (string | { readonly command: string })[] };
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly icon?: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
  };
};
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const menu = contributes.menus['view/item/context'] ?? [];

it('names what a command is about in one way: an MCP server', () => {
  const others = /\b(this server|demo server|authorization server|of all servers|trusted servers)\b|^filter servers/i;
  const titles = contributes.commands.map(({ title }) => texts[title.slice(1, -1)] ?? '');
  const named = titles.filter((title) => /\bservers?\b/i.test(title) && !others.test(title));
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((title) => !/\bMCP Servers?\b/.test(title))).toEqual([]);
});

it('shows Restart on Save as something that watches, not as a restart', () => {
  const inline = menu.filter(({ group }) => group?.startsWith('inline') === true).map(({ command }) => command);
  const iconOf = (name: string) => contributes.commands.find(({ command }) => command === `patchbay.${name}`)?.icon;
  expect(inline).toContain('patchbay.restartOnSave');
  // What watches, as VS Code shows its own continuous runs. An arrow in a circle would be a restart.
  expect([iconOf('restartOnSave'), iconOf('restartServer')]).toEqual(['$(eye)', '$(debug-restart)']);
});

describe('a key of a view', () => {
  const { keybindings } = contributes;
  const onRows = keybindings.flatMap((rule) => {
    const ran = rule.args?.commands[1];
    const command = typeof ran === 'object' ? ran.command : '';
    return menu.some((item) => item.command === command) ? [{ command, rule }] : [];
  });

  // A menu shows the key of a rule that names its command, and those that act on the row of the keyboard run several. VS Code takes the
  // last rule that matches, and forgets one for menus whose condition includes that of a later one as it is written.
  it.each(onRows)('is shown in the menu of a row and acts on the row alone: $command', ({ command, rule }) => {
    const [shown, ...others] = keybindings.filter((each) => each.command === command);
    expect(others).toEqual([]);
    const when = rule.when.replace(
      /^focusedView == (\S+)/,
      (_, view: string) => String.raw`focusedView =~ /^${view.replaceAll('.', String.raw`\.`)}$/`,
    );
    const { key, mac } = rule;
    expect(shown).toEqual({ command, key, ...(mac !== undefined && { mac }), when });
    expect(keybindings.indexOf(shown as Keybinding)).toBeLessThan(keybindings.indexOf(rule));
  });

  it('is there for what people do with a row', () => {
    expect(onRows.map(({ command }) => command.slice('patchbay.'.length))).toEqual([
      'copyName',
      'removeServer',
      'renameServer',
      'duplicateServer',
      'disableServer',
      'revokeApproval',
      'removeModel',
    ]);
  });
});

describe('the menu of a server', () => {
  /** The entries for a row, without those in the row itself. */
  const entriesFor = (id: string, viewItem: string): readonly string[] =>
    (contributes.menus[id] ?? []).flatMap(({ command, submenu, when = '', group = '' }) => {
      const pattern = /viewItem =~ \/(.*)\/(?: |$)/.exec(when)?.[1] ?? 'never';
      const isShown = !group.startsWith('inline') && new RegExp(pattern).test(viewItem);
      return isShown ? [command ?? submenu ?? ''] : [];
    });
  const own = 'server.running.code.debuggable.logging.instructions';

  it('is short: what a builder needs is in a submenu', () => {
    const entries = entriesFor('view/item/context', own);
    expect(entries).toContain('patchbay.develop');
    expect(entries.length).toBeLessThanOrEqual(18);
    const develop = entriesFor('patchbay.develop', own);
    expect(develop).toEqual(expect.arrayContaining(['patchbay.restartOnSave', 'patchbay.debugServer']));
    expect(develop.filter((command) => entries.includes(command))).toEqual([]);
  });

  it('has what can act, and nothing else', () => {
    const develop = entriesFor('patchbay.develop', 'server.running.code.onSave.debugged.recorded');
    expect(develop).toEqual(
      expect.arrayContaining(['patchbay.stopRestartingOnSave', 'patchbay.stopDebugging', 'patchbay.stopRecording']),
    );
    for (const command of ['restartOnSave', 'debugServer', 'recordSession'])
      expect(develop).not.toContain(`patchbay.${command}`);
    expect(entriesFor('patchbay.develop', 'server.stopped')).not.toContain('patchbay.pingServer');
    expect(entriesFor('view/item/context', 'server.disabled')).not.toContain('patchbay.develop');
  });
});
