import { join } from 'node:path';
import type { ActivationTimes } from '../../ui/companion/measurements.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { copyPatchbay, ids, writeIdleExtension } from './extensions.ts';
import { type EditorRow, patchbayRow, startServer } from './patchbayWindow.ts';
import { timeFromReload } from './pageClock.ts';

const rounds = 9;
const memoryRounds = 3;
/** The ratio to an extension that does nothing. */
const budget = 1.5;

type Measured = keyof typeof ids;

/** The extensions in another order each round: whichever is first finds the extension host in another state. */
function turns(round: number): readonly Measured[] {
  const names = Object.keys(ids) as Measured[];
  return [...names.slice(round % names.length), ...names.slice(0, round % names.length)];
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
      for (const name of turns(round)) await window.companion.activate(ids[name]);
      // At the end, as it opens an editor.
      for (const name of turns(round)) times[name].push(...(await window.companion.activationTimes([ids[name]])));
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
