import { afterAll } from 'vitest';
import {
  type EndpointRequest,
  type EndpointScript,
  type ScriptedAnswer,
  startModelEndpoint,
} from '../../fixtures/servers/modelEndpoint.mjs';
import type { OpenOptions } from './editorServer.ts';
import { useWindow } from './useWindow.ts';

/** A model endpoint on this machine. */
export interface TestModel {
  /** What a person enters as its address. */
  readonly address: string;
  /** Host and port, as they are shown. */
  readonly host: string;
  /** What models were asked, the first one first. */
  readonly asked: readonly EndpointRequest[];
  /** How the next request is answered, and those after it until this is called again. */
  answerNext(answer: ScriptedAnswer): void;
  stop(): Promise<void>;
}

/** @param port a free one unless given */
export async function startTestModel(script: Omit<EndpointScript, 'answers'> = {}, port?: number): Promise<TestModel> {
  const answers: ScriptedAnswer[] = [{ pieces: ['ready'] }];
  const { key } = script;
  const running = await startModelEndpoint({ ...script, answers }, port === undefined ? {} : { port });
  const asked = (): EndpointRequest[] =>
    running.requests.filter(({ method, headers }) => {
      const isLetIn = key === undefined || headers.authorization === `Bearer ${key}`;
      return method === 'POST' && isLetIn;
    });
  return {
    address: `${running.origin}/v1`,
    host: new URL(running.origin).host,
    get asked() {
      return asked();
    },
    answerNext(answer) {
      const next = asked().length;
      // Those that were skipped have been answered.
      while (answers.length < next) answers.push(answer);
      answers.splice(next, answers.length, answer);
    },
    stop: () => running.stop(),
  };
}

/** The model of the window that {@link useModelWindow} opens. */
export let model: TestModel;

/**
 * Opens a window as {@link useWindow} does, with one model that Patchbay knows: a local endpoint that needs no account, and stops
 * after the suite.
 * @param options called once, when `model` is there
 * @param name of the model
 */
export function useModelWindow(
  options: () => OpenOptions | Promise<OpenOptions>,
  prepare?: () => Promise<unknown>,
  name = 'Test Model',
): void {
  let started: TestModel | undefined;
  afterAll(() => started?.stop());
  useWindow(async () => {
    model = started = await startTestModel();
    const { settings, ...others } = await options();
    return { ...others, settings: { ...settings, 'patchbay.models': [modelEntry(model, name)] } };
  }, prepare);
}

/** An entry of the setting `patchbay.models`. */
function modelEntry({ address }: Pick<TestModel, 'address'>, name: string): Readonly<Record<string, unknown>> {
  const id = name.toLowerCase().replaceAll(/\W+/g, '-');
  return { id, name, api: 'openai-chat', baseUrl: address, model: 'test-model', price: { input: 3, output: 15 } };
}
