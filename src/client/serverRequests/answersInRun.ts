import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { AuditLog } from '../auditLog.ts';
import type { AnsweringRun, PreparedAnswers } from './answerInRun.ts';
import type { ClientFeaturePorts, RequestContext } from './serverRequestHandlers.ts';

type AnsweringPorts = ClientFeaturePorts & Required<Pick<ClientFeaturePorts, 'sampling' | 'elicitation'>>;

/**
 * Answers requests that arise from a call that is tested, while it is on its way, and no others: a server that does anything else at that
 * moment asks the person, as it cannot be told what the request is for. Nothing of an answer holds longer than the call.
 */
export class AnswersInRun {
  readonly #audit: AuditLog;
  readonly #runs = new Set<AnsweringRun>();

  constructor(audit: AuditLog) {
    this.#audit = audit;
  }

  /** @returns dispose it when the call has ended */
  begin(server: string, tool: string, answers: PreparedAnswers, source: string): Disposable {
    const run = { server, cause: `tool ${tool}`, answers, source };
    this.#runs.add(run);
    return toDisposable(() => this.#runs.delete(run));
  }

  /** Puts the answers before those of the person. */
  before(ports: AnsweringPorts): AnsweringPorts {
    // Loaded with the first test that has answers.
    const load = () => import('./answerInRun.ts');
    return {
      ...ports,
      elicitation: async (request, context) => {
        const run = this.#find(context);
        const answer = run && (await load()).answerElicitation(run, request, this.#audit);
        return answer ?? ports.elicitation(request, context);
      },
      sampling: async (request, context) => {
        const run = this.#find(context);
        const answer = run && (await load()).answerSampling(run, request, this.#audit);
        return answer ?? ports.sampling(request, context);
      },
    };
  }

  #find({ server, cause }: Pick<RequestContext, 'server' | 'cause'>): AnsweringRun | undefined {
    const fitting = [...this.#runs].filter((run) => run.server === server && run.cause === cause);
    return fitting.length === 1 ? fitting[0] : undefined;
  }
}
