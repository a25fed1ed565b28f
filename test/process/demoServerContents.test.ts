import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import { ErrorCodes } from '../../src/protocol/jsonRpc.ts';
import { isMethod, schema, useDemoServer } from '../fixtures/demoServer.ts';
import type { RawMessage } from '../fixtures/rawClient.ts';

const { connect, ask } = useDemoServer();

function namesIn(result: UnknownRecord, key: string): readonly unknown[] {
  const list = result[key];
  return Array.isArray(list) ? list.map((entry: unknown) => (isRecord(entry) ? entry['name'] : entry)) : [];
}

function read(uri: string): Promise<UnknownRecord> {
  return ask('resources/read', 'ReadResourceResult', { uri });
}

function isUpdateOf(uri: string): (message: RawMessage) => boolean {
  return (message) =>
    isMethod('notifications/resources/updated')(message) && JSON.stringify(message).includes(`"${uri}"`);
}

async function complete(
  reference: UnknownRecord,
  name: string,
  value: string,
  settled?: UnknownRecord,
): Promise<unknown> {
  const context = settled === undefined ? {} : { context: { arguments: settled } };
  const params = { ref: reference, argument: { name, value }, ...context };
  const { completion } = await ask('completion/complete', 'CompleteResult', params);
  return isRecord(completion) ? completion['values'] : undefined;
}

describe('resources of the demo server', () => {
  it('lists them over two pages, and their templates', async () => {
    await connect();
    const first = await ask('resources/list', 'ListResourcesResult');
    const second = await ask('resources/list', 'ListResourcesResult', { cursor: first['nextCursor'] });
    const names = [...namesIn(first, 'resources'), ...namesIn(second, 'resources')];
    expect(names).toEqual(['readme', 'logo', 'clock', 'folder', 'leaflet', 'welcome', 'ideas']);
    expect(second).not.toHaveProperty('nextCursor');
    const templates = await ask('resources/templates/list', 'ListResourceTemplatesResult');
    expect(namesIn(templates, 'resourceTemplates')).toEqual(['note', 'weather']);
  });

  it.each([
    ['demo://readme', { mimeType: 'text/markdown', text: expect.stringContaining('# Patchbay') as string }],
    ['demo://clock', { mimeType: 'text/plain', text: expect.stringMatching(/^\d{4}-.*Z\n$/) as string }],
    ['demo://notes/welcome', { mimeType: 'text/markdown', text: expect.stringContaining('# Welcome') as string }],
    ['demo://weather/Brazil/S%C3%A3o%20Paulo', { text: expect.stringContaining('"city": "São Paulo"') as string }],
    ['demo://folder/data.json', { mimeType: 'application/json' }],
  ])('reads %s', async (uri, contents) => {
    await connect();
    expect(await read(uri)).toMatchObject({ contents: [{ uri, ...contents }] });
  });

  it('draws its logo as a PNG of the size it says', async () => {
    await connect();
    const { contents } = await read('demo://logo');
    const [part] = contents as { blob: string; mimeType: string }[];
    const bytes = Buffer.from(part?.blob ?? '', 'base64');
    expect(part?.mimeType).toBe('image/png');
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([128, 128]);
  });

  it('reads a folder as two parts', async () => {
    await connect();
    const { contents } = await read('demo://folder');
    expect(contents).toMatchObject([{ uri: 'demo://folder/hello.txt' }, { uri: 'demo://folder/data.json' }]);
  });

  it.each([
    'demo://nowhere',
    'demo://notes/nobody',
    'demo://notes/%E0%A4%A',
    'demo://weather/France/Tokyo',
    'demo://weather/France',
  ])('answers %s with -32002 and the address', async (uri) => {
    const client = await connect();
    const expected = { error: { code: ErrorCodes.resourceNotFound, data: { uri } } };
    expect(await client.request('resources/read', { uri })).toMatchObject(expected);
    expect(await client.request('resources/subscribe', { uri })).toMatchObject(expected);
  });

  it('tells that the list changed when a note comes or goes', async () => {
    const client = await connect();
    await client.request('tools/call', { name: 'add_note', arguments: { name: 'a/b ü', text: 'hi' } });
    await client.waitFor(isMethod('notifications/resources/list_changed'));
    expect(await read('demo://notes/a%2Fb%20%C3%BC')).toMatchObject({ contents: [{ text: 'hi' }] });
    await client.request('tools/call', { name: 'remove_note', arguments: { name: 'a/b ü' } });
    expect(client.messages.filter(isMethod('notifications/resources/list_changed'))).toHaveLength(2);
    const again = await client.request('tools/call', { name: 'remove_note', arguments: { name: 'a/b ü' } });
    expect(again).toMatchObject({ result: { isError: true } });
  });

  it('tells of a replaced note only while subscribed', async () => {
    const client = await connect();
    const uri = 'demo://notes/ideas';
    const replace = { name: 'add_note', arguments: { name: 'ideas', text: 'new' } };
    await client.request('tools/call', replace);
    await ask('resources/subscribe', 'EmptyResult', { uri });
    await client.request('tools/call', replace);
    const update = await client.waitFor(isUpdateOf(uri));
    expect(schema.faultsOf('ResourceUpdatedNotification', update)).toEqual([]);
    await ask('resources/unsubscribe', 'EmptyResult', { uri });
    await client.request('tools/call', replace);
    expect(client.messages.filter(isUpdateOf(uri))).toHaveLength(1);
    expect(client.messages.filter(isMethod('notifications/resources/list_changed'))).toEqual([]);
  });

  it('ticks while the clock is subscribed', async () => {
    const client = await connect();
    const before = await read('demo://clock');
    await ask('resources/subscribe', 'EmptyResult', { uri: 'demo://clock' });
    await client.waitFor(isUpdateOf('demo://clock'));
    expect(await read('demo://clock')).not.toEqual(before);
  });
});

describe('prompts of the demo server', () => {
  it('lists them with their arguments, and one more once unlocked', async () => {
    const client = await connect();
    const before = await ask('prompts/list', 'ListPromptsResult');
    expect(namesIn(before, 'prompts')).toEqual(['greet', 'review_code', 'plan_trip', 'no_arguments']);
    expect(before['prompts']).toMatchObject([
      {
        arguments: [
          { name: 'name', required: true },
          { name: 'language', required: false },
        ],
      },
      {},
      {},
      {},
    ]);
    await client.request('tools/call', { name: 'unlock' });
    expect(namesIn(await ask('prompts/list', 'ListPromptsResult'), 'prompts')).toContain('secret_prompt');
  });

  it.each([
    ['greet', { name: 'Ada' }, ['text'], 'Ada in English'],
    ['greet', { name: 'Ada', language: 'French' }, ['text'], 'Bonjour'],
    ['greet', { name: 'Ada', language: 'constructor' }, ['text'], 'Ada in constructor.'],
    ['review_code', { code: 'let x' }, ['text', 'text', 'text'], 'let x'],
    ['review_code', { code: '```', focus: 'security' }, ['text', 'text', 'text'], '````\\n```\\n````'],
    [
      'plan_trip',
      { country: 'Norway', city: 'Tromsø' },
      ['text', 'resource', 'image'],
      'demo://weather/Norway/Troms%C3%B8',
    ],
    ['no_arguments', {}, ['text'], 'Model Context Protocol'],
  ])('%s takes %j', async (name, args, kinds, words) => {
    await connect();
    const { messages } = await ask('prompts/get', 'GetPromptResult', { name, arguments: args });
    expect((messages as { content: { type: string } }[]).map(({ content }) => content.type)).toEqual(kinds);
    expect(JSON.stringify(messages)).toContain(words);
  });
});

describe('completion of the demo server', () => {
  const greet = { type: 'ref/prompt', name: 'greet' };
  const planTrip = { type: 'ref/prompt', name: 'plan_trip' };
  const weather = { type: 'ref/resource', uri: 'demo://weather/{country}/{city}' };
  const note = { type: 'ref/resource', uri: 'demo://notes/{name}' };

  it.each([
    ['a language', greet, 'language', 'f', undefined, ['Finnish', 'French']],
    ['nothing for an argument without values', greet, 'name', 'A', undefined, []],
    ['nothing for a name every object has', greet, 'constructor', '', undefined, []],
    ['the focus of a review', { type: 'ref/prompt', name: 'review_code' }, 'focus', 'se', undefined, ['security']],
    ['countries', planTrip, 'country', 'J', undefined, ['Japan']],
    [
      'the cities of the country settled',
      planTrip,
      'city',
      '',
      { country: 'Kenya' },
      ['Kisumu', 'Mombasa', 'Nairobi', 'Nakuru'],
    ],
    [
      'cities everywhere while no country is settled',
      planTrip,
      'city',
      'n',
      undefined,
      ['Nagoya', 'Nairobi', 'Nakuru', 'Nantes', 'Nice'],
    ],
    ['no city of a country that is unknown', planTrip, 'city', '', { country: 'Atlantis' }, []],
    ['a variable of a template', weather, 'city', 'o', { country: 'Japan' }, ['Osaka']],
    ['the notes there are', note, 'name', '', undefined, ['welcome', 'ideas']],
  ])('offers %s', async (_name, reference, argument, value, settled, values) => {
    await connect();
    expect(await complete(reference, argument, value, settled)).toEqual(values);
  });
});

describe('logging of the demo server', () => {
  const isLog = isMethod('notifications/message');

  it('tells at info that tools ran, and names no argument', async () => {
    const client = await connect();
    await client.request('tools/call', { name: 'weather_report', arguments: { city: 'Secretville' } });
    const logs = client.messages.filter(isLog);
    expect(logs.flatMap((entry) => schema.faultsOf('LoggingMessageNotification', entry))).toEqual([]);
    expect(logs).toMatchObject([
      { params: { level: 'info', logger: 'tools', data: expect.stringContaining('weather_report') as string } },
    ]);
    expect(JSON.stringify(logs)).not.toContain('Secretville');
  });

  it('tells more or less, as it is asked', async () => {
    const client = await connect();
    await ask('logging/setLevel', 'EmptyResult', { level: 'debug' });
    await client.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(client.messages.filter(isLog)).toMatchObject([
      { params: { level: 'debug' } },
      { params: { level: 'info' } },
    ]);
    await ask('logging/setLevel', 'EmptyResult', { level: 'warning' });
    await client.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    await client.request('tools/call', { name: 'fail' });
    await client.request('tools/call', { name: 'fail', arguments: { how: 'protocol error' } });
    const levels = client.messages.filter(isLog).map(({ params }) => (isRecord(params) ? params['level'] : undefined));
    expect(levels).toEqual(['debug', 'info', 'warning', 'error']);
  });

  it('notices that the roots changed', async () => {
    const client = await connect();
    client.notify('notifications/roots/list_changed');
    expect(await client.waitFor(isLog)).toMatchObject({ params: { level: 'info', logger: 'roots' } });
  });
});
