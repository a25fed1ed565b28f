import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAuditedRules } from '../../../../src/host/consent/ruleAudit.ts';
import { createRuleSource } from '../../../../src/host/consent/ruleSource.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleRuleBook } from './sampleRule.ts';

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const book = createAuditedRules(sampleRuleBook(createManualClock()), { record: () => {} });
  const counts = { rules: 0, load: 0 };
  const counted = { ...book, load: async () => void (counts.load += 1) };
  const lazy = {
    isLoaded: false,
    rules: async () => {
      counts.rules += 1;
      return counted;
    },
    onDidChangeRules: book.onDidChange,
  };
  const path = join(folder, 'sampling-rules.json');
  return { lazy, counted, counts, path, source: createRuleSource(lazy, path) };
}

it('loads nothing while no rule is kept and no request has come', async () => {
  const { counts, source } = await setUp();
  expect(await source.find()).toBeUndefined();
  expect(counts).toEqual({ rules: 0, load: 0 });
});

it('reads the rules that are kept, once', async () => {
  const { counted, counts, path, source } = await setUp();
  await writeFile(path, '{}');
  expect(await source.find()).toBe(counted);
  await rm(path);
  expect(await source.find()).toBeUndefined();
  await writeFile(path, '{}');
  await source.find();
  expect(counts).toEqual({ rules: 1, load: 1 });
});

it('finds the rules of this window once a request has come', async () => {
  const { lazy, counted, source } = await setUp();
  expect(await source.find()).toBeUndefined();
  lazy.isLoaded = true;
  expect(await source.find()).toBe(counted);
});
