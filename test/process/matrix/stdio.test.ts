import { handshakeRevisions } from '../../../src/protocol/session/revision.ts';
import { createStdioPartner } from '../../fixtures/partners.ts';
import { describeMatrix, type MatrixPartner } from './describeMatrix.ts';
import { isAboutTasks, type Revision } from './feature.ts';

describeMatrix('stdio', [
  ...handshakeRevisions.flatMap((revision) => [sdk('1', revision), sdk('2', revision)]),
  sdk('2', '2026-07-28'),
  raw('2025-03-26', (feature) => feature === 'batches', ['--batches']),
  raw('2026-07-28', isAboutTasks),
]);

function sdk(version: string, revision: Revision): MatrixPartner {
  return {
    name: `SDK ${version}`,
    revision,
    offers: (feature) => feature !== 'batches' && (version === '1' || !isAboutTasks(feature)),
    open: async () => createStdioPartner('partnerServer.mjs', [`--sdk=${version}`, `--revision=${revision}`], revision),
  };
}

function raw(revision: Revision, offers: (feature: string) => boolean, flags: readonly string[] = []): MatrixPartner {
  return {
    name: 'no SDK',
    revision,
    offers,
    open: async () => createStdioPartner('rawServer.mjs', [`--revision=${revision}`, ...flags], revision),
  };
}
