import type { Fact } from './fact.ts';
import type { ItemMarks } from './itemMarks.ts';
import type { ItemNode } from './serverNodes.ts';

/** What a mark means, for the tooltip of its row. */
export function markFacts(node: ItemNode, marks: ItemMarks): readonly Fact[] {
  const mark = marks.of(node);
  if (mark === 'new') return [{ name: 'New', text: 'since you last looked at this list' }];
  const change = marks.changeOf(node);
  if (change === undefined) return [];
  const members = new Set(change.difference.changes.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ''));
  const what = members.size === 0 ? 'its definition' : [...members].join(', ');
  return [{ name: 'Changed since you last used it', text: `${what}. It asks before it is used again.` }];
}
