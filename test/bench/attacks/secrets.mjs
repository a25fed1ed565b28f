// @ts-check
/** @typedef {import('./attack.d.ts').Attack} Attack */
/** @typedef {import('./attack.d.ts').Subject} Subject */

/** Beginnings of keys and paths that never become one, and real ones that never end. */
const almostSecrets = [
  'sk-ant-api03-',
  'sk-',
  'ghp_',
  'xoxb-1-a-',
  'eyJ-',
  'https://a:b@',
  'mongodb://a:b',
  'bearer a',
  'figd_',
  '-----BEGIN PRIVATE KEY-----',
  '/home/a',
  'file:///%',
  'C:\\',
  '~/',
  'https://known-',
  '\u200b',
  'a',
];

/** 2,000 known values that begin alike. */
const known = Array.from({ length: 2_000 }, (_, index) => ({
  value: `https://known-${index}-${'x'.repeat(20)}`,
  kind: /** @type {const} */ ('envFile'),
  what: `VALUE_${index} of .env`,
}));

/** @param {Subject['core']} core @param {number} length of each text */
async function searchAndMask({ createSecretFinder, loadKeyRules }, length) {
  const finder = createSecretFinder({
    known: () => ({ secrets: known, isWhole: true }),
    roots: () => ['/workspace/app'],
    home: '/home/a',
    loadKeyRules,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  let marks = 0;
  for (const beginning of almostSecrets) {
    const text = beginning.repeat(length / beginning.length);
    const content = [{ type: /** @type {const} */ ('text'), text }];
    const request = { messages: [{ role: /** @type {const} */ ('user'), content }], maxTokens: 1 };
    const found = await finder.find(request, 'attack');
    await finder.mask(request, found);
    marks += found.length;
  }
  return `${marks} marks in ${almostSecrets.length} requests`;
}

/** @type {readonly Attack[]} */
export const secretAttacks = [
  {
    id: 'almost-secrets',
    title: `${almostSecrets.length} requests of 500 kB that are full of almost-secrets, searched and masked`,
    drive: ({ core }) => searchAndMask(core, 500_000),
  },
];
