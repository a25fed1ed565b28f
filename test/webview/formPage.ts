import type { Page } from 'playwright-core';
import { beforeEach, expect } from 'vitest';
import type { JsonObject, UnknownRecord } from '../../src/base/json.ts';
import type { SchemaProblem } from '../../src/base/schemaCheck.ts';
import type { FormHarness, PassedThrough } from './formHarness.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

/** A form in the browser. Everything crosses as JSON text, so that `__proto__` is a key like any other. */
export type FormPage = Awaited<ReturnType<typeof openForm>>;

/** What each test of a file has: see {@link openFormForEach}. */
export let panel: PanelPage;
export let page: Page;
export let form: FormPage;

/** Opens a page with a form before each test of the file. */
export function openFormForEach(): void {
  const panels = usePanels();
  beforeEach(async () => {
    panel = await panels.open('form', { width: 700 });
    ({ page } = panel);
    form = await openForm(panel);
  });
}

/** Loads the page of the test. */
export async function openForm(opened: PanelPage) {
  await opened.load();
  const call = async <T>(run: string, ...args: readonly unknown[]): Promise<T> => {
    const text = await opened.page.evaluate(`((...args) => JSON.stringify((${run})(...args)) ?? 'null')(
      ...JSON.parse(${JSON.stringify(JSON.stringify(args))}))`);
    return JSON.parse(String(text)) as T;
  };
  const on = <T = void>(member: keyof FormHarness, ...args: readonly unknown[]): Promise<T> =>
    call<T>(`(...args) => harness.${member}(...args)`, ...args);
  const value = (): Promise<JsonObject> => call('() => harness.value');
  return {
    mount: (schema: UnknownRecord, given: JsonObject = {}, hasHelp = false) => on('mount', schema, given, hasHelp),
    value,
    setValue: (next: JsonObject) => on('setValue', next),
    showProblems: (...problems: readonly SchemaProblem[]) => on<unknown>('showProblems', problems),
    inputProblems: () => on<unknown>('inputProblems'),
    goTo: (index: number) => on('goTo', index),
    focusProblem: () => on('focusProblem'),
    passThrough: (schema: UnknownRecord, given: JsonObject) => on<PassedThrough>('passThrough', schema, given),
    async expectValue(expected: JsonObject) {
      await expect.poll(async () => JSON.stringify(await value())).toBe(JSON.stringify(expected));
    },
    /** The last that screen readers were told. */
    said: () => call<string | undefined>('() => harness.said.at(-1)'),
    fills: () => call<unknown>('() => harness.fills'),
    /** How often the value has changed. */
    changes: () => call<number>('() => harness.changes.length'),
    /** The name of what has the focus, as screen readers give it. */
    focused: () => focusedName(opened.page),
  };
}

async function focusedName(shown: Page): Promise<string> {
  const focus = shown.locator(':focus');
  if ((await focus.count()) === 0) return 'BODY';
  const snapshot = await focus.first().ariaSnapshot();
  return snapshot.split('\n')[0] ?? '';
}
