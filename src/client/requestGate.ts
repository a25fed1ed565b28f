import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { PatchbayError } from '../base/errors.ts';
import type { ElicitRequest, ElicitResult } from '../protocol/mcp/elicitation.ts';
import { type ClientCapabilities, skillsExtension } from '../protocol/mcp/lifecycle.ts';
import type { Root } from '../protocol/mcp/roots.ts';
import type { SamplingRequest, SamplingResult } from '../protocol/mcp/sampling.ts';
import type { RequestHandlerContext } from '../protocol/peer.ts';
import type { ServerRequestHandlers } from '../protocol/revisions/session.ts';
import type { AuditLog } from './auditLog.ts';
import type { ElicitationContext } from './elicitation/ports.ts';
import type { RequestContext } from './sampling/ports.ts';

/** What servers may ask for. A missing answerer means that the capability is not offered at all. */
export interface RequestAnswerers {
  /** The roots this server is lent, now. */
  readonly roots?: (server: string) => readonly Root[];
  readonly sampling?: (request: SamplingRequest, context: RequestContext) => Promise<SamplingResult>;
  readonly elicitation?: (request: ElicitRequest, context: ElicitationContext) => Promise<ElicitResult>;
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
  clock: Clock,
  cause: () => string | undefined,
): RequestGate {
  const { roots, sampling, elicitation } = answerers;
  let lastLent: string | undefined;

  /** Only `file:` URIs ever leave (client, "Roots"). The same roots are recorded once, or asking could flood the record. */
  function lend(lent: readonly Root[]): readonly Root[] {
    const wrong = lent.find(({ uri }) => !uri.startsWith('file:'));
    if (wrong !== undefined) throw new PatchbayError('configuration', `The root ${wrong.uri} is not a file: URI.`);
    const uris = lent.map(({ uri }) => uri).join(' ');
    if (uris !== lastLent) audit.record({ server, action: 'roots', outcome: 'given', detail: { roots: uris } });
    lastLent = uris;
    return lent;
  }

  const asked = ({ signal, waitForPerson }: RequestHandlerContext): RequestContext => {
    return { server, cause: cause(), signal, waitForPerson };
  };

  return {
    capabilities: {
      ...(roots && { roots: { listChanged: true } }),
      ...(sampling && { sampling: { tools: {} } }),
      ...(elicitation && { elicitation: { form: {}, url: {} } }),
      extensions: { [skillsExtension]: {} },
    },
    handlers: {
      ...(roots && { listRoots: () => Promise.resolve({ roots: lend(roots(server)) }) }),
      ...(sampling && {
        createMessage: (request, context) => alive(context, clock, () => sampling(request, asked(context))),
      }),
      ...(elicitation && {
        elicit: (request, context) =>
          alive(context, clock, () => {
            const { completed, ended, cancelCause } = context;
            return elicitation(request, { ...asked(context), completed, ended, cancelCause });
          }),
      }),
    },
  };
}

/** A person may take minutes to decide, and a server's patience ends after one unless it hears something. */
const progressIntervalMs = 10_000;

/** Reports progress while `answer` is under way. */
async function alive<T>(context: RequestHandlerContext, clock: Clock, answer: () => Promise<T>): Promise<T> {
  let progress = 0;
  const beat = (): Disposable =>
    clock.after(progressIntervalMs, () => {
      progress += 1;
      context.reportProgress({ progress });
      timer = beat();
    });
  let timer = beat();
  try {
    return await raceAbort(answer(), context.signal);
  } finally {
    timer.dispose();
  }
}
