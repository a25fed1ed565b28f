import { env, type Uri } from 'vscode';
import { checkLinkUrl } from '../../client/elicitation/checkedUrl.ts';
import { askSafely } from './dialogs.ts';
import { singleLine } from './displayText.ts';
import { openInEditor } from './sendTo.ts';

/** Characters of an address that fit into a question; the rest of a longer one is in the document. */
const shownCharacters = 1_500;

/**
 * Opens an address in the person's own browser, to the letter.
 * @returns whether it was opened
 */
export async function openAddress(href: string): Promise<boolean> {
  // As a string: a `Uri` would encode the query again, and open another address.
  return env.openExternal(href as unknown as Uri);
}

/**
 * Opens a link in what a server says, once the person has seen where it leads: as a question of the server that points to a
 * page would be (client, "Safe URL Handling").
 * @param server its label
 * @returns whether it was opened in the browser
 * @throws {PatchbayError} `invalidMessage` for an address that cannot be opened
 */
export async function openLink(link: string, server: string): Promise<boolean> {
  const { href, host, warnings } = checkLinkUrl(link);
  const rest = href.length - shownCharacters;
  const address = rest > 0 ? `${href.slice(0, shownCharacters)}… (${rest} more characters)` : href;
  const chosen = await askSafely({
    message: `Open a page that “${singleLine(server, 60)}” links to?`,
    detail: [`It is at ${host}.`, ...warnings, address].join('\n\n'),
    safe: 'Show Address',
    actions: ['Open in Browser'],
  });
  if (chosen === 'Show Address') await openInEditor(href);
  return chosen === 'Open in Browser' && openAddress(href);
}
