import { canonicalJson } from '../../base/digest.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { withDefaults } from '../../forms/defaults.ts';
import { FormEngine } from '../../forms/formEngine.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { ToolSession } from './toolSession.ts';

/** Said beside *Call* where there was something else in the form. */
export const argumentsReplaced = 'The arguments were replaced. Undo brings the earlier ones back.';

/** Writes the arguments of another call into the form, in one step that can be undone, and says so where others were there. */
export async function replaceArguments(session: ToolSession, args: JsonObject): Promise<void> {
  const before = session.args;
  await session.write(args);
  const isEmpty = before !== undefined && Object.keys(before).length === 0;
  if (isEmpty || canonicalJson(before) === canonicalJson(args) || session.call.kind !== 'idle') return;
  session.call = { kind: 'idle', note: argumentsReplaced };
}

/** Writes the default of each argument that is absent into the form. @throws {PatchbayError} `notFound` where there is none */
export async function fillDefaults(session: ToolSession): Promise<void> {
  const { engine, args } = session;
  if (engine === undefined || args === undefined) return;
  const filled = withDefaults(engine, args);
  if (canonicalJson(filled) === canonicalJson(args))
    throw new PatchbayError('notFound', 'Nothing to fill in: no empty argument has a default.');
  await session.write(filled);
}

/**
 * What the form of a tool with an app begins with: its defaults, as an app draws from the arguments that were sent, and the server alone
 * would use them. They are there before the person sees the form: what is sent is what was shown.
 * @param accepts whether arguments fit the schema: defaults that do not fit their own are left out
 * @returns `undefined` where the form begins empty
 */
export async function firstArguments(
  tool: Tool,
  accepts: (args: JsonObject) => Promise<boolean>,
): Promise<JsonObject | undefined> {
  if (appUriOf(tool) === undefined) return undefined;
  const engine = new FormEngine(tool.inputSchema);
  const start = engine.startValue(engine.root);
  if (!isRecord(start)) return undefined;
  const filled = withDefaults(engine, start);
  return filled !== start && (await accepts(filled)) ? filled : undefined;
}
