import { describe, expect, it } from 'vitest';
import { keepServersOfBrokenFile, parseConfiguration } from '../../../src/config/parseConfiguration.ts';

const whole = parseConfiguration(
  '{"inputs": [{"id": "k", "type": "promptString"}], "servers": {"a": {"command": "1"}, "b": {"command": "1"}}}',
  'vscode',
);

describe('keepKnownServers', () => {
  it('keeps what a broken file no longer shows, and takes what it does', () => {
    const broken = parseConfiguration('{"servers": {"a": {"command": "2"}, {}', 'vscode');
    const kept = keepServersOfBrokenFile(broken, whole);
    expect(kept.servers).toMatchObject([
      { label: 'a', definition: { command: '2' } },
      { label: 'b', definition: { command: '1' }, range: undefined },
    ]);
    expect(kept.inputs).toEqual(whole.inputs);
    expect(kept.problems).toEqual(broken.problems);
  });

  it('lets servers go that a valid file leaves out, or that a broken one shows as unusable', () => {
    const valid = parseConfiguration('{"servers": {"a": {"command": "2"}}}', 'vscode');
    expect(keepServersOfBrokenFile(valid, whole)).toBe(valid);
    const unusable = parseConfiguration('{"servers": {"a": {"command": "2"}, "b": {"command": }}}', 'vscode');
    expect(keepServersOfBrokenFile(unusable, whole).servers.map(({ label }) => label)).toEqual(['a']);
  });

  it('has nothing to keep at first', () => {
    const broken = parseConfiguration('{', 'vscode');
    expect(keepServersOfBrokenFile(broken, undefined)).toBe(broken);
  });
});
