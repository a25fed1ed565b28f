import { Uri } from 'vscode';
import { expect, it, onTestFinished } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createDiagnosisPages } from '../../../../src/host/diagnosis/diagnosisPages.ts';
import type { FactsToPanel } from '../../../../src/shared/factsMessages.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';

const error = new PatchbayError('spawnFailed', 'The server could not be started: it is missing.');
const broken = sampleServer('broken', { state: { kind: 'failed', error } });

function shown(): FactsToPanel {
  const panel = editor.panels.at(-1);
  panel?.said.fire({ type: 'ready' });
  return panel?.posted.at(-1) as FactsToPanel;
}

it('offers nothing that needs a server which is removed while the page is open, and all of it once it is back', async () => {
  const servers = [broken];
  const changed = new Emitter<void>();
  const registry = Object.assign(sampleRegistry(), {
    get: () => servers[0],
    onDidChangeServers: changed.event,
  });
  const given = { launched: () => undefined, clock: createManualClock() };
  const pages = createDiagnosisPages(Uri.file('/extension'), {} as never, given as never, registry, () => []);
  onTestFinished(() => pages.dispose());
  await pages.commands['patchbay.showWhy']('broken');
  const labels = (): readonly string[] => {
    const { view } = shown();
    const parts = [view.summary, view, ...view.sections];
    return parts.flatMap((part) => part?.actions?.map(({ label }) => label) ?? []);
  };
  const all = ['Open Configuration', 'Show Log', 'Start', 'Diagnose', 'Copy as Text'];
  expect(labels()).toEqual(all);
  const gone = servers.splice(0);
  changed.fire();
  expect(labels()).toEqual(['Copy as Text']);
  expect(shown().view.lead).toBe('This server is no longer configured.');
  servers.push(...gone);
  changed.fire();
  expect(labels()).toEqual(all);
});
