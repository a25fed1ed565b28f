// @ts-check
// Replays the server's part of a recorded session to any client, with mutations. Independent of the transport.
import { createMutator } from './mutate.mjs';

/**
 * @typedef {import('./session.d.ts').Session} Session
 * @typedef {import('./session.d.ts').Mutation} Mutation
 * @typedef {import('./session.d.ts').Delivery} Delivery
 */

/** Members with the id of a request of the client, which is another one in every session. */
const requestNames = new Set(['progressToken', 'requestId', 'io.modelcontextprotocol/subscriptionId']);

/**
 * @param {Session} session
 * @param {readonly Mutation[]} mutations
 * @returns {(message: any) => Delivery[]} what the server says to one message of the client
 */
export function createReplay(session, mutations) {
  const turns = turnsOf(session);
  /** @type {Map<unknown, unknown>} from recorded ids to those of now */
  const ids = new Map();
  const mutate = createMutator(mutations);

  /** @param {any} value @returns {any} */
  function renumber(value) {
    if (Array.isArray(value)) return value.map(renumber);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) =>
        requestNames.has(name) ? [name, ids.get(member) ?? member] : [name, renumber(member)],
      ),
    );
  }

  /** @param {any} message */
  function ofNow(message) {
    const isAnswer = message.method === undefined && ids.has(message.id);
    return renumber(isAnswer ? { ...message, id: ids.get(message.id) } : message);
  }

  return (message) => {
    const known = turns.get(keyOf(message));
    // The last one is repeated, for clients that ask more often than the recorded one.
    const turn = known === undefined || known.length > 1 ? known?.shift() : known[0];
    if (turn === undefined) {
      const error = { code: -32601, message: 'Not in this session' };
      return message.id === undefined ? [] : mutate({ jsonrpc: '2.0', id: message.id, error });
    }
    if (message.method !== undefined && turn.sent.id !== undefined) ids.set(turn.sent.id, message.id);
    const token = turn.sent.params?.['_meta']?.progressToken;
    if (token !== undefined) ids.set(token, message.params?.['_meta']?.progressToken ?? token);
    return turn.answers.flatMap((answer) => mutate(Array.isArray(answer) ? answer.map(ofNow) : ofNow(answer)));
  };
}

/** @param {Session} session @returns {Map<string, import('./session.d.ts').Turn[]>} by what the client says in them */
function turnsOf(session) {
  /** @type {Map<string, import('./session.d.ts').Turn[]>} */
  const turns = new Map();
  /** @type {import('./session.d.ts').Turn | undefined} */
  let current;
  for (const { direction, message } of session) {
    if (direction === 'server') current?.answers.push(message);
    else {
      current = { sent: message, answers: [] };
      const key = keyOf(message);
      turns.set(key, [...(turns.get(key) ?? []), current]);
    }
  }
  return turns;
}

/** @param {any} message of the client */
function keyOf({ id, method, params }) {
  if (method === undefined) return `answer ${id}`;
  return [method, params?.name ?? params?.uri ?? params?.taskId ?? '', params?.cursor ?? ''].join(' ');
}
