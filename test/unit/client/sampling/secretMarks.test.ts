import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSecretFinder,
  findSecrets,
  maskSecrets,
  maskStart,
  maskText,
  secretLimits,
  type SecretMark,
  type SecretSearch,
} from '../../../../src/client/sampling/secretMarks.ts';
import { createKeyFinder } from '../../../../src/secrets/keyFormats.ts';
import {
  isSecretSetting,
  isWorthFinding,
  type KnownSecret,
  type KnownSecrets,
} from '../../../../src/secrets/knownValues.ts';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import { maximumMarks, maximumPlaces } from '../../../../src/client/sampling/secrets/markList.ts';
import { cases } from '../../../fixtures/cases.ts';

const pause = async (): Promise<void> => {};
const findKeys = await createKeyFinder(async () => ({ rules }));
const apiKey: KnownSecret = { value: 'correct-horse+42/é', kind: 'secretInput', what: 'the value of "apiKey"' };
const token: KnownSecret = { value: 'zq81-env-token', kind: 'envFile', what: 'TOKEN of .env' };
const whole = (...secrets: readonly KnownSecret[]): KnownSecrets => ({ secrets, isWhole: true });
const search: SecretSearch = {
  known: whole(apiKey, token),
  roots: ['/srv/app', 'C:\\srv\\app'],
  home: '/home/kim',
  findKeys,
  pause,
};

// Put together here, so that no scanner takes them for real keys.
const githubToken = `ghp_${'a1B2'.repeat(9)}`;
const openAiKey = `sk-${Array(2).fill('a1B2c3D4e5'.repeat(2)).join('T3BlbkFJ')}`;
const awsSecret = '+a1B2/c3D4'.repeat(4);
const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE KEY-----`);
const privateKey = `${begin}\nMIIEabc\ndef=\n${end}`;

function requestOf(text: string): SamplingRequest {
  return { messages: [{ role: 'user', content: [{ type: 'text', text }] }], maxTokens: 100 };
}

async function marksOf(text: string, changes: Partial<SecretSearch> = {}): Promise<readonly SecretMark[]> {
  return findSecrets(requestOf(text), { ...search, ...changes });
}

async function valuesOf(text: string, changes: Partial<SecretSearch> = {}): Promise<readonly string[]> {
  return (await marksOf(text, changes)).map(({ value }) => value);
}

describe('known secrets', () => {
  it('are found with where they come from and where they are', async () => {
    expect(await marksOf(`use ${token.value} twice: ${token.value}`)).toEqual([
      { kind: 'envFile', what: 'TOKEN of .env', value: token.value, places: ['message 1'], isMaskable: true },
    ]);
  });

  it('are marked as they are written, with the hidden characters inside and without those around', async () => {
    const written = Array.from(token.value).join('\u200b');
    expect(await valuesOf(`\u200b\u200bx\u00ad\u200b${written}\u200b\u200b y`)).toEqual([written]);
  });

  it('are looked for only if they could not occur by chance', () => {
    const usual = ['12345', 'true', 'localhost', 'development', 'Production', 'aaaaaaaa', '  abc  '];
    expect(usual.filter(isWorthFinding)).toEqual([]);
    expect(['hunter2', 'p@ss12', '482915'].every(isWorthFinding)).toBe(true);
  });

  it('of env files are only what may be secret', () => {
    const plain = {
      PORT: '3000',
      NODE_ENV: 'development',
      APP: 'my-shop',
      REGION: 'us-east-1',
      API: 'https://api.example.com/',
      DATE: '2025-01-31',
      DIRECTORY: './data/files',
    };
    const secret = {
      API_TOKEN: 'plain-words',
      PASSPHRASE: 'correct horse',
      HOOK: 'https://hooks.example.com/services/T1/B2/x3',
      DATABASE: 'postgres://me:hunter22@db/x',
      WORDS: 'correct-horse-battery-staple',
      ANYTHING: 'x7f9a0b1c2',
    };
    expect(Object.entries(plain).filter(([name, value]) => isSecretSetting(name, value))).toEqual([]);
    expect(Object.entries(secret).filter(([name, value]) => !isSecretSetting(name, value))).toEqual([]);
  });

  it('split over neighbouring texts are marked in each of them', async () => {
    const [first, second] = [token.value.slice(0, 7), token.value.slice(7)];
    const block = (text: string) => ({ type: 'text' as const, text, annotations: { priority: 1 }, _meta: { a: 'b' } });
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const conversations: readonly SamplingRequest['messages'][] = [
      [{ role: 'user', content: [block(first), block(second)] }],
      [{ role: 'user', content: [block(first), image, block(`${second}.`)] }],
      [
        { role: 'user', content: [block(`it is ${first}`)] },
        { role: 'assistant', content: [block(second)] },
      ],
    ];
    for (const messages of conversations) {
      const request = { messages, maxTokens: 1 };
      const marks = await findSecrets(request, search);
      expect(marks.map(({ value }) => value)).toEqual([first, second]);
      const masked = JSON.stringify(await maskSecrets(request, marks, pause));
      expect(masked).not.toMatch(/zq81|token/);
    }
  });

  it('split over the values of a call or of a result are marked in each of them', async () => {
    const [first, second] = [token.value.slice(0, 7), token.value.slice(7)];
    const call = (input: object): SamplingRequest['messages'][number]['content'][number] => ({
      type: 'tool_use',
      id: 'call-1',
      name: 'read',
      input: input as never,
    });
    const rows = [first, second].map((note, index) => ({ id: `row ${index}`, note }));
    const result = { type: 'tool_result' as const, toolUseId: 'call-1', content: [], structuredContent: { rows } };
    for (const block of [call({ a: first, b: second }), call({ list: [first, second] }), call({ rows }), result]) {
      const request: SamplingRequest = { messages: [{ role: 'assistant', content: [block] }], maxTokens: 1 };
      const marks = await findSecrets(request, search);
      expect(marks.map(({ value }) => value)).toEqual([first, second]);
      expect(JSON.stringify(await maskSecrets(request, marks, pause))).not.toMatch(/zq81|token/);
    }
  });

  it('in lists of numbers are marked, and cannot be masked', async () => {
    const input = { bytes: [...Buffer.from(token.value)], sizes: [10, 20, 30, 40, 50, 60, 70] };
    const content = [{ type: 'tool_use' as const, id: 'call-1', name: 'read', input }];
    const request: SamplingRequest = { messages: [{ role: 'assistant', content }], maxTokens: 1 };
    const marks = await findSecrets(request, search);
    expect(marks).toMatchObject([{ kind: 'envFile', value: input.bytes.join(','), isMaskable: false }]);
    expect(await maskSecrets(request, marks, pause)).toEqual(request);
  });

  it('split into parts too short to mask are said, so that no rule lets them through', async () => {
    const content = Array.from(token.value, (text) => ({ type: 'text' as const, text }));
    const marks = await findSecrets({ messages: [{ role: 'user', content }], maxTokens: 1 }, search);
    expect(marks).toMatchObject([{ kind: 'unsearched', what: 'TOKEN of .env is in parts too short to mask' }]);
  });
});

describe('formats of keys', () => {
  it.each([
    ['a GitHub Token', githubToken, githubToken],
    ['an OpenAI API token', openAiKey, openAiKey],
    ['an API key that begins with "sk-"', `sk-or-v1-${'0f'.repeat(20)}`, `sk-or-v1-${'0f'.repeat(20)}`],
    ['a Google API key', `AIza${'aB3-x'.repeat(7)}`, `AIza${'aB3-x'.repeat(7)}`],
    ['an AWS Access Key ID', `id AKIA${'ABCD2345'.repeat(2)}.`, `AKIA${'ABCD2345'.repeat(2)}`],
    ['a JSON Web Token', `eyJ${'hbGciOi'.repeat(3)}.eyJzdWIi.c2ln`, `eyJ${'hbGciOi'.repeat(3)}.eyJzdWIi.c2ln`],
    ['a private key', `key:\n${privateKey}\nend`, privateKey],
    ['a private key', privateKey.slice(0, 50), privateKey.slice(0, 50)],
    ['a password in an address', 'redis://me:s3cret-word@cache:6379/0', 'redis://me:s3cret-word@'],
    ['an npm token', 'x/:_authToken=0f0f0f0f0f and prose', '_authToken=0f0f0f0f0f'],
  ])('%s is found whole', async (what, text, value) => {
    const found = await marksOf(text);
    expect(found.map((mark) => [mark.kind, mark.what, mark.value])).toEqual([['keyFormat', what, value]]);
  });

  it('the key is found, not only the name before it', async () => {
    const found = await valuesOf(`AWS_SECRET_ACCESS_KEY="${awsSecret}" # mine`);
    expect(found.some((value) => value.endsWith(awsSecret))).toBe(true);
    const ranges = findKeys(`x AWS_SECRET_ACCESS_KEY=${awsSecret}`);
    expect(ranges.find(({ what }) => what === 'an AWS Secret Access Key')).toMatchObject({ start: 24, end: 64 });
  });

  it('without an end are cut', async () => {
    const found = await marksOf(`xoxb-${'1a2b-'.repeat(10_000)}`);
    expect(Math.max(...found.map(({ value }) => value.length))).toBeLessThanOrEqual(4_000);
  });

  it('cannot be switched off by a comment, which only scanned files may have', async () => {
    expect(await valuesOf(`secretlint-disable\n${githubToken} // secretlint-disable-line`)).toEqual([githubToken]);
  });

  it('are found whole across the borders of windows, also those of several lines', async () => {
    const long = privateKey.replace('MIIEabc', `MIIE${'a1B2c3D4\n'.repeat(900)}`);
    for (const key of [githubToken, long])
      for (const before of [8_000, 11_000, 12_200, 12_250, 12_288, 16_360, 16_380, 16_384, 28_650])
        expect(await valuesOf(`${'word '.repeat(before / 5)}${key} ${'word '.repeat(4_000)}`)).toEqual([key]);
  });

  it('are not found in examples and templates, nor in ordinary prose and code', async () => {
    const text = `postgres://user:password@localhost/db https://$USER:\${PASSWORD}@x.example sk-chasing-dot-before-and-after
      eyJ is how they begin; const a = b ? c : d; "bearer of good news about something-hyphenated"`;
    expect(await valuesOf(text)).toEqual([]);
  });
});

describe('paths', () => {
  it.each([
    ['see /home/kim/.ssh/id_rsa.', '/home/kim/.ssh/id_rsa'],
    ['at run (/home/kim/a.js:10:2)', '/home/kim/a.js'],
    ['"/srv/app2/x"', '/srv/app2/x'],
    ['/srv/app/../secrets/x', '/srv/app/../secrets/x'],
    ['PATH=/opt/a/bin:/srv/app/bin', '/opt/a/bin'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['file:///srv/app/%2e%2e/x', 'file:///srv/app/%2e%2e/x'],
    ['FILE:///C:/Users/kim/a', 'FILE:///C:/Users/kim/a'],
    ['~/.aws/credentials,', '~/.aws/credentials'],
    ['$HOME/.netrc', '$HOME/.netrc'],
    ['C:\\Users\\kim\\x.txt', 'C:\\Users\\kim\\x.txt'],
    ['d:/srv/app/x', 'd:/srv/app/x'],
    [String.raw`{"p":"C:\\Users\\kim"}`, String.raw`C:\\Users\\kim`],
    [String.raw`\\server\share\x`, String.raw`\\server\share\x`],
    ['/h\u200bome/kim/x', '/h\u200bome/kim/x'],
  ])('%j is outside', async (text, value) => {
    const found = await marksOf(text);
    expect(found.map((mark) => [mark.kind, mark.value])).toEqual([['outsidePath', value]]);
  });

  it.each([
    ['/srv/app/src/a.ts and /srv/app, c:\\SRV\\App\\x, file:///srv/app/a%20b, file:///c%3A/srv/app/x'],
    ['GET /users, /api/v1/users, /home, /etc/ and https://x.example/home/kim/x, docs/home/kim, ./tmp/x, ../etc/x'],
    ['and/or 31/12/2024 // comment /* x */ / s/etc/var/g /^\\d+\\w/ a ? b : c'],
    ['#!/usr/bin/env node'],
  ])('%s: nothing is outside', async (text) => {
    expect(await valuesOf(text)).toEqual([]);
  });

  it('in the home folder are inside if the workspace is', async () => {
    const roots = ['/home/kim/app'];
    expect(await valuesOf('~/app/x ~/app2/x /home/kim/app/y', { roots })).toEqual(['~/app2/x']);
    expect(await valuesOf('~/app/x', { roots, home: undefined })).toEqual(['~/app/x']);
  });

  it('are found below the home folder wherever it is', async () => {
    const found = await valuesOf('/people/kim/.ssh/id and /people/else', { home: '/people/kim' });
    expect(found).toContain('/people/kim/.ssh/id');
  });
});

describe('the whole request', () => {
  const leaf = (place: string): string => `${place}: ${token.value}`;
  const request: SamplingRequest = {
    messages: [
      { role: 'user', content: [{ type: 'text', text: leaf('text'), _meta: { note: leaf('meta') } }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call-1', name: 'read', input: { [leaf('name')]: [{ deep: leaf('input') }] } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'call-1',
            content: [
              { type: 'text', text: leaf('result') },
              {
                type: 'resource',
                resource: { uri: 'file:///etc/hosts', text: leaf('resource'), blob: btoa(leaf('blob')) },
              },
              { type: 'unknown', original: { type: 'new', data: leaf('unknown') } },
            ],
            structuredContent: { rows: [leaf('structured')] },
          },
        ],
      },
    ],
    maxTokens: 100,
    systemPrompt: leaf('system'),
    stopSequences: [leaf('stop')],
    metadata: { nested: { user: leaf('metadata') } },
    tools: [
      {
        name: 'read',
        description: leaf('description'),
        inputSchema: { type: 'object', properties: { [leaf('property')]: { enum: [leaf('enum')] } } },
      },
    ],
  };

  it('is searched, with the places', async () => {
    const marks = await findSecrets(request, search);
    expect(marks.map(({ value, places }) => [value, places])).toEqual([
      [
        token.value,
        ['message 1', 'message 2', 'message 3', 'system prompt', 'stop sequences', 'tool "read"', 'metadata'],
      ],
      ['file:///etc/hosts', ['message 3']],
    ]);
  });

  it('is masked, but what ties calls, results and tools together stays', async () => {
    const masked = await maskSecrets(request, await findSecrets(request, search), pause);
    const { blob } = { blob: btoa(leaf('blob')) };
    expect(JSON.stringify(masked).replace(blob, '')).not.toContain(token.value);
    expect(masked.messages[0]?.content[0]).toMatchObject({ type: 'text', text: 'text: [masked: TOKEN of .env]' });
    expect(masked.messages[1]?.content[0]).toMatchObject({ id: 'call-1', name: 'read' });
    expect(masked.messages[2]?.content[0]).toMatchObject({
      toolUseId: 'call-1',
      content: [{}, { resource: { blob } }, {}],
    });
    expect(await findSecrets(masked, search)).toEqual([]);
  });

  it('has marks that cannot be masked where a secret is in an id or a name', async () => {
    const named = { ...requestOf(token.value), tools: [{ name: token.value, inputSchema: {} }] };
    const [mark, ...others] = await findSecrets(named, search);
    expect(others).toEqual([]);
    expect(mark).toMatchObject({ isMaskable: false, places: ['message 1', `the name of tool "${token.value}"`] });
    const masked = await maskSecrets(named, mark === undefined ? [] : [mark], pause);
    expect(masked.tools?.[0]?.name).toBe(token.value);
    expect(masked.messages[0]?.content[0]).toMatchObject({ text: '[masked: TOKEN of .env]' });
  });

  it('finds a secret that is a number, and leaves the other numbers', async () => {
    const numbers: SamplingRequest = { ...requestOf('x'), metadata: { pin: 48291573, size: 10, other: 123456789 } };
    const known = whole({ ...token, value: '48291573' });
    const marks = await findSecrets(numbers, { ...search, known });
    const masked = await maskSecrets(numbers, marks, pause);
    expect(masked.metadata).toEqual({ pin: '[masked: TOKEN of .env]', size: 10, other: 123456789 });
  });
});

describe('masking', () => {
  const unplaced = { kind: 'envFile', places: [], isMaskable: true } as const;
  const mark = (value: string, what: string): SecretMark => ({ ...unplaced, value, what });

  it('leaves no end of a secret that overlaps another one', () => {
    expect(maskText('x abcdefghi y', [mark('abcdef', 'A'), mark('defghi', 'B')])).toBe('x [masked: A] y');
    expect(maskText('abcdef', [mark('abcdef', 'long'), mark('abcd', 'short')])).toBe('[masked: long]');
  });

  it('says nothing that is a secret itself', () => {
    expect(maskText('my masked text', [mark('masked', 'A')])).toBe('my *** text');
    expect(maskText('TOKEN=abcdef', [mark('abcdef', 'TOKEN of .env'), mark('of .env', 'B')])).toBe('TOKEN=***');
  });

  it('of the start of a text leaves no part of what goes on after it', () => {
    const marks = [mark('abcdefgh', 'A'), mark('ghij', 'B')];
    expect(maskStart('12345abcdefghij', marks, 6)).toBe('12345[');
    expect(maskStart('12345abcdefghij', marks, 5)).toBe('12345');
    expect(maskStart('x abcdefgh y', marks, 100)).toBe('x [masked: A] y');
    const long = `d${'abc'.repeat(10_000)}`;
    expect(maskStart(`${long} ${long}`, [mark(long, 'L'), mark(long.slice(0, 20_000), 'M')], 100)).toBe('[masked: L]');
    expect(maskStart(`${long.slice(0, 1_501)} the end`, [mark(long.slice(0, 1_501), 'L')], 1_505)).toBe(
      '[masked: L] the',
    );
  });

  it('of the start of a text masks what begins in it, wherever it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 40 });
    const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.array(secret, { maxLength: 4 }), fc.nat(40), (content, secrets, length) => {
        const marks = secrets.map((value, index) => mark(value, `S${index}`));
        const masked = maskStart(content, marks, length);
        expect(masked.length).toBeLessThanOrEqual(length);
        // Without masks, all of it is original, and no marked text begins in it.
        const begins = secrets.flatMap((value) => [content.indexOf(value)].filter((at) => at !== -1 && at < length));
        const first = Math.min(length, content.length, ...begins);
        expect(masked.startsWith(content.slice(0, first))).toBe(true);
        if (begins.length > 0) expect('[masked: *'.includes(masked.slice(first, first + 1))).toBe(true);
        else expect(masked).toBe(content.slice(0, length));
      }),
      { numRuns: cases(40, 1_000) },
    );
  });

  it('refuses a request with more members than a person can review', async () => {
    const input = { rows: Array.from({ length: secretLimits.members }, () => ({})) };
    const content = [{ type: 'tool_use', id: 'a', name: 'b', input }] as const;
    const request: SamplingRequest = { messages: [{ role: 'assistant', content }], maxTokens: 1 };
    await expect(maskSecrets(request, [mark('abcdef', 'A')], pause)).rejects.toThrow('too many parts');
  });

  it('leaves no marked text, whatever the texts are', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ']', '[', '*', ':', ' ', 'masked'), maxLength: 40 });
    const secret = fc.string({ unit: fc.constantFrom('a', 'b', ']', '*', 'masked'), minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(secret, { maxLength: 6 }), async (content, secrets) => {
        const marks = secrets.map((value, index) => mark(value, `secret ${index}`));
        const masked = maskText(content, marks);
        expect(secrets.filter((value) => masked.includes(value))).toEqual([]);
        if (!secrets.some((value) => content.includes(value))) expect(masked).toBe(content);
        expect(await maskSecrets(requestOf(content), marks, pause)).toEqual(requestOf(masked));
      }),
      { numRuns: cases(40, 500) },
    );
  });

  it('leaves no mark of a search, wherever the secrets are', async () => {
    const secret = fc.constantFrom(
      apiKey.value,
      token.value,
      btoa(token.value),
      encodeURIComponent(apiKey.value),
      Array.from(token.value).join('\u200b'),
      githubToken,
      privateKey,
      '/home/kim/.ssh/id_rsa',
      'C:\\Users\\kim\\x',
      '~/.aws/credentials',
      `Bearer ${openAiKey}`,
    );
    const text = fc
      .array(fc.oneof(secret, fc.string({ maxLength: 12 })), { maxLength: 6 })
      .map((parts) => parts.join(' '));
    const requests = fc.record({
      messages: fc.array(
        fc.record({
          role: fc.constantFrom('user' as const, 'assistant' as const),
          content: fc.array(fc.record({ type: fc.constant('text' as const), text }), { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      maxTokens: fc.constant(1),
      systemPrompt: text,
      stopSequences: fc.array(text, { maxLength: 2 }),
      metadata: fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 2 })), { maxKeys: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const marks = await findSecrets(request, search);
        for (const { value } of marks) expect(allTextsOf(request).some((known) => known.includes(value))).toBe(true);
        const masked = await maskSecrets(request, marks, pause);
        const left = await findSecrets(masked, search);
        expect(left.filter(({ value }) => marks.some((before) => before.value === value))).toEqual([]);
        expect(left.filter(({ kind }) => kind === 'secretInput' || kind === 'envFile')).toEqual([]);
      }),
      { numRuns: cases(20, 100) },
    );
  });

  it('leaves no copy of a secret that follows another one', async () => {
    const copies = Array.from({ length: 3 }, () => btoa(token.value));
    const metadata = { [apiKey.value]: '', [[...copies, token.value].join(' ')]: [] };
    const request = { messages: [], maxTokens: 1, systemPrompt: '', stopSequences: [], metadata };
    const masked = await maskSecrets(request, await findSecrets(request, search), pause);
    expect(allTextsOf(masked).some((text) => text.includes(btoa(token.value)))).toBe(false);
  });
});

/** All texts in a value, names of members too. */
function allTextsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => [name, ...allTextsOf(member)]);
}

describe('limits', () => {
  /** Counts the windows and the characters that the patterns see between two pauses. */
  function counting() {
    let between = 0;
    const counts = { windows: 0, longest: 0, pauses: 0, mostBetween: 0 };
    return {
      counts,
      pause: async (): Promise<void> => {
        counts.pauses += 1;
        between = 0;
      },
      findKeys: (text: string) => {
        counts.windows += 1;
        counts.longest = Math.max(counts.longest, text.length);
        between += text.length;
        counts.mostBetween = Math.max(counts.mostBetween, between);
        return findKeys(text);
      },
    };
  }

  it.each([
    'sk-ant-api03-',
    'xoxb-',
    'https://a:b@',
    'eyJ-',
    '-----BEGIN PRIVATE KEY-----',
    '/home/',
    'C:\\',
    '\u200b',
    'a',
  ])('a long text of %j is searched in windows, with pauses between them', async (atom) => {
    const work = counting();
    const length = 200_000;
    await marksOf(atom.repeat(length / atom.length), work);
    const visible = atom === '\u200b' ? 0 : length;
    expect(work.counts.windows).toBeLessThanOrEqual(Math.ceil(visible / 12_288) + 1);
    expect(work.counts.windows).toBeGreaterThanOrEqual(Math.floor(visible / 16_384));
    expect(work.counts.longest).toBeLessThanOrEqual(16_384);
    expect(work.counts.mostBetween).toBeLessThanOrEqual(16_384);
    expect(work.counts.pauses).toBeGreaterThan(work.counts.windows + length / 16_384 - 2);
  });

  it('many short texts are searched together', async () => {
    const work = counting();
    const metadata = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 'v']));
    await findSecrets({ ...requestOf('x'), metadata }, { ...search, ...work });
    expect(work.counts.windows).toBeLessThan(10);
  });

  it('a text that is found ends with its own text, not in the next one', async () => {
    const text = '-----BEGIN PRIVATE KEY-----\nabc';
    const marks = await findSecrets({ ...requestOf(text), systemPrompt: 'ordinary words' }, search);
    expect(marks.map(({ value }) => value)).toEqual([text]);
  });

  it('marks of one kind are counted, and do not displace another kind', async () => {
    const paths = Array.from({ length: 500 }, (_, index) => `/etc/file${index}`).join(' ');
    const marks = await marksOf(`${paths} ${githubToken}`);
    expect(marks.filter(({ kind }) => kind === 'outsidePath')).toHaveLength(maximumMarks);
    expect(marks.filter(({ kind }) => kind === 'keyFormat')).toHaveLength(1);
    expect(marks.at(-1)).toMatchObject({
      kind: 'unsearched',
      what: 'There are more than 200 paths outside the workspace: the others are not listed',
    });
  });

  it('a request beyond the limit says that its end was not searched', async () => {
    const text = 'word '.repeat(secretLimits.characters / 5);
    const changes = { findKeys: () => [] };
    expect(await marksOf(text, changes)).toEqual([]);
    expect(await marksOf(`${text}${token.value}`, changes)).toMatchObject([{ kind: 'unsearched', value: '' }]);
  });

  it('a request with too many members says so, and the texts of its messages are searched', async () => {
    const metadata = { rows: Array.from({ length: secretLimits.members }, () => ({})), key: openAiKey };
    const marks = await findSecrets({ ...requestOf(token.value), metadata }, search);
    expect(marks).toMatchObject([
      { kind: 'envFile', value: token.value },
      { kind: 'unsearched', what: expect.stringContaining('too many parts') as unknown },
    ]);
  });

  it('an env file that was left out is said, whatever is found', async () => {
    const known = { ...whole(token), isWhole: false };
    const what = 'Not all .env files could be read: their values were not looked for';
    const note = { kind: 'unsearched', what, value: '' };
    expect(await marksOf('nothing', { known })).toMatchObject([note]);
    expect(await marksOf(token.value, { known })).toMatchObject([{ kind: 'envFile' }, note]);
  });

  it('secrets, and all their forms, are counted', async () => {
    const linesOf = (index: number) =>
      Array.from({ length: 12 }, (_, line) => `line ${line} of the value ${index}`).join('\n');
    const secrets = (count: number) =>
      whole(...Array.from({ length: count }, (_, index) => ({ ...token, value: linesOf(index) })));
    const notes = async (count: number) => (await marksOf('x', { known: secrets(count) })).map(({ what }) => what);
    expect(await notes(100)).toEqual([]);
    expect(await notes(2_000)).toEqual([expect.stringContaining('more than 20000 forms')]);
    expect(await notes(2_001)).toContainEqual(expect.stringContaining('more than 2000 known secrets'));
  });

  it('places of one mark are limited', async () => {
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: token.value }] };
    const [mark] = await findSecrets({ messages: Array.from({ length: 100 }, () => message), maxTokens: 1 }, search);
    expect(mark?.places).toHaveLength(maximumPlaces);
  });
});

describe('createSecretFinder', () => {
  it('loads the patterns once, and asks for the values of each request', async () => {
    let loads = 0;
    const known = new Map([['a', whole(token)]]);
    const finder = createSecretFinder({
      known: async (server) => known.get(server) ?? whole(),
      roots: () => ['/srv/app'],
      home: '/home/kim',
      loadKeyRules: async () => {
        loads += 1;
        return { rules };
      },
      pause,
    });
    expect(await finder.find(requestOf(token.value), 'b')).toEqual([]);
    known.set('b', whole(token));
    const marks = await finder.find(requestOf(token.value), 'b');
    expect(marks).toHaveLength(1);
    expect(await finder.mask(requestOf(token.value), marks)).toEqual(requestOf('[masked: TOKEN of .env]'));
    expect(loads).toBe(1);
  });

  it('fails where the patterns cannot be loaded, instead of finding nothing', async () => {
    const options = { known: () => whole(), roots: () => [], home: undefined, pause };
    const broken = createSecretFinder({ ...options, loadKeyRules: () => Promise.reject(new Error('not there')) });
    await expect(broken.find(requestOf('x'), 'a')).rejects.toThrow('not there');
    const empty = createSecretFinder({ ...options, loadKeyRules: async () => ({ rules: [{}] }) });
    await expect(empty.find(requestOf('x'), 'a')).rejects.toThrow('no rules');
  });
});
