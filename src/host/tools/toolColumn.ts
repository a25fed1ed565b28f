import { type Tab, TabInputCustom, TabInputWebview, type Uri, ViewColumn, window } from 'vscode';

/**
 * Where the tab of a tool is opened while an app has the focus: beside it, where the tool is open already or something else is. Over the
 * app, the form would hide what its calls change. @returns `undefined` for the active group
 */
export function columnBesideApp(uri: Uri): ViewColumn | undefined {
  const { activeTabGroup, all } = window.tabGroups;
  const { input } = activeTabGroup.activeTab ?? {};
  if (!(input instanceof TabInputWebview) || !input.viewType.endsWith('patchbay.app')) return undefined;
  const others = all.filter(({ viewColumn }) => viewColumn !== activeTabGroup.viewColumn);
  const shows = ({ input: shown }: Tab): boolean =>
    shown instanceof TabInputCustom && shown.uri.toString() === uri.toString();
  return (others.find(({ tabs }) => tabs.some(shows)) ?? others[0])?.viewColumn ?? ViewColumn.Beside;
}
