import { isRecord } from '../../base/json.ts';
import { forgotten } from './trafficMessage.ts';
import type { TrafficRow, TrafficState } from './trafficRow.ts';

/** Where a word of a filter is looked for; `any`: in all that the list shows. */
type Field = 'server' | 'method' | 'tool' | 'status' | 'text' | 'any';

interface Term {
  readonly field: Field;
  /** In lower case. */
  readonly word: string;
  readonly isNegated: boolean;
}

export interface TrafficFilter {
  readonly terms: readonly Term[];
  /** Pings that were answered, or wait for it, are shown too. */
  readonly showsPings: boolean;
  /** Messages are searched: that takes longer. */
  readonly readsBodies: boolean;
}

const longestFilter = 1_000;
/** What is to become a word of a filter. */
const halfTyped = /^-?(?:(?:server|method|tool|status|text):)?$/;
const termPattern = /(-?)(?:(server|method|tool|status|text):)?(?:"([^"]*)"?|(\S+))/gi;

/** Reads `server:demo -method:ping status:error "some words"`. All that is no field is a word; all of them must match. */
export function parseTrafficFilter(text: string, showsPings: boolean): TrafficFilter {
  const terms = [...text.slice(0, longestFilter).matchAll(termPattern)].flatMap(
    ([, minus, field = 'any', quoted, plain = '']): readonly Term[] => {
      const word = (quoted ?? plain).toLowerCase();
      if (word === '' || halfTyped.test(word)) return [];
      return [{ field: field.toLowerCase() as Field, word, isNegated: minus === '-' }];
    },
  );
  const asksForPings = terms.some(({ field, word, isNegated }) => field === 'method' && word === 'ping' && !isNegated);
  return { terms, showsPings: showsPings || asksForPings, readsBodies: terms.some(({ field }) => field === 'text') };
}

export function isShown(row: TrafficRow, { terms, showsPings }: TrafficFilter): boolean {
  if (!showsPings && row.method === 'ping' && (row.state === 'ok' || row.state === 'pending')) return false;
  return terms.every((term) => hasWord(row, term) !== term.isNegated);
}

const stateWords: Readonly<Record<TrafficState, string>> = {
  pending: 'pending',
  ok: 'ok',
  toolError: 'tool error',
  error: 'error',
  cancelled: 'cancelled',
  unanswered: 'no answer',
  unsent: 'failed',
  none: '',
};

/** What became of a row, in a word or two: "error -32601". */
export function describeStatus(row: TrafficRow): string {
  switch (row.kind) {
    case 'notification':
      return row.state === 'unsent' ? stateWords.unsent : 'notification';
    case 'note':
      return 'note';
    case 'stray':
      return 'stray answer';
    case 'malformed':
      return 'not a message';
    case 'request': {
      const { code } = row;
      return code === undefined ? stateWords[row.state] : `${stateWords[row.state]} ${code}`;
    }
  }
}

function hasWord(row: TrafficRow, { field, word }: Term): boolean {
  switch (field) {
    case 'server':
      return has(row.source.label, word);
    case 'method':
      return has(row.method, word);
    case 'tool':
      return has(row.subject, word);
    case 'status':
      return has(describeStatus(row), word);
    case 'text':
      return has(row.failure, word) || holds(row.request, word) || holds(row.answer, word);
    case 'any': {
      const { source, method, subject, kind } = row;
      const note = kind === 'note' ? String(row.request) : undefined;
      const shown = [source.label, method, subject, describeStatus(row), note];
      return shown.some((text) => has(text, word));
    }
  }
}

function has(text: string | undefined, word: string): boolean {
  return text !== undefined && text.toLowerCase().includes(word);
}

/** True if a text, a number or a name in a value has the word. */
function holds(value: unknown, word: string): boolean {
  if (typeof value === 'string') return has(value, word);
  if (value === undefined || value === forgotten) return false;
  if (Array.isArray(value)) return value.some((entry) => holds(entry, word));
  if (!isRecord(value)) return (JSON.stringify(value) ?? '').includes(word);
  for (const name in value) if (has(name, word) || holds(value[name], word)) return true;
  return false;
}
