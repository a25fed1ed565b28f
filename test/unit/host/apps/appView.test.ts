import { describe, expect, it } from 'vitest';
import { noReach, reachLines, readReach } from '../../../../src/client/apps/appReach.ts';
import { type Stage, toAppView } from '../../../../src/host/apps/appView.ts';
import { readAppMetadata } from '../../../../src/protocol/mcp/apps.ts';

describe('what a person reads of what an app may reach', () => {
  it.each([
    ['http://127.0.0.1:*', 'http://127.0.0.1:* (this computer)'],
    ['https://2130706433', 'https://127.0.0.1 (this computer)'],
    ['http://[::7f00:1]:80', 'http://[::7f00:1]:80 (this computer)'],
    ['https://*.app.localhost', 'https://*.app.localhost (this computer)'],
    ['http://169.254.169.254', 'http://169.254.169.254 (the metadata service of cloud machines)'],
    ['https://METADATA.google.internal', 'https://metadata.google.internal (the metadata service of cloud machines)'],
    ['https://192.168.0.1', 'https://192.168.0.1 (your local network)'],
    ['https://*.corp.internal:8443', 'https://*.corp.internal:8443 (your local network)'],
    ['https://api.example', 'https://api.example'],
  ])('says where %s is', (declared, shown) => {
    const csp = { connectDomains: [declared], resourceDomains: [declared], frameDomains: [declared] };
    const { reach } = readReach(readAppMetadata({ ui: { csp } }, undefined), []);
    expect(reachLines(reach)).toEqual([
      `Send to and get from ${shown}; load scripts, styles, pictures and sound from it; show pages of it inside itself`,
    ]);
  });
});

it.each([
  [
    { ...noReach, resources: ['https://cdn.example'] },
    ['You are not asked again when code that it loads from elsewhere changes.'],
  ],
  [{ ...noReach, permissions: ['camera'] as const }, []],
])('names the app in the question about code, and says that code from elsewhere can change: %j', (reach, notices) => {
  const question = { title: 'Map of Bern', reach, refused: [], isChanged: false, isCode: true };
  const stage: Stage = { kind: 'asking', id: 1, question, answer: () => {} };
  const others = { app: undefined, shownCall: {}, blocked: [], muted: [], isKeptFromCode: false, logged: [] };
  const facts = { ...others, stage, notices: [], isFilling: false, isWide: false };
  expect(toAppView({ server: 'maps', tool: 'map', occurrence: 0 }, facts)).toMatchObject({
    title: 'Map of Bern',
    reach: { places: [], permissions: ['Run generated code: from text, as WebAssembly, in workers'] },
    notices,
  });
});
