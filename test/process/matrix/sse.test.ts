import { handshakeRevisions } from '../../../src/protocol/session/revision.ts';
import { createHttpPartner } from '../../fixtures/partners.ts';
import { serveSdk1OverSse } from '../../fixtures/servers/partner/sdk1.mjs';
import { createTestSocket } from '../../fixtures/testSocket.ts';
import { describeMatrix } from './describeMatrix.ts';

// Only 2024-11-05 defines this transport, but servers use it with later revisions too.
describeMatrix('HTTP+SSE', [
  ...handshakeRevisions.map((revision) => ({
    name: 'SDK 1',
    revision,
    open: async () => createHttpPartner(await serveSdk1OverSse(revision), 'sse'),
  })),
  {
    name: 'SDK 1 on a socket',
    revision: '2024-11-05',
    open: async () => createHttpPartner(await serveSdk1OverSse('2024-11-05', createTestSocket()), 'sse'),
  },
]);
