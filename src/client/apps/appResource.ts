import { PatchbayError } from '../../base/errors.ts';
import { bytesOfBase64, formatCount } from '../../base/truncate.ts';
import { type AppMetadata, isAppMimeType, readAppMetadata } from '../../protocol/mcp/apps.ts';
import { appMimeType } from '../../protocol/mcp/apps.ts';
import type { Server } from '../server/managedServer.ts';

export interface AppResource {
  readonly uri: string;
  readonly html: string;
  readonly metadata: AppMetadata;
}

/** Characters of a document. The largest published ones have some 2 million. */
const maximumCharacters = 20_000_000;

/**
 * Reads an app with `resources/read`, whether or not it is listed (SEP-1865, "Resource Discovery").
 * @throws {PatchbayError} `invalidMessage` for what is no app; what the server throws; cancellation
 */
export async function readAppResource(
  server: Pick<Server, 'readResource' | 'contents'>,
  uri: string,
  signal?: AbortSignal,
): Promise<AppResource> {
  const { contents } = await server.readResource(uri, { origin: 'person', ...(signal && { signal }) });
  const content = contents.find((part) => part.uri === uri) ?? contents[0];
  if (content === undefined) throw notAnApp('The server answered without any contents.');
  const { mimeType, text, blob = '' } = content;
  if (!isAppMimeType(mimeType)) {
    const given = mimeType === undefined ? 'has no type' : `is ${JSON.stringify(mimeType.slice(0, 100))}`;
    throw notAnApp(`What the server calls its app ${given}; an app is ${appMimeType}.`);
  }
  const bytes = text === undefined ? bytesOfBase64(blob) : undefined;
  const html = text ?? (bytes && new TextDecoder().decode(bytes));
  if (html === undefined) throw notAnApp('The document of the app is not valid base64.');
  if (html.length > maximumCharacters)
    throw notAnApp(`The app is longer than ${formatCount(maximumCharacters)} characters.`);
  const listed = server.contents.resources.find((resource) => resource.uri === uri);
  return { uri, html, metadata: readAppMetadata(content['_meta'], listed?.['_meta']) };
}

function notAnApp(message: string): PatchbayError {
  return new PatchbayError('invalidMessage', `${message} The result of the tool is not affected.`);
}

/**
 * The document for the app's frame: the policy and a script of Patchbay go before everything of the app. What the app has
 * there (its doctype, `html` and `head`) still counts as if it came first.
 * @param script runs before the app's own
 * @param theme an attribute of the script, whose text must always be the same
 */
export function toFrameDocument(html: string, policy: string, script: string, theme: 'light' | 'dark'): string {
  const attribute = policy.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const safeScript = script.replaceAll(/<(?=[/!]|script)/gi, String.raw`\x3C`);
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${attribute}"><script data-theme="${theme}">${safeScript}</script>${html}`;
}
