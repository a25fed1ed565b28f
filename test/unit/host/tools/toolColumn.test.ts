import type { Uri as EditorUri } from 'vscode';
import { expect, it } from 'vitest';
import { columnBesideApp } from '../../../../src/host/tools/toolColumn.ts';
import { TabInputCustom, TabInputWebview, Uri, ViewColumn, window } from '../../../fixtures/vscode.ts';

const uri = Uri.file('/add') as unknown as EditorUri;
const app = { input: new TabInputWebview('mainThreadWebview-patchbay.app') };
const tool = { input: new TabInputCustom(uri, 'patchbay.tool') };
const other = { input: new TabInputWebview('mainThreadWebview-other.app') };

it.each([
  ['in the active group, if that has no app', [[other]], 1, undefined],
  ['in the other group, if an app has the focus', [[other], [app]], 2, 1],
  ['where it is open already, if that is not beside', [[app], [other], [tool]], 1, 3],
  ['in a new group, if there is nothing but the app', [[app, tool]], 1, ViewColumn.Beside],
])('the form of a tool is opened %s', (_where, groups, active, expected) => {
  const all = groups.map((tabs, index) => ({ tabs, activeTab: tabs[0], viewColumn: index + 1 }));
  Object.assign(window, { tabGroups: { all, activeTabGroup: all[active - 1] } });
  expect(columnBesideApp(uri)).toBe(expected);
});
