import type { AuditRow } from '../../src/shared/auditView.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Milliseconds before `now` at which each record was made, then its server, action, outcome and details. */
const made: readonly (readonly [number, string, string, string, AuditRow['detail']])[] = [
  [9 * day, 'notes', 'signIn', 'signed in', { issuer: 'https://id.example.com' }],
  [
    3 * day,
    'demo',
    'sampling',
    'approved, request edited',
    {
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
  ],
  [3 * day, 'demo', 'toolCall', 'done', { tool: 'summarize', calledBy: 'person' }],
  [
    40 * minute,
    'demo',
    'sampling',
    'allowed by a rule',
    {
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
  ],
  [30 * minute, 'weather', 'sampling', 'declined', { by: 'person', reason: 'User rejected sampling request' }],
  [20 * minute, 'weather', 'sampling', 'failed', { by: 'person', model: 'GPT-4o', reason: 'No answer.' }],
  [
    10 * minute,
    'weather',
    'toolCall',
    'failed: <b>the server</b> said\nno\u200B',
    { tool: 'forecast', calledBy: 'extension', argumentBytes: 24 },
  ],
  [minute, 'weather', 'resourceRead', 'done', { uri: 'weather://lisbon/today' }],
];

/** Records of every kind, oldest first. @param now milliseconds since the epoch */
export function auditRows(now: number): readonly AuditRow[] {
  return made.map(([age, server, action, outcome, detail]) => {
    const time = new Date(now - age).toISOString();
    return { time, server, action, outcome, detail };
  });
}
