import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { isRecord, parseJson } from '../../src/base/json.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { toResultView } from '../../src/host/results/resultDocument.ts';
import { toToolDocument } from '../../src/host/tools/toolOutcome.ts';
import { toToolView } from '../../src/host/tools/toolView.ts';
import type { CallToolResult, Tool } from '../../src/protocol/mcp/tools.ts';
import type { ToolToPanel } from '../../src/shared/toolMessages.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import {
  createFolder,
  officialProgram,
  type OfficialServer,
  officialServers,
  type SampleCall,
} from '../fixtures/officialServers.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();

/** Starts a server for the current test, in a folder of its own. */
async function start(name: string, { args, env, options }: OfficialServer, folder: string): Promise<HeadlessServer> {
  const command = { command: process.execPath, args: [officialProgram(name), ...(args?.(folder) ?? [])] };
  const server = openHeadless({ ...command, env: env?.(folder) ?? {} }, options);
  await server.start();
  return server;
}

/** The text that a person sees and selects, with its line breaks. */
async function expectText(shown: Locator, text: string): Promise<void> {
  await shown.waitFor();
  expect(await shown.innerText()).toBe(text);
}

describe('the page of a tool shows what the server sent', () => {
  let panel: PanelPage;

  beforeEach(async () => {
    panel = await panels.open('tool', { width: 1_200 });
    await panel.load();
  });

  const post = (message: ToolToPanel): Promise<void> => panel.post(message);

  async function expectDescriptions(server: string, tool: Tool): Promise<void> {
    const view = toToolView({ server, name: tool.name }, tool, { state: 'running', notices: [] });
    await post({ type: 'tool', view: { ...view, revision: 1 } });
    await post({ type: 'arguments', args: {} });
    await expectText(panel.page.locator('header pre.exact:not(.inline)'), tool.description ?? '');
    for (const more of await panel.page.getByRole('button', { name: /^Show more$/i }).all()) await more.click();
    const { properties } = tool.inputSchema;
    const about = await panel.page.locator('.form-about pre').allInnerTexts();
    for (const field of isRecord(properties) ? Object.values(properties) : []) {
      const description = isRecord(field) ? field['description'] : undefined;
      if (description !== undefined) expect(about).toContain(description);
    }
  }

  /** A text as it came, a text that is JSON with the same text one click away, or one that is in the structured content too. */
  async function expectBlock(shown: Locator, text: string, structured: unknown): Promise<void> {
    const value = parseJson(text);
    const folded = shown.locator('summary');
    if ((await folded.count()) > 0) {
      expect([structured, ...Object.values(structured ?? {})]).toContainEqual(isObject(value) ? value : text);
      await folded.click();
    } else if (isObject(value)) {
      await treeOrTable(shown).waitFor();
      await shown.getByRole('button', { name: 'Text', exact: true }).click();
    }
    await expectText(shown.locator('pre:not(.inline)'), text);
  }

  /** The value is there; folded, if all of it is in texts. */
  async function expectStructured(structured: unknown, texts: readonly string[]): Promise<void> {
    const folded = panel.page.getByText('Structured content, the same as the text');
    if ((await folded.count()) > 0) {
      expect(Object.values(structured ?? {}).flat()).toEqual(texts);
      return;
    }
    const section = panel.page.locator('.result > section:last-of-type');
    await section.getByRole('heading', { name: 'Structured content' }).waitFor();
    await treeOrTable(section).waitFor();
    await section.getByRole('button', { name: 'Text', exact: true }).click();
    expect(JSON.parse(await section.locator('pre.code').innerText())).toEqual(structured);
  }

  async function expectResult(server: string, tool: Tool, result: CallToolResult): Promise<void> {
    const document = toToolDocument(
      { server, identity: server, tool: tool.name, definition: tool },
      result,
      { warnings: [] },
      undefined,
    );
    const view = toResultView({ ...document, key: tool.name });
    await post({ type: 'outcome', outcome: { kind: 'result', at: 0, durationMs: 1, result: view } });
    expect(view.notices).toEqual([]);
    const { content, structuredContent } = result;
    const shown = panel.page.locator('.result > .content');
    expect(await shown.count()).toBe(content.length);
    for (const [index, block] of content.entries()) {
      const text = block.type === 'text' ? block.text : block.type === 'resource' ? block.resource.text : undefined;
      if (text !== undefined) await expectBlock(shown.nth(index), text, structuredContent);
    }
    if (structuredContent !== undefined)
      await expectStructured(
        structuredContent,
        content.flatMap((block) => (block.type === 'text' ? block.text : [])),
      );
    expect(await panel.page.locator('.markdown').count()).toBe(0);
  }

  it.each(Object.entries(officialServers))('%s', async (name, official) => {
    const folder = await createFolder();
    await official.prepare?.(folder);
    const server = await start(name, official, folder);
    const tools = new Map(server.tools.map((tool) => [tool.name, tool]));
    const made = official.calls(folder);
    expect(new Set(made.map(([tool]) => tool))).toEqual(new Set(tools.keys()));
    const results = callInOrder(server, made);
    for (const tool of server.tools) await expectDescriptions(name, tool);
    for (const [tool, result] of await results)
      await expectResult(name, tools.get(tool) ?? expect.unreachable(tool), result);
  });
});

it('the page of a prompt shows what the server sent', async () => {
  const official = officialServers['everything'] ?? expect.unreachable();
  const server = await start('everything', official, '');
  const panel = await panels.open('result');
  await panel.load();
  expect(server.prompts.map(({ name }) => name).toSorted()).toEqual(Object.keys(official.prompts ?? {}).toSorted());
  for (const [name, args] of Object.entries(official.prompts ?? {})) {
    const prompt = await server.getPrompt(name, args);
    const document = {
      key: name,
      title: name,
      server: 'everything',
      actions: [],
      result: { kind: 'prompt', prompt },
    } as const;
    await panel.post({ type: 'show', view: toResultView(document) });
    const shown = panel.page.locator('.message');
    expect(await shown.count()).toBe(prompt.messages.length);
    for (const [index, { content }] of prompt.messages.entries()) {
      const text =
        content.type === 'text' ? content.text : content.type === 'resource' ? content.resource.text : undefined;
      await expectText(shown.nth(index).locator('pre:not(.inline)'), text ?? expect.unreachable());
    }
  }
  expect(await panel.page.locator('.markdown').count()).toBe(0);
});

async function callInOrder(server: HeadlessServer, calls: readonly SampleCall[]) {
  const results: (readonly [tool: string, CallToolResult])[] = [];
  for (const [tool, args] of calls) results.push([tool, await server.callTool(tool, args)]);
  return results;
}

function treeOrTable(part: Locator): Locator {
  return part.getByRole('tree').or(part.getByRole('table')).first();
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
