import type { Uri } from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import type { Mutes } from '../../client/mutes.ts';
import type { ClientFeaturePorts } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { ConnectionTap } from '../../client/trace/connectionTap.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { WholePastCall } from '../calls/callRecord.ts';
import type { FeatureContext } from '../invocation/contentPicker.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { TextDocuments } from '../platform/textDocuments.ts';
import type { LazyTraffic } from '../traffic/lazyTraffic.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import type { AppAnswers } from './appAnswers.ts';
import type { AppOrigins } from './appOrigins.ts';

export interface AppPorts extends FeatureContext {
  readonly extensionUri: Uri;
  readonly hostInfo: Implementation;
  readonly sampling: NonNullable<ClientFeaturePorts['sampling']>;
  readonly mutes: Mutes;
  readonly audit: AuditLog;
  readonly serverLogger: (label: string) => Logger;
  readonly traffic: Pick<LazyTraffic, 'log'>;
  readonly knownSecrets: Pick<WindowSecrets, 'plans' | 'current'>;
  readonly askModel: AskModel;
  readonly show: (document: ResultDocument) => void;
  readonly historyFolder: string;
  readonly answers: AppAnswers;
}

/** The same, with what all tabs of apps share. */
export interface AppParts extends AppPorts {
  readonly frameScript: string;
  readonly tap: (label: string) => ConnectionTap;
  readonly origins: AppOrigins;
  readonly pastCall: (id: string) => Promise<WholePastCall | undefined>;
  readonly documents: TextDocuments;
}
