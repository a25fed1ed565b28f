import { ThemeColor, ThemeIcon } from 'vscode';

/** A codicon and a theme colour, by their ids. */
export interface IconId {
  readonly id: string;
  readonly color?: string;
}

/** An icon of the editor's icon theme, for tree rows and quick picks. */
export function toThemeIcon({ id, color }: IconId): ThemeIcon {
  return new ThemeIcon(id, color === undefined ? undefined : new ThemeColor(color));
}
