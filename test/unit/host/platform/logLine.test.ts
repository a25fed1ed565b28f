import { describe, expect, it } from 'vitest';
import { formatLogMessage } from '../../../../src/host/platform/logLine.ts';

describe('formatLogMessage', () => {
  it.each([
    [{ level: 'info', data: 'ready' } as const, 'ready'],
    [{ level: 'info', logger: 'db', data: { rows: 2 } } as const, '[db] {"rows":2}'],
    [{ level: 'info', logger: 'a\n\u202eb', data: 'x' } as const, '[a ⟨U+202E⟩b] x'],
    [{ level: 'warning', data: 'hm' } as const, 'hm'],
    [{ level: 'critical', data: 'down' } as const, 'critical: down'],
    [{ level: 'info', data: undefined } as const, ''],
  ])('%#', (message, expected) => expect(formatLogMessage(message)).toBe(expected));

  it('survives what is nested too deep to be written', () => {
    const data: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const line = formatLogMessage({ level: 'info', data });
    expect(line).toMatch(/^\[{1000}/);
    expect(line.length).toBeLessThan(10_000);
  });
});
