import { createHttpPartner } from '../../fixtures/partners.ts';
import { serveRawOverHttp } from '../../fixtures/servers/partner/raw.mjs';
import { serveSdk1OverHttp } from '../../fixtures/servers/partner/sdk1.mjs';
import { serveSdk2OverHttp } from '../../fixtures/servers/partner/sdk2.mjs';
import { createTestSocket, type TestSocket } from '../../fixtures/testSocket.ts';
import { describeMatrix, type MatrixPartner } from './describeMatrix.ts';
import { isAboutTasks, type Revision } from './feature.ts';

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;

describeMatrix('Streamable HTTP', [
  ...sessionRevisions.flatMap((revision) => [sdk1(revision), sdk2(revision)]),
  sdk2('2026-07-28'),
  overSocket(sdk1, '2025-11-25'),
  overSocket(sdk2, '2026-07-28'),
  raw('2025-03-26', (feature) => feature === 'batches'),
  raw('2026-07-28', isAboutTasks),
]);

function sdk1(revision: Revision, socket?: TestSocket): MatrixPartner {
  return {
    name: 'SDK 1',
    revision,
    offers: (feature) => feature !== 'batches',
    open: async () => createHttpPartner(await serveSdk1OverHttp(revision, socket)),
  };
}

function sdk2(revision: Revision, socket?: TestSocket): MatrixPartner {
  return {
    name: 'SDK 2',
    revision,
    offers: (feature) => feature !== 'batches' && !isAboutTasks(feature),
    open: async () => createHttpPartner(await serveSdk2OverHttp(revision, socket)),
  };
}

function overSocket(create: typeof sdk1, revision: Revision): MatrixPartner {
  const partner = create(revision, createTestSocket());
  return { ...partner, name: `${partner.name} on a socket` };
}

function raw(revision: Revision, offers: (feature: string) => boolean): MatrixPartner {
  return {
    name: 'no SDK',
    revision,
    offers,
    open: async () => createHttpPartner(await serveRawOverHttp({ revision, batches: offers('batches') })),
  };
}
