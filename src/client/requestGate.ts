import { PatchbayError } from '../base/errors.ts';
import type { ElicitRequest, ElicitResult } from '../protocol/mcp/elicitation.ts';
import type { ClientCapabilities } from '../protocol/mcp/lifecycle.ts';
import type { Root } from '../protocol/mcp/roots.ts';
import type { SamplingRequest, SamplingResult } from '../protocol/mcp/sampling.ts';
import type { ServerRequestHandlers } from '../protocol/revisions/session.ts';
import type { AuditLog } from './auditLog.ts';
import type { RequestContext } from './sampling/ports.ts';

/** What servers may ask for. A missing answerer means that the capability is not offered at all. */
export interface RequestAnswerers {
  /** The roots this server is lent, now. */
  readonly roots?: (server: string) => readonly Root[];
  readonly sampling?: (request: SamplingRequest, context: RequestContext) => Promise<SamplingResult>;
  readonly elicitation?: (request: ElicitRequest, context: RequestContext) => Promise<ElicitResult>;
}

/** The one way from any server's request, in any revision, to whoever answers it. */
export interface RequestGate {
  readonly capabilities: ClientCapabilities;
  readonly handlers: ServerRequestHandlers;
}

/** @param cause says what this server is doing at the moment, for the person who decides */
export function createRequestGate(
  server: string,
  answerers: RequestAnswerers,
  audit: AuditLog,
  cause: () => string | undefined,
): RequestGate {
  const { roots, sampling, elicitation } = answerers;
  return {
    capabilities: {
      ...(roots && { roots: { listChanged: true } }),
      ...(sampling && { sampling: { tools: {} } }),
      ...(elicitation && { elicitation: { form: {}, url: {} } }),
    },
    handlers: {
      ...(roots && { listRoots: () => Promise.resolve({ roots: lendRoots(server, roots(server), audit) }) }),
      ...(sampling && {
        createMessage: (request, { signal }) => sampling(request, { server, cause: cause(), signal }),
      }),
      ...(elicitation && {
        elicit: (request, { signal }) => elicitation(request, { server, cause: cause(), signal }),
      }),
    },
  };
}

/** Only `file:` URIs ever leave (client, "Roots"). */
function lendRoots(server: string, roots: readonly Root[], audit: AuditLog): readonly Root[] {
  const wrong = roots.find(({ uri }) => !uri.startsWith('file:'));
  if (wrong !== undefined) throw new PatchbayError('configuration', `The root ${wrong.uri} is not a file: URI.`);
  audit.record({ server, action: 'roots', outcome: 'given', detail: { roots: roots.map(({ uri }) => uri).join(' ') } });
  return roots;
}
