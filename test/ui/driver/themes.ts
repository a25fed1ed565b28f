import { cases } from '../../fixtures/cases.ts';
import { oldestVersion } from '../../tools/vscodeHost/versions.mjs';

/** The four kinds of colour theme that VS Code has. */
export type ColorTheme = 'light' | 'dark' | 'hc-light' | 'hc-black';

/** Those in which a test looks at a view: one of each contrast, or all. */
export const themes: readonly ColorTheme[] = cases(['dark', 'hc-light'], ['dark', 'light', 'hc-black', 'hc-light']);

/** The name of VS Code's own theme of a kind, as the setting `workbench.colorTheme` takes it in a version. */
export function themeName(theme: ColorTheme, version: string): string {
  switch (theme) {
    case 'light':
      return version === oldestVersion ? 'Default Light Modern' : 'Light Modern';
    case 'dark':
      return version === oldestVersion ? 'Default Dark Modern' : 'Dark Modern';
    case 'hc-light':
      return 'Default High Contrast Light';
    case 'hc-black':
      return 'Default High Contrast';
  }
}

/** What the list of themes calls them; the same in every version. */
export const themeLabels: Readonly<Record<ColorTheme, string>> = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  'hc-light': 'Light High Contrast',
  'hc-black': 'Dark High Contrast',
};

/** The class VS Code gives its window for a kind of theme. */
export const themeClasses: Readonly<Record<ColorTheme, string>> = {
  light: 'vs',
  dark: 'vs-dark',
  'hc-light': 'hc-light',
  'hc-black': 'hc-black',
};
