import type { Page } from 'playwright-core';
import { beforeEach } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type ResultDocument, toResultView } from '../../src/host/results/resultDocument.ts';
import type { ContentBlock } from '../../src/protocol/mcp/content.ts';
import type { TextStyle } from '../../src/shared/resultMessages.ts';
import type { PanelPage } from './panelPage.ts';
import { toolDocument } from './samples.ts';
import { usePanels } from './setUp.ts';

/** The panel of results, as each of its tests has it. */
export interface OpenedResult {
  readonly panel: PanelPage;
  readonly page: Page;
  /** Shows a document, as the extension does. */
  readonly show: (document: ResultDocument, textStyle?: TextStyle) => Promise<void>;
  /** Shows what a tool gave. */
  readonly showContent: (content: readonly ContentBlock[], structuredContent?: JsonObject) => Promise<void>;
  /** Shows a text that the person wants to see as Markdown. */
  readonly showMarkdown: (text: string) => Promise<void>;
  /** The messages from the page after `ready`. */
  readonly asked: () => readonly unknown[];
}

/** Opens the panel before each test of the file. */
export function openResultForEach(use: (opened: OpenedResult) => void): void {
  const panels = usePanels();
  beforeEach(async () => {
    const panel = await panels.open('result');
    const { page } = panel;
    await panel.load();
    const show: OpenedResult['show'] = async (document, textStyle) => {
      await panel.post({ type: 'show', view: toResultView(document), textStyle });
      await page.getByRole('heading', { level: 1, name: document.title }).waitFor();
    };
    use({
      panel,
      page,
      show,
      showContent(content, structuredContent) {
        const result = { isError: false, content, ...(structuredContent && { structuredContent }) };
        return show({ ...toolDocument, differences: [], result: { kind: 'tool', result } });
      },
      showMarkdown(text) {
        const result = { isError: false, content: [{ type: 'text', text }] } as const;
        return show({ ...toolDocument, differences: [], result: { kind: 'tool', result } }, 'markdown');
      },
      asked: () => panel.sent.slice(1),
    });
  });
}
