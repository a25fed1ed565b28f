import { describe, expect, it } from 'vitest';
import { readBlocks, readIdentity, readNotice } from '../../../../src/client/apps/appMessages.ts';

const badParams = (about: string): unknown =>
  expect.objectContaining({ code: -32602, message: expect.stringContaining(about) });

describe('what an app says of itself', () => {
  it('is its name, its version, the modes it knows, and whether it has tools', () => {
    const appCapabilities = { availableDisplayModes: ['fullscreen', 'inline', 'hologram'], tools: {} };
    const appInfo = { name: 'Map', version: '2' };
    const known = { displayModes: ['inline', 'fullscreen'], hasTools: true };
    expect(readIdentity({ appInfo, appCapabilities })).toEqual({ ...appInfo, ...known });
  });

  it('is neutral where it says nothing, or nothing usable', () => {
    const neutral = { name: 'unnamed', version: '', displayModes: undefined, hasTools: false };
    expect(readIdentity({})).toEqual(neutral);
    const appCapabilities = { availableDisplayModes: 'inline', tools: true };
    expect(readIdentity({ appInfo: { name: 7, version: null }, appCapabilities })).toEqual(neutral);
    expect(readIdentity({ appInfo: 'Map', appCapabilities: [] })).toEqual(neutral);
  });

  it('is cut to a length that can be shown', () => {
    const long = 'x'.repeat(1_000_000);
    const { name, version } = readIdentity({ appInfo: { name: long, version: long } });
    expect([name.length < 300, version.length < 200]).toEqual([true, true]);
    expect(name).toMatch(/^x{200}… /);
  });
});

describe('what an app tells', () => {
  const size = (params: object) => readNotice('ui/notifications/size-changed', { ...params });

  it('is a size in pixels, within bounds', () => {
    expect(size({ width: 300, height: 0.5 })).toEqual({ kind: 'size', height: 0.5 });
    expect(size({ height: 1e12 })).toEqual({ kind: 'size', height: 100_000 });
    for (const bad of [-1, Number.NaN, Infinity, '300', null, [300]])
      expect(size({ width: bad, height: bad })).toEqual({ kind: 'size', height: undefined });
  });

  it('is a line for the log, of a level that exists', () => {
    const log = (params: object) => readNotice('notifications/message', { ...params });
    const noTiles = { kind: 'log', level: 'warning', text: 'map: No tiles' };
    expect(log({ level: 'warning', logger: 'map', data: 'No tiles' })).toEqual(noTiles);
    expect(log({ level: 'info', data: { tiles: [1] } })).toMatchObject({ text: '{"tiles":[1]}' });
    expect(log({ level: 'loud', data: 'x' })).toBeUndefined();
    expect(log({ data: 'x' })).toBeUndefined();
    for (const data of ['x'.repeat(1_000_000), { x: 'x'.repeat(1_000_000) }]) {
      const notice = log({ level: 'info', logger: 'l'.repeat(1_000_000), data });
      expect(notice?.kind === 'log' && notice.text.length < 5_000).toBe(true);
    }
  });

  it('is nothing if the host alone may send it, or nobody knows it', () => {
    for (const method of ['ui/notifications/tool-input', 'ui/notifications/sandbox-resource-ready', 'x', ''])
      expect(readNotice(method, {})).toBeUndefined();
  });
});

it('the parameters of an app’s requests have one block, or a list of at most a hundred', () => {
  const block = { type: 'text', text: 'Hello' };
  expect(readBlocks(undefined)).toEqual([]);
  expect(readBlocks(block)).toEqual([block]);
  const odd = { type: 'hologram' };
  expect(readBlocks([block, odd])).toEqual([block, { type: 'unknown', original: odd }]);
  expect(readBlocks(Array.from({ length: 5_000 }, () => block))).toHaveLength(100);
  for (const content of ['Hello', null, 7]) expect(() => readBlocks(content)).toThrow(badParams('"content"'));
});
