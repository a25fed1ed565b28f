import type { Uri } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { singleLine, momentOf } from '../platform/displayText.ts';
import { showDifference } from '../platform/documents.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import type { WholePastCall } from './callRecord.ts';
import { comparisonText } from './compareResultsText.ts';

/** One side of a comparison. */
export type ComparedCall = Pick<WholePastCall, 'tool' | 'at' | 'answer'>;

/** Shows the results of two calls side by side in VS Code's own diff editor. */
export interface ResultComparison extends Disposable {
  /** The earlier call is on the left, whichever is given first. */
  show(one: ComparedCall, other: ComparedCall): Promise<void>;
}

/** Registers the documents that are compared; they are forgotten with their editor. */
export function createResultComparison(): ResultComparison {
  const missingText = 'This comparison was closed. Compare the results again.\n';
  const documents = createTextDocuments({ scheme: 'patchbay-comparison', missingText });
  let count = 0;
  const add = ({ tool, answer }: ComparedCall, side: string): Uri => {
    count += 1;
    return documents.set(`${tabName(tool)}, ${side}.json`, String(count), comparisonText(answer));
  };
  return {
    async show(one, other) {
      const [earlier, later] = one.at <= other.at ? [one, other] : [other, one];
      const title = `${singleLine(later.tool, 60)}: ${momentOf(earlier.at)} ↔ ${momentOf(later.at)}`;
      await showDifference(add(earlier, 'earlier'), add(later, 'later'), title);
    },
    dispose: () => documents.dispose(),
  };
}
