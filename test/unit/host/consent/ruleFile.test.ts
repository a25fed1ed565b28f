import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import type { SharedStore } from '../../../../src/base/sharedStore.ts';
import type { SamplingRule } from '../../../../src/client/sampling/samplingRules.ts';
import { createRuleFile } from '../../../../src/host/consent/consentFiles.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { sampleRule } from './sampleRule.ts';

type RuleStore = SharedStore<readonly SamplingRule[]>;

const clock = createSystemClock();
let folder = '';
let path = '';

function open(owner = 'one'): RuleStore {
  return createRuleFile(path, { clock, owner, reachWindow: async () => {} });
}

const read = (store: RuleStore): Promise<readonly SamplingRule[]> => store.update((rules) => rules);
const add = (store: RuleStore, rule: SamplingRule): Promise<readonly SamplingRule[]> =>
  store.update((rules) => [...rules, rule]);
const kept = (rule: Partial<SamplingRule> = {}): SamplingRule => sampleRule(clock.now(), { isKept: true, ...rule });

describe('the file of rules', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder, 'storage', 'sampling-rules.json');
  });

  it('is read by another window as it was written, and only this user can read it', async () => {
    const rules = [
      kept({ uses: [{ at: 5, tokens: 7.5 }] }),
      kept({ id: 'r2', model: { id: 'm', name: 'M', family: 'f' } }),
    ];
    for (const rule of rules) await add(open(), rule);
    expect(await read(open('two'))).toEqual(rules);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'storage'))).toEqual(['sampling-rules.json']);
  });

  it('is not made, nor its folder, as long as there is nothing to keep', async () => {
    const store = open();
    expect(await read(store)).toEqual([]);
    expect(await store.update((rules) => rules.filter(() => false))).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not written again where nothing changes, and is gone with the last rule', async () => {
    const store = open();
    await add(store, kept());
    const before = await stat(path);
    await store.update((rules) => rules.map((rule) => ({ ...rule })));
    expect((await stat(path)).ino).toBe(before.ino);
    await store.update(() => []);
    expect(await readdir(join(folder, 'storage'))).toEqual([]);
  });

  it('loses no change of two windows, or of one, that write at the same time', async () => {
    const stores = [open('one'), open('two')];
    await add(open('three'), kept({ requestsPerHour: 1_000 }));
    const use = (store: RuleStore, at: number) =>
      store.update((rules) =>
        rules.map((rule) => ({ ...rule, uses: [...rule.uses, { at: rule.uses.length, tokens: at }] })),
      );
    await Promise.all(Array.from({ length: 12 }, (_, index) => use(stores[index % 2] ?? open(), index)));
    const [rule] = await read(open('four'));
    expect(rule?.uses.map(({ tokens }) => tokens).toSorted((a, b) => a - b)).toEqual([...Array(12).keys()]);
  });

  it.each([
    ['a crash cut short', '{"version":1,"rules":[{"id":'],
    ['is empty', ''],
    ['is not one of ours', '[1, 2]'],
    ['another version wrote', JSON.stringify({ version: 2, rules: [sampleRule(clock.now(), { isKept: true })] })],
    ['is larger than a megabyte', `{"version":1,"rules":[],"x":"${'x'.repeat(1024 ** 2)}"}`],
  ])('holds no rule if it %s, and the next write replaces it', async (_what, text) => {
    await mkdir(join(folder, 'storage'));
    await writeFile(path, text);
    expect(await read(open())).toEqual([]);
    await add(open(), kept());
    expect(await read(open())).toHaveLength(1);
  });

  it.each([
    ['an id that is no text', { id: 7 }],
    ['a text that is too long', { server: 'x'.repeat(2_001) }],
    ['no definition', { definition: undefined }],
    ['a model without a name', { model: { id: 'm' } }],
    ['a destination that is no text', { model: { id: 'm', name: 'M', family: 'f', destination: 1 } }],
    ['no requests', { requestsPerHour: 0 }],
    ['more requests than can be allowed', { requestsPerHour: 1_001 }],
    ['half a request', { requestsPerHour: 1.5 }],
    ['more tokens than can be allowed', { tokensPerHour: 10_000_001 }],
    ['an end that is too far away', { expiresAt: clock.now() + 32 * 24 * 3_600_000 }],
    ['no decision about the review', { reviewsAnswer: 'no' }],
    ['not to be kept', { isKept: false }],
    ['nothing seen', { seen: { maxTokens: 1, characters: 1 } }],
    ['less than nothing seen', { seen: { maxTokens: -1, characters: 1, frame: '' } }],
    [
      'uses that are not in order',
      {
        uses: [
          { at: 2, tokens: 1 },
          { at: 1, tokens: 1 },
        ],
      },
    ],
    ['a use that gives tokens back', { uses: [{ at: 2, tokens: -1 }] }],
    ['more uses than an hour allows', { uses: Array.from({ length: 1_001 }, () => ({ at: 1, tokens: 1 })) }],
  ])('leaves out an entry with %s, and no other', async (_what, wrong) => {
    await mkdir(join(folder, 'storage'));
    const right = kept({ id: 'right' });
    const rules = [{ ...kept(), ...wrong }, right, null, { ...right, server: 'same id' }];
    await writeFile(path, JSON.stringify({ version: 1, rules }));
    expect(await read(open())).toEqual([right]);
  });

  it('holds the last 100 entries', async () => {
    await mkdir(join(folder, 'storage'));
    const rules = Array.from({ length: 150 }, (_, index) => kept({ id: String(index) }));
    await writeFile(path, JSON.stringify({ version: 1, rules }));
    expect((await read(open())).map(({ id }) => id)).toEqual(rules.slice(-100).map(({ id }) => id));
  });

  it('refuses a rule that it could not read again', async () => {
    await expect(add(open(), kept({ server: 'x'.repeat(2_001) }))).rejects.toThrow('cannot be kept');
    await expect(add(open(), sampleRule(clock.now()))).rejects.toThrow('cannot be kept');
    const many = Array.from({ length: 101 }, (_, index) => kept({ id: String(index) }));
    await expect(open().update(() => many)).rejects.toThrow('cannot be kept');
    const uses = Array.from({ length: 1_000 }, () => ({ at: clock.now(), tokens: 1_000_000 }));
    const large = Array.from({ length: 100 }, (_, index) => kept({ id: String(index), uses }));
    await expect(open().update(() => large)).rejects.toThrow('too much');
    expect(await readdir(join(folder, 'storage'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('follows no link, and does not replace it', async () => {
    await mkdir(join(folder, 'storage'));
    const other = join(folder, 'other.json');
    await add(createRuleFile(other, { clock, owner: 'one', reachWindow: async () => {} }), kept());
    const before = await readFile(other, 'utf8');
    await symlink(other, path);
    expect(await read(open())).toEqual([]);
    await expect(add(open(), kept({ id: 'new' }))).rejects.toThrow('not an ordinary file');
    expect(await readFile(other, 'utf8')).toBe(before);
  });

  it('is no folder, and does not replace one', async () => {
    await mkdir(path, { recursive: true });
    expect(await read(open())).toEqual([]);
    await expect(add(open(), kept())).rejects.toThrow('not an ordinary file');
  });

  it('says that it cannot be written, keeps what it had, and can be written again', async () => {
    const store = open();
    await add(store, kept());
    await mkdir(`${path}.one.new`);
    await expect(add(store, kept({ id: 'r2' }))).rejects.toThrow();
    await rm(`${path}.one.new`, { recursive: true });
    expect((await read(store)).map(({ id }) => id)).toEqual(['r1']);
    expect((await add(store, kept({ id: 'r3' }))).map(({ id }) => id)).toEqual(['r1', 'r3']);
  });

  it('is not taken for empty where the system does not tell what is there', async () => {
    path = join(folder, 'a\0b');
    await expect(read(open())).rejects.toThrow();
  });

  it('is not changed by a window that closes', async () => {
    const store = createRuleFile(path, { clock, owner: 'one', reachWindow: async () => {} });
    store.dispose();
    await expect(add(store, kept())).rejects.toThrow('The window is closing');
  });
});
