import { handshakeRevisions } from '../../../src/protocol/revisions/revision.ts';
import { createStdioPartner } from '../../fixtures/partners.ts';
import { describeMatrix, type MatrixPartner } from './describeMatrix.ts';
import type { Revision } from './feature.ts';

describeMatrix('stdio', [
  ...handshakeRevisions.flatMap((revision) => [sdk('1', revision), sdk('2', revision)]),
  sdk('2', '2026-07-28'),
  {
    name: 'no SDK',
    revision: '2026-07-28',
    offers: isAboutTasks,
    open: async () => createStdioPartner('rawServer.mjs', ['--revision=2026-07-28'], '2026-07-28'),
  },
]);

function sdk(version: string, revision: Revision): MatrixPartner {
  return {
    name: `SDK ${version}`,
    revision,
    offers: (feature) => version === '1' || !isAboutTasks(feature),
    open: async () => createStdioPartner('partnerServer.mjs', [`--sdk=${version}`, `--revision=${revision}`], revision),
  };
}

function isAboutTasks(feature: string): boolean {
  return feature.includes('task');
}
