import { createHash } from 'node:crypto';
import { commands, extensions, type Uri, type WebviewPanel, window } from 'vscode';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { jsonAt } from '../../base/jsonPath.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { truncate } from '../../base/truncate.ts';
import {
  type CopyRequest,
  isTextStyle,
  openWholeAction,
  readCopyAction,
  readResultMessage,
  type ResultFromPanel,
  type ResultToPanel,
  saveWholeAction,
  type TextStyle,
} from '../../shared/resultMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { fileName } from '../platform/fileName.ts';
import { openLink } from '../platform/openLink.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { copyToClipboard, saveAs } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import { type Storage, storedAnswers } from '../platform/storage.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { type BlockFile, toBlockFile } from './contentView.ts';
import { JsonTexts, tableToCsv } from './jsonViews.ts';
import {
  blocksOf,
  failureText,
  resourceUrisOf,
  type ResultDocument,
  type TextOwner,
  toResultView,
  wholeOf,
} from './resultDocument.ts';
import { openPlace, shownPlaces } from './sourcePlaces.ts';
import { wholeBytes, type WholeValue } from './wholeDocuments.ts';

export interface ResultPorts {
  readonly logger: Logger;
  /** The workspace's state, for how the person wants to see texts. */
  readonly storage: Storage;
}

interface ResultTab {
  readonly panel: WebviewPanel;
  document: ResultDocument;
  /** Its page takes messages. */
  isReady: boolean;
}

export type ResultPanels = ReturnType<typeof createResultPanels>;

/** Shows the results of prompts and tools in editor tabs, which disposing closes. Not restored after a reload. */
export function createResultPanels(extensionUri: Uri, ports: ResultPorts) {
  const tabs = new Map<string, ResultTab>();

  function draw({ panel, document, isReady }: ResultTab, isUpdate?: true): void {
    if (!isReady) return;
    const textStyle = textStyleOf(ports.storage, document.texts);
    const view = { ...toResultView(document), places: shownPlaces(failureText(document.result)) };
    const message: ResultToPanel = { type: 'show', view, textStyle, isUpdate };
    void panel.webview.postMessage(message);
  }

  function open(document: ResultDocument): void {
    const { key, title } = document;
    const panel = openWebviewPanel({ extensionUri, name: 'result', title });
    const tab: ResultTab = { panel, document, isReady: false };
    tabs.set(key, tab);
    panel.onDidDispose(() => tabs.delete(key));
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = readResultMessage(value);
      if (message === undefined) return;
      if (message.type !== 'ready') return receiveResultMessage(tab.document, message, ports);
      tab.isReady = true;
      draw(tab);
    });
  }

  return {
    /** Shows `document` in the tab of its key, opening one where there is none. */
    show(document: ResultDocument): void {
      const tab = tabs.get(document.key);
      if (tab === undefined) return open(document);
      tab.document = document;
      tab.panel.title = document.title;
      tab.panel.reveal();
      draw(tab);
    },
    /** Draws the tab of that key again, where it is; nothing where there is none. */
    update(key: string, document: () => ResultDocument): void {
      const tab = tabs.get(key);
      if (tab === undefined) return;
      tab.document = document();
      draw(tab, true);
    },
    get active(): WholeValue | undefined {
      const active = [...tabs.values()].find(({ panel }) => panel.active);
      return active && wholeValueOf(active.document);
    },
    dispose(): void {
      for (const { panel } of tabs.values()) panel.dispose();
    },
  };
}

/** The result of a document as *Open Full Content* takes it. */
export function wholeValueOf({ title, result }: ResultDocument): WholeValue {
  return { title, value: wholeOf(result) };
}

type ResultRequest = Exclude<ResultFromPanel, { readonly type: 'ready' }>;

/** Does what a page asks for that shows a result: runs a button, opens a link or a resource, copies, saves or opens a part. */
export function receiveResultMessage(document: ResultDocument, message: ResultRequest, ports: ResultPorts): void {
  handle(document, message, ports.storage).catch((error: unknown) => {
    if (isCancellation(error)) return;
    ports.logger.error(() => `${document.title}, ${message.type}: ${messageOf(error)}`);
    showError(error);
  });
}

async function handle(document: ResultDocument, message: ResultRequest, storage: Storage): Promise<unknown> {
  switch (message.type) {
    case 'action':
      return runAction(document, message.id);
    case 'openLink':
      return openLink(message.uri, document.server);
    case 'openResource':
      return openMentioned(document, message.uri);
    case 'openPlace':
      return openPlace(failureText(document.result), message.index);
    case 'copy':
      return copyToClipboard(message.text);
    case 'showTextAs':
      return document.texts && keepTextStyle(storage, document.texts, message.style);
    case 'save':
    case 'open': {
      const block = blocksOf(document.result)[message.index];
      const file = block && toBlockFile(block);
      return file && (message.type === 'save' ? saveAs(file.name, file.bytes) : openFile(file));
    }
  }
}

async function runAction(document: ResultDocument, id: string): Promise<unknown> {
  const { title, actions } = document;
  const copied = readCopyAction(id);
  if (copied !== undefined) return copyPart(document, copied);
  switch (id) {
    case openWholeAction.id:
      return openWhole(wholeValueOf(document));
    case saveWholeAction.id:
      return saveAs(fileName(title, 'application/json'), () => wholeBytes(wholeOf(document.result)));
    default:
      return actions.find((action) => action.id === id)?.run();
  }
}

async function openWhole(whole: WholeValue): Promise<void> {
  await commands.executeCommand(CommandIds.openWhole, whole);
}

async function openMentioned({ server, result, resourcesOf }: ResultDocument, uri: string): Promise<void> {
  if (resourcesOf === undefined || !resourceUrisOf(result).has(uri)) return;
  await runForPerson(CommandIds.openResource, { server, uri, identity: resourcesOf });
}

/** Opens a file in an editor, from memory: nothing is written to the disk, and no other program is started. */
async function openFile(file: BlockFile): Promise<void> {
  if (!file.canOpen) return;
  if (!/\.pdf$/i.test(file.name) || hasPdfEditor()) return openWhole({ title: file.name, value: file.bytes() });
  const save = 'Save As…';
  const chosen = await window.showInformationMessage(
    'This editor cannot show PDF documents. Install an extension for PDF, or save the document and open it in another program.',
    save,
  );
  if (chosen === save) await saveAs(file.name, file.bytes);
}

/** VS Code has no viewer for PDF of its own; extensions bring one. */
function hasPdfEditor(): boolean {
  return extensions.all.some(({ packageJSON }: { readonly packageJSON: unknown }) => {
    const contributes = isRecord(packageJSON) ? packageJSON['contributes'] : undefined;
    const editors = isRecord(contributes) ? contributes['customEditors'] : undefined;
    return Array.isArray(editors) && /\.pdf"/i.test(JSON.stringify(editors));
  });
}

async function copyPart(document: ResultDocument, { what, source, path }: CopyRequest): Promise<void> {
  const value = jsonAt(sourceOf(document, source), path);
  if (value === undefined) return;
  if (what === 'value') return copyToClipboard(await textOf(value));
  const table = tableToCsv(value);
  if (table === undefined) return;
  await copyToClipboard(table.text);
  if (table.note !== undefined) void window.showInformationMessage(table.note);
}

async function textOf(value: unknown): Promise<string> {
  if (typeof value === 'string') return value;
  const text = new TextDecoder().decode(await wholeBytes(value));
  // The last line break belongs to a file.
  return truncate(text.slice(0, -1), limits.message.bytes);
}

function sourceOf({ result, call }: ResultDocument, source: CopyRequest['source']): unknown {
  if (source === 'arguments') return call?.args;
  if (source === 'raw') return wholeOf(result);
  if (source === 'structured') return result.kind === 'tool' ? result.result.structuredContent : undefined;
  const block = blocksOf(result)[source];
  if (block === undefined) return undefined;
  return block.type === 'unknown' ? block.original : new JsonTexts().read(block);
}

function choicesIn(storage: Storage) {
  return storedAnswers(storage, 'patchbay.textStyles', isTextStyle);
}

/** @returns how the person wants to see these texts; `undefined` while they have not said so */
export function textStyleOf(storage: Storage, owner: TextOwner | undefined): TextStyle | undefined {
  return owner && choicesIn(storage).get(keyOf(owner));
}

export function keepTextStyle(storage: Storage, owner: TextOwner, style: TextStyle): Promise<void> {
  return choicesIn(storage).set(keyOf(owner), style);
}

/** Of one length, however long the names are. */
function keyOf({ identity, kind, name }: TextOwner): string {
  const text = JSON.stringify([identity, kind, name]);
  return createHash('sha256').update(text).digest('hex');
}
