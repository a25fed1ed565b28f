import { createHash } from 'node:crypto';
import type { Uri } from 'vscode';
import { parseJson } from '../../base/json.ts';
import { writeJsonInPieces } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncate } from '../../base/truncate.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { singleLine, momentOf } from '../platform/displayText.ts';
import { showDifference } from '../platform/documents.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import type { CallAnswer, WholePastCall } from './callRecord.ts';

type ComparedCall = Pick<WholePastCall, 'tool' | 'at' | 'answer'>;

/** Shows the results of two calls side by side in VS Code's own diff editor. The documents are forgotten with their editor. */
export function createResultComparison() {
  const missingText = 'This comparison was closed. Compare the results again.\n';
  const documents = createTextDocuments({ scheme: 'patchbay-comparison', missingText });
  let count = 0;
  const add = ({ tool, answer }: ComparedCall, side: string): Uri => {
    count += 1;
    return documents.set(`${tabName(tool)}, ${side}.json`, String(count), comparisonText(answer));
  };
  return {
    async show(one: ComparedCall, other: ComparedCall): Promise<void> {
      const [earlier, later] = one.at <= other.at ? [one, other] : [other, one];
      const title = `${singleLine(later.tool, 60)}: call of ${momentOf(earlier.at)} ↔ later call of ${momentOf(later.at)}`;
      await showDifference(add(earlier, 'earlier'), add(later, 'later'), title);
    },
    dispose: () => documents.dispose(),
  };
}

/**
 * An answer as indented JSON, to be compared line by line. Text that is JSON is shown as that, text of several lines as a list
 * of them, and binary data by its digest: two answers differ here where they differ for people.
 */
export function comparisonText(answer: CallAnswer | undefined): string {
  if (answer === undefined) return '(the answer was not kept)\n';
  const shown = answer.kind === 'error' ? answer.error : shownResult(answer.result);
  let text = '';
  for (const piece of writeJsonInPieces(shown)) {
    text += piece;
    if (text.length > maximumCharacters) {
      return `${truncate(text, maximumCharacters)}\n… The rest is not compared: there are more than ${formatCount(maximumCharacters)} characters.\n`;
    }
  }
  return `${text}\n`;
}

/** `isError` is only there where it says something: a result that is none need not say so. */
function shownResult({ isError, content, ...rest }: CallToolResult): object {
  return { content: content.map(showBlock), ...rest, ...(isError && { isError }) };
}

const maximumCharacters = limits.shown.document;

function showBlock(block: ContentBlock): unknown {
  switch (block.type) {
    case 'text':
      return { ...block, text: showText(block.text) };
    case 'image':
    case 'audio':
      return { ...block, data: describeData(block.data) };
    case 'resource': {
      const { text, blob, ...rest } = block.resource;
      const shown = {
        ...rest,
        ...(text !== undefined && { text: showText(text) }),
        ...(blob !== undefined && { blob: describeData(blob) }),
      };
      return { ...block, resource: shown };
    }
    case 'unknown':
      return block.original;
    case 'resource_link':
      return block;
  }
}

function showText(text: string): unknown {
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return json ?? (text.includes('\n') ? text.split(/\r?\n/) : text);
}

function describeData(data: string): string {
  const digest = createHash('sha256').update(data).digest('hex');
  return `(${formatCount(data.length)} characters of Base64, SHA-256 ${digest})`;
}
