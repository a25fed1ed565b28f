import { canonicalJson } from '../../base/digest.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { withDefaults } from '../../forms/defaults.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
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
 * The same for the empty form of a tool with an app, before it is called: an app draws from the arguments that
 * were sent, and the server alone would use its defaults. Defaults that do not fit their own schema are left out.
 */
export async function fillDefaultsForApp(session: ToolSession): Promise<void> {
  const { engine, args, tool } = session;
  if (engine === undefined || args === undefined || tool === undefined || appUriOf(tool) === undefined) return;
  if (canonicalJson(args) !== canonicalJson(engine.startValue(engine.root))) return;
  const filled = withDefaults(engine, args);
  if (await session.accepts(filled)) await session.write(filled);
}
