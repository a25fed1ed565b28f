import type { AuditRow } from '../../src/shared/auditView.ts';

/** Milliseconds before `now`, at which the record was made. */
type Age = number;

const minute = 60_000;
const day = 24 * 60 * minute;

const made: readonly (Omit<AuditRow, 'time'> & { readonly age: Age })[] = [
  {
    age: 9 * day,
    server: 'notes',
    action: 'signIn',
    outcome: 'signed in',
    detail: { issuer: 'https://id.example.com' },
  },
  {
    age: 3 * day,
    server: 'demo',
    action: 'sampling',
    outcome: 'approved, request edited',
    detail: {
      by: 'person',
      cause: 'tool summarize',
      model: 'GPT-4o',
      destination: 'api.openai.com',
      messages: 3,
      maxTokens: 500,
      inputTokens: 1_200,
      outputTokens: 340,
      cost: 0.0064,
      requestDigest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      answerDigest: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
  },
  {
    age: 3 * day,
    server: 'demo',
    action: 'toolCall',
    outcome: 'done',
    detail: { tool: 'summarize', calledBy: 'person' },
  },
  {
    age: 40 * minute,
    server: 'demo',
    action: 'sampling',
    outcome: 'allowed by a rule',
    detail: {
      by: 'rule',
      rule: 'rule-7',
      model: 'llama3.2',
      destination: 'localhost:11434',
      messages: 1,
      maxTokens: 200,
      inputTokens: 85,
      outputTokens: 12,
      tokensAreEstimated: true,
      requestDigest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      answerDigest: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
      request: 'Name a town.\n<img src=x onerror=alert(1)> \u202Ekcab',
      answer: 'Lisbon',
      masked: 1,
    },
  },
  {
    age: 30 * minute,
    server: 'weather',
    action: 'sampling',
    outcome: 'declined',
    detail: { by: 'person', messages: 1, maxTokens: 900, reason: 'User rejected sampling request' },
  },
  {
    age: 20 * minute,
    server: 'weather',
    action: 'sampling',
    outcome: 'failed',
    detail: { by: 'person', model: 'GPT-4o', messages: 1, maxTokens: 900, reason: 'The provider did not answer.' },
  },
  {
    age: 10 * minute,
    server: 'weather',
    action: 'toolCall',
    outcome: 'failed: <b>the server</b> said\nno\u200B',
    detail: { tool: 'forecast', calledBy: 'extension', argumentBytes: 24 },
  },
  {
    age: minute,
    server: 'weather',
    action: 'resourceRead',
    outcome: 'done',
    detail: { uri: 'weather://lisbon/today' },
  },
];

/** Records of every kind, oldest first. @param now milliseconds since the epoch */
export function auditRows(now: number): readonly AuditRow[] {
  return made.map(({ age, ...row }) => ({ time: new Date(now - age).toISOString(), ...row }));
}
