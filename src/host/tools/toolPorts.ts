import type { Uri } from 'vscode';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { AppFeature } from '../apps/appFeature.ts';
import type { AppPresenter } from '../apps/registerApps.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import type { FeatureContext } from '../invocation/contentPicker.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { ActingCommandContext } from '../platform/registerCommand.ts';
import type { SentRequest } from '../../client/trace/sentRequest.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { DevelopmentStates } from '../servers/developmentStates.ts';
import type { LazyTraffic } from '../traffic/lazyTraffic.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';

export interface ToolPorts extends FeatureContext, ActingCommandContext {
  readonly extensionUri: Uri;
  readonly validator: SchemaValidator;
  readonly askModel: AskModel;
  /** Shows a result in a tab of its own. */
  readonly show: (document: ResultDocument) => void;
  readonly traffic: TrafficLog;
  /** Shows the messages of a call. @returns false where they are no longer kept */
  readonly showTraffic: (sent: readonly SentRequest[]) => Promise<boolean>;
  readonly apps: AppPresenter;
  readonly savedCalls: SavedCalls;
  readonly seal: AddressSeal;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
  readonly development: Pick<DevelopmentStates, 'onDidRestart'>;
  readonly isSignedIn: (server: string) => boolean;
  /** The folder for the history of calls, and the one for what was typed. */
  readonly historyFolder: string;
  readonly folder: string;
}

/** The same at activation, when nothing is loaded that comes with the first tool. */
export interface RegisterToolsOptions extends Omit<ToolPorts, 'seal' | 'apps' | 'savedCalls' | 'traffic'> {
  readonly traffic: Pick<LazyTraffic, 'log'>;
  readonly loadSeal: () => Promise<AddressSeal>;
  readonly loadApps: () => Promise<AppFeature>;
  readonly savedCalls: () => Promise<SavedCalls>;
}
