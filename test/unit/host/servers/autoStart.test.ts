import { expect, it } from 'vitest';
import { autoStart } from '../../../../src/host/servers/startOffers.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';

it('starts what is marked, and nothing that is disabled', () => {
  const configured = { options: { autoStart: true } };
  const started: string[] = [];
  const registry = sampleRegistry(
    sampleServer('marked', { configured }),
    sampleServer('disabled', { configured, isDisabled: true }),
    sampleServer('other'),
  );
  autoStart(registry, { startUnattended: async (label) => void started.push(label) });
  expect(started).toEqual(['marked']);
});
