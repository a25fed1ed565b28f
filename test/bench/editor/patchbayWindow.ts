import type { Workbench } from '../../ui/driver/workbench.ts';
import type { Sight } from './pageClock.ts';

/** One line of the table. */
export interface EditorRow {
  readonly title: string;
  readonly unit: 'ms' | 'MB' | 'a second';
  readonly samples: readonly number[];
  /** The same without Patchbay's own work, measured in turns with it in the same window. */
  readonly floor?: readonly number[];
  /** The maximum of the ratio to the floor; of the median where there is no floor. */
  readonly budget?: number;
}

/** The selector of a view container in the sidebar. */
export const viewOf = (container: string): string => `.part.sidebar [id="workbench.view.extension.${container}"]`;

export const patchbayView = viewOf('patchbay');

/** A row of Patchbay's view. */
export const patchbayRow = (text: string): Sight => ({ selector: `${patchbayView} [role="treeitem"]`, text });

/** Starts a server. @param isFirst whether Patchbay asks for trust */
export async function startServer({ companion, dialogs }: Workbench, server: string, isFirst: boolean): Promise<void> {
  const called = companion.callTool({ server, tool: 'tool-0' });
  if (isFirst) await dialogs.press('Start');
  await dialogs.press('Call');
  const outcome = await called;
  if (outcome.kind === 'error') throw new Error(outcome.message);
}
