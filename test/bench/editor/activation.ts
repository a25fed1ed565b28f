import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ActivationTimes } from '../../ui/companion/measurements.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { copyPatchbay, ids, writeIdleExtension } from './extensions.ts';
import { type EditorRow, patchbayRow, startServer } from './patchbayWindow.ts';
import { timeFromReload } from './pageClock.ts';

/** Even, so that each of two is first as often as the other. */
const rounds = 10;
/** A window that has loaded, and an extension that is active, go on with other work for a while. */
const restMs = 2_000;
const memoryRounds = 3;
/** The ratio to an extension that does nothing. */
const budget = 1.5;

type Measured = keyof typeof ids;

/**
 * Patchbay and its floor take turns in being first. The third comes last in each round: it starts a process, which takes time
 * from what follows.
 */
function turns(round: number): readonly Measured[] {
  return round % 2 === 0 ? ['patchbay', 'idle', 'json'] : ['idle', 'patchbay', 'json'];
}

/**
 * Activation alone, and the memory it keeps, in windows that have loaded completely.
 * @param folder for the extensions
 */
export async function measureAtRest(workspace: string, folder: string): Promise<EditorRow[]> {
  const patchbay = await copyPatchbay(join(folder, 'waiting'), true);
  const idle = join(folder, 'idle');
  await writeIdleExtension(idle);
  const window = await openVSCode({
    workspace,
    companion: true,
    extension: { kind: 'development', path: patchbay.folder },
    installed: [idle],
  });
  try {
    const times = createTimes();
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await window.reload();
      for (const name of turns(round)) {
        await pause(restMs);
        await window.companion.activate(ids[name]);
      }
      // At the end, as it opens an editor.
      const measured = await window.companion.activationTimes([ids.patchbay, ids.idle, ids.json]);
      times.patchbay.push(measured[0]);
      times.idle.push(measured[1]);
      times.json.push(measured[2]);
    }
    return [...activationRows('in a window at rest', times), ...(await measureMemory(window))];
  } finally {
    await window.close();
  }
}

async function measureMemory(window: Workbench): Promise<EditorRow[]> {
  const steps = new Map<string, number[]>();
  const weigh = async (step: string, from: number): Promise<number> => {
    const { heap } = await window.companion.memory();
    steps.set(step, [...(steps.get(step) ?? []), (heap - from) / 1e6]);
    return heap;
  };
  for (let round = 0; round < memoryRounds; round += 1) {
    await window.reload();
    // The first call loads the code that measures.
    await window.companion.memory();
    const before = await weigh('extension host before activation', 0);
    await window.companion.activate(ids.patchbay);
    const active = await weigh('activation adds', before);
    await startServer(window, 'few', round === 0);
    const running = await weigh('a running server of 10 tools and prompts adds', active);
    await startServer(window, 'many', round === 0);
    await weigh('one of 10,000 tools and prompts adds', running);
  }
  return [...steps].map(([step, samples]) => ({ title: `memory: ${step}`, unit: 'MB' as const, samples }));
}

/**
 * Activation while the window loads, with Patchbay's view and a JSON file open. Every other time the window loads code that
 * does nothing, with Patchbay's manifest.
 * @param folder for the extension
 */
export async function measureAtStart(workspace: string, folder: string): Promise<EditorRow[]> {
  const patchbay = await copyPatchbay(join(folder, 'starting'), false);
  const window = await openVSCode({
    workspace,
    companion: true,
    extension: { kind: 'development', path: patchbay.folder },
  });
  try {
    await window.sidebar.open();
    await window.page.keyboard.press('ControlOrMeta+p');
    await window.quickInput.choose('data.json');
    const times = createTimes();
    const filled: number[] = [];
    for (let turn = 0; turn < rounds * 2; turn += 1) {
      const code = turn % 2 === 0 ? 'patchbay' : 'idle';
      await patchbay.use(code);
      if (code === 'patchbay') filled.push(await timeFromReload(window, patchbayRow('many')));
      else await window.reload();
      await window.waitUntilReady();
      const [own, json] = await window.companion.activationTimes([ids.patchbay, ids.json]);
      times[code].push(own);
      times.json.push(json);
    }
    return [
      ...activationRows('while a window starts', times),
      {
        title: 'activation while a window starts: configuration read',
        unit: 'ms',
        samples: times.patchbay.map(({ finish }) => finish),
      },
      { title: 'from nothing to a window with the sidebar filled', unit: 'ms', samples: filled },
    ];
  } finally {
    await window.close();
  }
}

function createTimes(): Record<Measured, ActivationTimes[]> {
  return { patchbay: [], idle: [], json: [] };
}

function activationRows(when: string, { patchbay, idle, json }: Record<Measured, ActivationTimes[]>): EditorRow[] {
  const callTimes = (times: readonly ActivationTimes[]): number[] => times.map(({ load, call }) => load + call);
  const loadTimes = (times: readonly ActivationTimes[]): number[] => times.map(({ load }) => load);
  const title = `activation ${when}`;
  return [
    { title: `${title}: code loaded`, unit: 'ms', samples: loadTimes(patchbay), floor: loadTimes(idle) },
    {
      title: `${title}: code loaded, activate() called`,
      unit: 'ms',
      samples: callTimes(patchbay),
      floor: callTimes(idle),
      budget,
    },
    {
      title: `${title}: the same of json-language-features`,
      unit: 'ms',
      samples: callTimes(json),
      floor: callTimes(idle),
    },
  ];
}
