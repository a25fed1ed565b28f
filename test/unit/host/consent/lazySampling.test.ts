import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { SamplingPorts } from '../../../../src/host/consent/consentHost.ts';
import { LazySampling } from '../../../../src/host/consent/consentServices.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleRuleBook } from './sampleRule.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const loaded = vi.hoisted(() => ({ hosts: 0, create: (): unknown => undefined }));
vi.mock('../../../../src/host/consent/consentHost.ts', () => ({
  createSamplingHost: () => {
    loaded.hosts += 1;
    return loaded.create();
  },
}));

beforeEach(() => void (loaded.hosts = 0));

async function setUp() {
  const folder = await temporaryFolder();
  const rules = sampleRuleBook(createManualClock());
  const load = vi.spyOn(rules, 'load');
  const handle = async () => 'answer';
  loaded.create = () => ({ rules, handle, budget: { used: async () => 7, onDidChange: new Emitter().event } });
  const paths = { rules: join(folder, 'rules.json'), budget: join(folder, 'budget.json') };
  const options = { paths, chosenModels: async () => ({}) } as unknown as SamplingPorts;
  return { rules, load, paths, sampling: new LazySampling(options) };
}

it('loads nothing while nothing is kept and no request has come', async () => {
  const { sampling } = await setUp();
  expect([await sampling.rules(), await sampling.tokensOfToday(), loaded.hosts]).toEqual([undefined, 0, 0]);
});

it('reads the rules that are kept, once', async () => {
  const { sampling, rules, load, paths } = await setUp();
  await writeFile(paths.rules, '{}');
  expect(await sampling.rules()).toBe(rules);
  await rm(paths.rules);
  expect(await sampling.rules()).toBe(rules);
  expect([loaded.hosts, load.mock.calls.length]).toEqual([1, 1]);
});

it('has the rules and the tokens of this window once a request has come', async () => {
  const { sampling, rules } = await setUp();
  let changes = 0;
  sampling.onDidChange(() => (changes += 1));
  await sampling.handle(
    { messages: [], maxTokens: 1 },
    { server: 's', cause: undefined, signal: new AbortController().signal },
  );
  expect([await sampling.rules(), await sampling.tokensOfToday(), loaded.hosts]).toEqual([rules, 7, 1]);
  expect(changes).toBeGreaterThan(0);
});
