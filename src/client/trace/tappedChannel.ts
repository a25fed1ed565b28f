import { stringifyExactly } from '../../base/exactIntegers.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { type MessageChannel, wasSent } from '../../protocol/messageChannel.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import { secretsOfPlan, secretTokens } from '../../secrets/planSecrets.ts';
import { createRedactor, type Redactor } from '../../secrets/redactor.ts';
import type { Transport } from '../../transport/transport.ts';
import type { ConnectionTap, OpenTap } from './connectionTap.ts';

export interface TapOptions {
  readonly label: string;
  readonly plan: LaunchPlan;
  readonly open: OpenTap;
  /** What is hidden too: the secrets of other servers. The same list while nothing changes. */
  readonly secrets?: (() => readonly KnownSecret[]) | undefined;
}

/**
 * Lets a tap follow a transport. Call it before other listeners are added to the transport.
 * @returns what stands in place of the transport: the transport itself where nothing listens
 */
export function tapTransport(transport: Transport, { label, plan, open, secrets }: TapOptions): MessageChannel {
  const redactor = followSecrets(plan, () => transport.secrets?.(), secrets);
  const tap = open({ label, plan, redactor });
  return tap === undefined ? transport : new TappedChannel(transport, tap);
}

/** @returns the redactor of what is secret now; a new one only after something changed */
export function followSecrets(
  plan: LaunchPlan,
  found: () => readonly string[] | undefined,
  others: () => readonly KnownSecret[] = () => noSecrets,
): () => Redactor {
  let known: { readonly redactor: Redactor; readonly of: readonly unknown[] } | undefined;
  return () => {
    const [tokens, rest] = [found(), others()];
    if (known === undefined || known.of[0] !== tokens || known.of[1] !== rest) {
      const label = plan.label ?? '';
      const all = [...secretsOfPlan(label, plan), ...secretTokens(label, tokens ?? []), ...rest];
      known = { redactor: createRedactor(all), of: [tokens, rest] };
    }
    return known.redactor;
  };
}

const noSecrets: readonly KnownSecret[] = [];

class TappedChannel implements MessageChannel {
  readonly #transport: Transport;
  readonly #tap: ConnectionTap;
  readonly onMessage: MessageChannel['onMessage'];
  readonly onDidDropAnswer: MessageChannel['onDidDropAnswer'];

  constructor(transport: Transport, tap: ConnectionTap) {
    this.#transport = transport;
    this.#tap = tap;
    this.onMessage = transport.onMessage;
    this.onDidDropAnswer = transport.onDidDropAnswer;
    transport.onMessage((value) => tap.message('received', value, transport.receivedText));
    transport.onDidDropAnswer?.((answer) => tap.dropped?.(answer));
    transport.onLog((entry) => {
      // Output on stderr is in the server's log.
      if (entry.source !== 'stderr') tap.note(entry.source === 'noise' ? `not a message: ${entry.text}` : entry.text);
    });
    transport.onDidClose((reason) => tap.end(reason));
  }

  send(...[message, hints]: Parameters<MessageChannel['send']>): Promise<void> {
    const text = stringifyExactly(message);
    this.#tap.message('sent', message, text);
    const sending = this.#transport.send(message, hints === undefined ? { text } : { ...hints, text });
    if (sending === wasSent) return sending;
    return sending.catch((error: unknown) => {
      this.#tap.failed(message, error);
      throw error;
    });
  }
}
