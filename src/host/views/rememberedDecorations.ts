import { type Disposable, type FileDecoration, ThemeColor, Uri, window } from 'vscode';

const scheme = 'patchbay-remembered';

/** The resource of every row that shows what was seen last time; it stands for nothing else. */
export const rememberedUri = Uri.from({ scheme, path: '/contents' });

/** Draws rows with {@link rememberedUri} in the colour of disabled text. */
export function registerRememberedDecorations(): Disposable {
  const decoration: FileDecoration = { color: new ThemeColor('disabledForeground') };
  return window.registerFileDecorationProvider({
    provideFileDecoration: (uri) => (uri.scheme === scheme ? decoration : undefined),
  });
}
