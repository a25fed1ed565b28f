import { afterEach } from 'vitest';
import type { Workbench } from './workbench.ts';

/** Takes a picture of the window after each test of the suite that failed, named after the test. */
export function pictureFailures(window: () => Workbench | undefined): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await window()?.screenshot(`failed-${task.name.replace(/\W+/g, '-').slice(0, 80)}`);
  });
}
