import { beforeEach, describe, expect, it } from 'vitest';
import { emptyContents } from '../../../../src/client/contents.ts';
import { AppAnswers } from '../../../../src/host/apps/appAnswers.ts';
import { type AppQuestion, loadApp } from '../../../../src/host/apps/appLoader.ts';
import type { AppParts } from '../../../../src/host/apps/appPorts.ts';
import type { LoadedApp } from '../../../../src/host/apps/appRun.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

const target = { server: 'weather', tool: 'map', occurrence: 0 };
const uri = 'ui://weather/map';
let html = '';
let asked: AppQuestion[] = [];
let answer = true;

/** Loads the app of a server that runs. */
function setUp() {
  const answers = new AppAnswers(sampleState());
  const tool = { name: 'map', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } };
  const server = {
    identity: 'one',
    state: { kind: 'running' },
    contents: { ...emptyContents, tools: [tool] },
    listState: () => ({ isLoading: false }),
    preflight: async () => {},
    readResource: async () => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] }),
  };
  const host = { label: 'weather', server };
  const parts = {
    registry: { servers: [host], get: () => host },
    clock: createManualClock(),
    answers,
    audit: { record: () => {} },
    tap: () => ({ message: () => {} }),
  } as unknown as AppParts;
  const ask = async (question: AppQuestion): Promise<boolean> => {
    asked.push(question);
    return answer;
  };
  const load = (wantsCode?: boolean): Promise<LoadedApp> =>
    loadApp(target, parts, ask, new AbortController().signal, wantsCode);
  return { load, answers };
}

beforeEach(() => {
  html = '<p>one';
  asked = [];
  answer = true;
  editor.settings['apps.enabled'] = true;
  editor.defaults['apps.enabled'] = true;
});

describe('an app that makes code', () => {
  it('may not, and is not asked about, before the person wants to be asked', async () => {
    const { load } = setUp();
    expect(await load()).toMatchObject({ evaluates: false, isAnsweredOnCode: false, notices: [] });
    expect(asked).toEqual([]);
  });

  it('may after a yes, as it is now: a changed one is asked about again, and a yes can be taken back', async () => {
    const { load, answers } = setUp();
    expect(await load(true)).toMatchObject({ evaluates: true, isAnsweredOnCode: true });
    const { answerIds } = await load();
    expect(asked).toMatchObject([{ isCode: true, isChanged: false, refused: [] }]);
    html = '<p>two';
    expect(await load()).toMatchObject({ evaluates: false, isAnsweredOnCode: false });
    await load(true);
    expect(asked[1]).toMatchObject({ isCode: true, isChanged: true });
    for (const id of answerIds) await answers.revoke(id);
    expect(await load()).toMatchObject({ evaluates: false, isAnsweredOnCode: false });
  });

  it('is shown without after a no, says so, and is not offered it again by itself', async () => {
    const { load } = setUp();
    answer = false;
    await load(true);
    const notices = ['Run generated code: from text, as WebAssembly, in workers'];
    expect(await load(true)).toMatchObject({ evaluates: false, isAnsweredOnCode: true, notices });
    expect(asked).toHaveLength(1);
  });

  it('may without a question where the person lets all apps', async () => {
    editor.settings['apps.evaluation'] = true;
    expect(await setUp().load(true)).toMatchObject({ evaluates: true, isAnsweredOnCode: true });
    expect(asked).toEqual([]);
  });

  it('may not after a no to it, also where the person lets all apps', async () => {
    const { load } = setUp();
    answer = false;
    await load(true);
    editor.settings['apps.evaluation'] = true;
    expect(await load()).toMatchObject({ evaluates: false, isAnsweredOnCode: true });
  });
});
