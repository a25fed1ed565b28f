import { type AuthSettings, secretAuthMembers } from '../base/authSettings.ts';
import { isRecord, isStringArray } from '../base/json.ts';
import type { LaunchSetting } from './launchView.ts';
import type { ExpandedText } from './expandVariables.ts';
import { secretMask } from './variables.ts';

/**
 * Replaces the variables in every text of the settings.
 * @param expand expands one text; `place` names it in errors
 */
export async function expandAuthSettings(
  settings: AuthSettings,
  expand: (text: string, place: string, isSecretPlace?: boolean) => Promise<ExpandedText>,
): Promise<{ readonly values: AuthSettings; readonly settings: readonly LaunchSetting[] }> {
  const shown: LaunchSetting[] = [];
  const expandRecord = async (record: object, prefix: string): Promise<Record<string, unknown>> => {
    const values: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record) as [string, unknown][]) {
      const name = `${prefix}${key}`;
      if (isRecord(value)) {
        values[key] = await expandRecord(value, `${name}.`);
        continue;
      }
      if (isStringArray(value)) {
        const items: ExpandedText[] = [];
        for (const [index, item] of value.entries()) items.push(await expand(item, `auth.${name}[${index}]`));
        // A variable may stand for several scopes, or for none.
        values[key] = items.flatMap(({ text }) => text.split(/\s+/)).filter((scope) => scope !== '');
        shown.push({ name, written: JSON.stringify(value), value: JSON.stringify(items.map(({ masked }) => masked)) });
        continue;
      }
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      const isSecret = secretAuthMembers.includes(name);
      const expanded = typeof value === 'string' ? await expand(value, `auth.${name}`, isSecret) : undefined;
      values[key] = expanded?.text ?? value;
      // A secret that is written out is masked; the name of a variable tells nothing of its value.
      const isWrittenOut = isSecret && expanded?.masked === expanded?.text;
      shown.push({ name, written, value: isWrittenOut ? secretMask : (expanded?.masked ?? written) });
    }
    return values;
  };
  return { values: await expandRecord(settings, ''), settings: shown };
}
