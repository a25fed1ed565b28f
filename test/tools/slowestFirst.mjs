// @ts-check
import { BaseSequencer } from 'vitest/node';

/**
 * Files that take a minute and more. One that starts last would run alone at the end, with a core that has nothing to do.
 */
const slow = [
  'ui/hostileKeyboard',
  'ui/links',
  'ui/signIn',
  'ui/development',
  'ui/steps',
  'ui/toolForms',
  'webview/appearance',
  'ui/addresses',
  'ui/mainJob',
  'ui/sidebar',
  'ui/publishedApps',
  'ui/unattended',
  'ui/tool',
  'ui/apps',
  'ui/rules',
  'process/faults/stdio',
];

/** Runs the files that take longest first. vitest itself knows only how long they took in earlier runs on this machine. */
export class SlowestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} specifications
   */
  async sort(specifications) {
    /** @param {import('vitest/node').TestSpecification} specification */
    const rank = ({ moduleId }) => {
      const index = slow.findIndex((path) => moduleId.endsWith(`/test/${path}.test.ts`));
      return index === -1 ? slow.length : index;
    };
    return specifications.toSorted((one, other) => rank(one) - rank(other));
  }
}
