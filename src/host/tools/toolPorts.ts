import type { TextEditor, Uri } from 'vscode';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { AppPresenter } from '../apps/registerApps.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import type { FeatureContext } from '../invocation/contentPicker.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { ActingCommandContext } from '../platform/registerCommand.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import type { ToolFiles } from './toolFiles.ts';
import type { ToolLibrary } from './toolLibrary.ts';
import type { ToolSession } from './toolSession.ts';

export interface ToolPorts extends FeatureContext, ActingCommandContext {
  readonly extensionUri: Uri;
  readonly validator: SchemaValidator;
  readonly askModel: AskModel;
  readonly traces: Pick<MessageTraces, 'capture'>;
  readonly apps: AppPresenter;
  readonly savedCalls: SavedCalls;
  readonly seal: AddressSeal;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
  readonly isSignedIn: (server: string) => boolean;
  /** The folder for the history of calls, and the one for what was typed. */
  readonly historyFolder: string;
  readonly folder: string;
}

/** The same, with what all tabs of tools share. */
export interface ToolParts extends ToolPorts {
  readonly library: ToolLibrary;
  readonly files: ToolFiles;
  /** The text editor that was active last: while a form is, none is. */
  readonly lastEditor: () => TextEditor | undefined;
  readonly markUsed: (session: ToolSession) => void;
}
