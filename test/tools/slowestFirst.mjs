// @ts-check
import { BaseSequencer } from 'vitest/node';

/**
 * Files that take a minute and more. One that starts last would run alone at the end, with a core that has nothing to do.
 */
const slow = [
  'ui/signIn',
  'ui/steps',
  'ui/mainJob',
  'ui/sidebar',
  'ui/links',
  'ui/tool',
  'ui/hostileKeyboard',
  'ui/startAll',
  'ui/unattended',
  'ui/apps',
  'ui/sampling',
  'webview/appearance',
  'ui/rules',
  'ui/toolForms',
  'ui/rows',
  'ui/debug',
  'ui/addresses',
  'ui/models',
  'ui/approvals',
  'ui/hostileApps',
  'ui/manageServers',
  'ui/publishedApps',
  'ui/tasks',
  'process/workshop/suite',
  'process/cli/cli',
  'process/workshop/ownChecks',
  'process/hostileServer',
  'process/fuzz',
  'process/faults/stdio',
  'process/negotiation',
  'process/replayRevisions',
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
