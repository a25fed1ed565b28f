import { ThemeColor, ThemeIcon } from 'vscode';

export interface IconId {
  readonly id: string;
  readonly color?: string;
}

export function toThemeIcon({ id, color }: IconId): ThemeIcon {
  return new ThemeIcon(id, color === undefined ? undefined : new ThemeColor(color));
}
