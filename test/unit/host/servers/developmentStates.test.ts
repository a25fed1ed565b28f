import { expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { DevelopmentStates } from '../../../../src/host/servers/developmentStates.ts';

it('a second mistake in the same file is told, and the same one only once', () => {
  const states = new DevelopmentStates();
  const told: string[] = [];
  states.onDidChange((label) => told.push(`${label}: ${states.of(label)?.failure?.message}`));
  const fail = (message: string): void =>
    states.set('notes', {
      restartsOnSave: true,
      staleFile: 'server.js',
      failure: new PatchbayError('crashed', message),
    });
  fail('Line 3.');
  fail('Line 3.');
  fail('Line 9.');
  expect(told).toEqual(['notes: Line 3.', 'notes: Line 9.']);
});
