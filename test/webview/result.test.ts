import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ResultDocument } from '../../src/host/results/resultDocument.ts';
import { plainTexts } from '../fixtures/plainTexts.ts';
import { rowsIn } from '../fixtures/shownMembers.ts';
import { type OpenedResult, openResultForEach } from './resultPage.ts';
import { failedDocument, promptDocument, richDocument, toolDocument } from './samples.ts';

let page: OpenedResult['page'];
let show: OpenedResult['show'];
let showContent: OpenedResult['showContent'];
let showMarkdown: OpenedResult['showMarkdown'];
let asked: OpenedResult['asked'];

openResultForEach((opened) => {
  ({ page, show, showContent, showMarkdown, asked } = opened);
});

/** What can be read. Images have a name instead of text; the content of a collapsed part is not there until it is opened. */
async function shownText(): Promise<string> {
  const names = page.getByRole('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt')));
  return `${await page.locator('body').innerText()}\n${(await names).join('\n')}`;
}

type ShownResult = ResultDocument['result'];

const toolResult = (result: object): ShownResult => ({
  kind: 'tool',
  result: { isError: false, content: [], ...result },
});
const block = (content: object): ShownResult => toolResult({ content: [content] });

/** For each type, a result that contains it, with `member` as its only optional member. */
const results: Readonly<Record<string, (member: object) => ShownResult>> = {
  DiscoverResult: (member) => ({ kind: 'text', text: String(Object.values(member)) }),
  ResultMetaObject: (member) => toolResult({ _meta: member }),
  CallToolResult: toolResult,
  GetPromptResult: (member) => ({ kind: 'prompt', prompt: { messages: [], ...member } }),
  Annotations: (member) => block({ type: 'text', text: 't', annotations: member }),
  TextContent: (member) => block({ type: 'text', text: 't', ...member }),
  ImageContent: (member) => block({ type: 'image', data: 'AAAA', mimeType: 'image/tiff', ...member }),
  AudioContent: (member) => block({ type: 'audio', data: 'AAAA', mimeType: 'audio/x', ...member }),
  EmbeddedResource: (member) => block({ type: 'resource', resource: { uri: 'a:b', text: 't' }, ...member }),
  ResourceLink: (member) => block({ type: 'resource_link', uri: 'a:b', name: 'n', ...member }),
  TextResourceContents: (member) => block({ type: 'resource', resource: { uri: 'a:b', text: 't', ...member } }),
  BlobResourceContents: (member) => block({ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', ...member } }),
};

describe('every optional member of a result', () => {
  it.each(rowsIn('result', 'raw'))('is shown: $member of $type', async ({ type, member, shown }) => {
    const result = results[type] ?? expect.unreachable(`nothing here holds a ${type}`);
    const { call: _call, ...document } = richDocument;
    await show({ ...document, result: result({ [member]: shown.value }) });
    if (shown.places.includes('raw')) await page.locator('summary', { hasText: 'Raw' }).click();
    if (typeof shown.shows === 'string') await expect.poll(shownText).toContain(shown.shows);
    else await expect.poll(shownText).toMatch(shown.shows);
  });
});

describe('the result panel', () => {
  it('draws texts as Markdown on demand, and as they are again', async () => {
    await show(promptDocument);
    // By its type, the resource is Markdown.
    await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor();
    await page.getByText('Look at **readability** first').waitFor();
    await page.getByRole('button', { name: 'Show as Text' }).click();
    await page.getByText('Read me *first*.').waitFor();
    expect(await page.locator('.markdown').count()).toBe(0);
    const markdown = page.getByRole('button', { name: 'Show as Markdown' });
    expect(await markdown.evaluate((made) => made === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Task' }).waitFor();
    expect(await page.getByRole('cell').allInnerTexts()).toEqual(['naming', '3', 'null cases', '5']);
    await expect.poll(asked).toEqual([
      { type: 'showTextAs', style: 'text' },
      { type: 'showTextAs', style: 'markdown' },
    ]);
  });

  it('shows texts as the person wants to see them', async () => {
    await show(promptDocument, 'markdown');
    await page.getByRole('heading', { level: 2, name: 'Task' }).waitFor();
    await show(promptDocument, 'text');
    await page.getByText('Read me *first*.').waitFor();
    expect(await page.locator('.markdown').count()).toBe(0);
  });

  it.each(Object.entries(plainTexts))('shows %s as it is, in columns', async (_name, text) => {
    const message = { role: 'user', content: { type: 'text', text } } as const;
    const shown: readonly ShownResult[] = [
      { kind: 'tool', result: { isError: false, content: [{ type: 'text', text }] } },
      { kind: 'tool', result: { isError: true, content: [{ type: 'text', text }] } },
      { kind: 'prompt', prompt: { description: text, messages: [message] } },
      { kind: 'text', text },
    ];
    for (const result of shown) {
      await show({ ...promptDocument, actions: [], result });
      for (const place of result.kind === 'prompt' ? ['header', 'main'] : ['main']) {
        const drawn = page.locator(`${place} pre.plain`);
        expect(await drawn.evaluate((made) => made.textContent)).toBe(text);
        const style = await drawn.evaluate((made) => {
          const { whiteSpace, fontFamily } = getComputedStyle(made);
          return { whiteSpace, fontFamily };
        });
        expect(style).toMatchObject({ whiteSpace: 'pre-wrap', fontFamily: expect.stringContaining('mono') as unknown });
      }
    }
  });

  it('offers no Markdown where no text has a choice', async () => {
    const resource = { uri: 'a:b', mimeType: 'text/x-python', text: '# no heading' };
    await showContent(
      [
        { type: 'text', text: '{"a": 1}' },
        { type: 'resource', resource },
      ],
      { a: 1 },
    );
    await page.getByText('# no heading').waitFor();
    expect(await page.getByRole('button', { name: /Show as/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('"a": 1').waitFor();
  });

  it('runs the actions of its document', async () => {
    await show(promptDocument);
    for (const { label } of promptDocument.actions) await page.getByRole('button', { name: label }).click();
    await expect.poll(asked).toEqual(promptDocument.actions.map(({ id }) => ({ type: 'action', id })));
  });

  it('opens links and resources through the extension', async () => {
    await show(promptDocument, 'markdown');
    await page.getByRole('link', { name: 'the guide' }).click();
    await page.getByRole('button', { name: 'Style notes' }).click();
    await expect.poll(asked).toEqual([
      { type: 'openLink', uri: 'https://example.com/guide' },
      { type: 'openResource', uri: 'demo://notes/style' },
    ]);
    expect(new URL(page.url()).pathname).toBe('/result');
  });

  it('unfolds structured content and plays audio', async () => {
    await show(toolDocument);
    await page.getByText('source:').waitFor();
    expect(await page.getByText('day: "Mon"').count()).toBe(0);
    await page.getByRole('treeitem', { name: '0: {3}' }).click();
    await page.getByText('day: "Mon"').waitFor();
    await expect.poll(() => page.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).duration)).toBe(1);
    await page.getByText("does not match the tool's output schema in 1 place:").waitFor();
  });

  it('tells a failed tool from one that worked', async () => {
    await show(failedDocument);
    await page.getByRole('alert').filter({ hasText: 'The tool reported an error:' }).waitFor();
    await show(toolDocument);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says what was called, how long it took and how large the result is', async () => {
    await show(richDocument);
    expect(await page.locator('.lead').innerText()).toMatch(/^From demo · took 1\.2 s · \d+(\.\d)? kB$/);
    expect(await page.getByRole('tree', { name: 'Arguments' }).count()).toBe(0);
    await page.locator('summary', { hasText: 'Arguments' }).click();
    await page.getByRole('tree', { name: 'Arguments' }).getByText('city: "Lisbon"').waitFor();
    await show({ ...richDocument, call: { args: {}, durationMs: 125_000 } });
    await page.getByText('took 2 min 5 s').waitFor();
    await page.getByText('Called without arguments.').waitFor();
  });

  it('marks what is meant for the assistant only, and says what the server says of a block', async () => {
    await show(richDocument);
    const marked = page.locator('.for-assistant');
    expect(await marked.count()).toBe(1);
    expect(await marked.innerText()).toMatch(/^For the assistant only · Priority 0\.2 of 1 · Last modified .*2025/);
    await marked.getByRole('button', { name: 'Text' }).click();
    expect(await marked.innerText()).toContain('{"city":"Lisbon","files":2}');
    await page.getByText('For the user only · Priority 1, the most important').waitFor();
    await page.getByText('For the user and the assistant').waitFor();
  });

  it('shows what a server says of a link, with its icon', async () => {
    await show(richDocument);
    const link = page.locator('.link-block');
    expect(await link.innerText()).toMatch(
      /Yearly Report[^]*application\/pdf, 48\.2 kB[^]*Rain and sun of every month/,
    );
    const icon = link.getByRole('img', { name: 'Icon of the resource' });
    await expect.poll(() => icon.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(96);
  });

  it('offers to save whatever is a file, shown or not', async () => {
    await show(richDocument);
    const save = page.getByRole('button', { name: 'Save As…' });
    expect(await save.count()).toBe(3);
    for (const each of await save.all()) await each.click();
    await expect.poll(asked).toEqual([3, 4, 5].map((index) => ({ type: 'save', index })));
  });

  it('has the whole result as JSON in a part that opens, long texts cut', async () => {
    await show(richDocument);
    expect(await page.getByText('trace-4711').count()).toBe(0);
    await page.locator('summary', { hasText: 'Raw' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('example.com/trace: "trace-4711"').waitFor();
    await page.getByText('Long texts are cut here.').waitFor();
    await page.getByRole('button', { name: 'Open Full Content' }).click();
    await expect.poll(asked).toEqual([{ type: 'action', id: 'openWhole' }]);
  });

  it('draws a text of a server without what belongs to a call', async () => {
    const { call: _call, ...document } = richDocument;
    await show({ ...document, result: { kind: 'text', text: '# Use\n\nCall `add` *first*.' } });
    await page.getByText('Call `add` *first*.').waitFor();
    await page.getByRole('button', { name: 'Show as Markdown' }).click();
    await page.getByRole('heading', { level: 1, name: 'Use' }).waitFor();
    expect(await page.locator('.lead').innerText()).toBe('From demo');
    expect(await page.locator('details').count()).toBe(0);
  });

  it.each([
    ['an image with a handler', '<img src=x onerror="alert(1)">'],
    ['a script', '<script>alert(1)</script>'],
    ['a style', '<style>body{display:none}</style><p style="color:red">x</p>'],
    ['a javascript link', '[x](javascript:alert(1)) <javascript:alert(1)>'],
    ['a command link', '[x](command:workbench.action.terminal.new)'],
    ['a data link', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['a file link', '[x](file:///etc/passwd)'],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ])('keeps %s text', async (_name, text) => {
    await showMarkdown(text);
    expect(await page.locator('main').locator('a, img, script, style, iframe, [style], [onerror]').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain(text.slice(0, 12));
  });

  it('turns pictures of the web into links', async () => {
    await showMarkdown('![the plan](https://example.com/plan.png?secret=1)');
    await page.getByRole('link', { name: 'Image: the plan' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('draws a picture that carries a script without running it', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>parent.document.title="owned"</script><image href="https://example.com/x.png"/></svg>';
    await showContent([{ type: 'image', data: Buffer.from(svg).toString('base64'), mimeType: 'image/svg+xml' }]);
    await expect.poll(() => page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(8);
    expect(await page.title()).toBe('Patchbay');
  });

  it('says so when media are damaged', async () => {
    await showContent([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]);
    await page.getByText('This media is damaged and cannot be shown.').waitFor();
  });

  it('cuts what is too large for a page and says so', async () => {
    await showContent([{ type: 'text', text: 'word '.repeat(200_000) }]);
    await page.getByText('This result is too large to be shown whole.').waitFor();
    expect((await page.locator('main').innerText()).length).toBeLessThan(510_000);
  });

  it.each([
    ['backticks', '`'.repeat(400_000)],
    ['backticks with gaps', '` '.repeat(45_000)],
    ['brackets', '['.repeat(110_000)],
    ['emphasis', '*a'.repeat(45_000)],
    ['quotes in quotes', `${'> '.repeat(100)}a\n\n`.repeat(400)],
    ['lists', '- a\n'.repeat(22_000)],
    ['a table', `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'|\n'.repeat(40_000)}`],
  ])('shows Markdown that would be too much for a page as it is, and says so: %s', async (_name, text) => {
    await showMarkdown(text);
    await page.getByText('Shown as plain text, because it is too large to show as Markdown.').waitFor();
    expect(await page.locator('main *').count()).toBeLessThan(100);
    expect(await page.locator('main pre').innerText()).toContain(text.slice(0, 50).trim());
  });

  it('shows deep and long JSON in steps, with the keyboard', async () => {
    const structuredContent = JSON.parse(
      `{"long":[${'{"a":1},'.repeat(4_000)}1],"deep":${'['.repeat(900)}${'1,'.repeat(100_000)}1${']'.repeat(900)},"last":"seen"}`,
    ) as JsonObject;
    const result = { isError: false, content: [], structuredContent };
    await show({ ...toolDocument, differences: [], result: { kind: 'tool', result } });
    await page.getByText('last: "seen"').waitFor();
    await page.getByRole('treeitem', { name: 'long: [4,001]' }).waitFor();
    const more = page.getByRole('treeitem', { name: 'Show 500 More' });
    await more.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: '999: {1}' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('500: {1}');
    expect(await page.locator('main *').count()).toBeLessThan(20_000);
    await page.getByRole('button', { name: 'Open Full Content' }).click();
    await expect.poll(asked).toEqual([{ type: 'action', id: 'openWhole' }]);
  });

  it('shows what cannot be seen, with few elements however much of it there is', async () => {
    const tags = Array.from('send it', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    await showContent([
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/x-log', text: `a\u202Eb\u001B[8mc${tags}` } },
      { type: 'resource', resource: { uri: 'a:c', mimeType: 'text/x-log', text: 'x\u200B'.repeat(100_000) } },
    ]);
    const first = page.locator('main pre.code').first();
    expect(await first.innerText()).toBe('aU+202EbU+001B[8mchidden text “send it”');
    expect(await page.locator('main *').count()).toBeLessThan(1_100);
  });

  it('marks what cannot be seen in Markdown, where it could turn a whole paragraph', async () => {
    await showMarkdown('safe\u202Eelif.exe **bo\u200Bld** `co\u2066de` [li\u200Bnk](https://example.com)');
    expect(await page.locator('.markdown').innerText()).toBe('safeU+202Eelif.exe boU+200Bld coU+2066de liU+200Bnk');
    await showMarkdown('*a*\u200B '.repeat(4_000));
    await page.locator('.markdown em').first().waitFor();
    expect(await page.locator('.markdown .hidden-character').count()).toBeLessThanOrEqual(200);
    expect(await page.locator('.markdown').innerText()).not.toContain('\u200B');
  });
});
