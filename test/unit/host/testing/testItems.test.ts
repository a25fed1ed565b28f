import { expect, it } from 'vitest';
import type { TestItem } from 'vscode';
import { TestItems } from '../../../../src/host/testing/testItems.ts';
import type { TestSource } from '../../../../src/host/testing/testSource.ts';

/** What VS Code keeps of items. */
class Collection extends Map<string, TestItem> {
  add(item: TestItem): void {
    this.set(item.id, item);
  }
}

it('says at each group how many checks below it have a warning, as these count as passed', () => {
  const root = new Collection();
  const create = (id: string, label: string) => ({ id, label, children: new Collection() }) as unknown as TestItem;
  const items = new TestItems(root as never, create);
  const source = { id: 'own', label: 'Own checks' } as TestSource;
  const inGroup = (id: string, group: string) => {
    const groups = [
      { id: 'notes', label: 'notes' },
      { id: group, label: group },
    ];
    return items.add(source, { id, label: id, groups });
  };
  const [lists, ids, suite] = [inGroup('lists', 'own'), inGroup('ids', 'own'), inGroup('ping', 'suite')];
  items.setVerdict(lists, 'warning');
  items.setVerdict(ids, 'note');
  items.setVerdict(suite, 'warning');
  items.showWarnings();
  const notes = root.get('group:notes');
  const described = () =>
    [notes, notes?.children.get('group:own'), notes?.children.get('group:suite')].map((item) => item?.description);
  expect(described()).toEqual(['2 warnings', '1 warning', '1 warning']);
  items.setVerdict(suite, 'passed');
  items.showWarnings();
  expect(described()).toEqual(['1 warning', '1 warning', '']);
});
