import { handshakeRevisions } from '../../../src/protocol/revisions/revision.ts';
import { createStdioPartner } from '../../fixtures/partners.ts';
import { describeMatrix, type MatrixPartner } from './describeMatrix.ts';
import type { Revision } from './feature.ts';

describeMatrix('stdio', [
  ...handshakeRevisions.flatMap((revision) => [partner('1', revision), partner('2', revision)]),
  partner('2', '2026-07-28'),
]);

function partner(sdk: string, revision: Revision): MatrixPartner {
  return {
    name: `SDK ${sdk}`,
    revision,
    open: async () => createStdioPartner('partnerServer.mjs', [`--sdk=${sdk}`, `--revision=${revision}`], revision),
  };
}
