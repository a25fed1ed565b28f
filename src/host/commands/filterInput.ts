import { window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServersView } from '../views/serversView.ts';

/** Narrows the servers view while a person types. Enter keeps the filter, Escape brings back the one before. */
export function askFilter(view: ServersView): void {
  const store = new DisposableStore();
  const before = view.filter;
  let isAccepted = false;
  const input = store.add(window.createInputBox());
  input.title = 'Filter Servers and Contents';
  input.placeholder = 'Words in names, titles, descriptions or URIs';
  input.value = before;
  store.add(input.onDidChangeValue((value) => view.setFilter(value)));
  store.add(
    input.onDidAccept(() => {
      isAccepted = true;
      input.hide();
    }),
  );
  store.add(
    input.onDidHide(() => {
      if (!isAccepted) view.setFilter(before);
      store.dispose();
    }),
  );
  input.show();
}
