import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../src/base/logger.ts';
import { createHeadlessHost, type HeadlessHost } from '../../../src/headless.ts';
import type { Partner } from '../../fixtures/partners.ts';
import type { Answers, Bench, Feature, Revision, TransportName } from './feature.ts';
import { baseFeatures, closingFeatures } from './features/base.ts';
import { httpFeatures } from './features/http.ts';
import { promptFeatures } from './features/prompts.ts';
import { requestFeatures } from './features/requests.ts';
import { resourceFeatures } from './features/resources.ts';
import { taskFeatures } from './features/tasks.ts';
import { toolFeatures } from './features/tools.ts';

const features = [
  ...baseFeatures,
  ...toolFeatures,
  ...resourceFeatures,
  ...promptFeatures,
  ...requestFeatures,
  ...taskFeatures,
  ...httpFeatures,
  ...closingFeatures,
];

/** A server that is tested with every feature of its revision and transport. */
export interface MatrixPartner {
  /** Who made it. */
  readonly name: string;
  readonly revision: Revision;
  readonly open: () => Promise<Partner>;
  /** Whether it offers a feature; it offers all where absent. */
  readonly offers?: (feature: string) => boolean;
}

/** One column for each revision; a cell that no partner fills is a failed test. */
export function describeMatrix(transport: TransportName, partners: readonly MatrixPartner[]): void {
  const revisions = [...new Set(partners.map(({ revision }) => revision))];
  describe.each(revisions)(`${transport} | %s`, (revision) => {
    const defined = features.filter((feature) => isDefined(feature, revision, transport));
    const column = partners.filter((partner) => partner.revision === revision);
    describe.each(column.map((partner) => [partner.name, partner] as const))('%s', (_name, partner) => {
      describePartner(
        transport,
        partner,
        defined.filter(({ name }) => partner.offers?.(name) !== false),
      );
    });
    const empty = defined.filter(({ name }) => column.every(({ offers }) => offers?.(name) === false));
    it('leaves nothing out that is defined', () => expect(empty).toEqual([]));
  });
}

function isDefined({ since, until, transports }: Feature, revision: Revision, transport: TransportName): boolean {
  const isOfItsTime = (since ?? revision) <= revision && revision <= (until ?? revision);
  return isOfItsTime && transports?.includes(transport) !== false;
}

function describePartner(
  transport: TransportName,
  { revision, open }: MatrixPartner,
  offered: readonly Feature[],
): void {
  let bench: Bench | undefined;

  beforeAll(async () => {
    bench = await createBench(transport, revision, await open());
    await bench.server.start();
  });

  afterEach(() => void vi.restoreAllMocks());

  afterAll(async () => {
    await bench?.host.dispose();
    await bench?.partner.close();
  });

  for (const { name, shows, run } of offered) {
    const tags = shows.map((id) => `[${id}]`).join(' ');
    it(`${name} ${tags}`, () => run(bench ?? expect.unreachable('the server did not start')));
  }
}

async function createBench(transport: TransportName, revision: Revision, partner: Partner): Promise<Bench> {
  const logs: LogEntry[] = [];
  const answers: Answers = {
    onSampling: () =>
      Promise.resolve({
        role: 'assistant',
        content: { type: 'text', text: 'yes' },
        model: 'a model',
        stopReason: 'endTurn',
      }),
    onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
  };
  const host: HeadlessHost = createHeadlessHost({
    servers: { partner: partner.definition },
    onSampling: (...asked) => answers.onSampling(...asked),
    onElicitation: (...asked) => answers.onElicitation(...asked),
    onLog: (entry) => logs.push(entry),
  });
  const server = host.getServer('partner') ?? expect.unreachable('no server');
  return { transport, revision, partner, logs, answers, host, server };
}
