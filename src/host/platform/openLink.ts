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

export interface LinkQuestion {
  readonly message: string;
  readonly detail: readonly string[];
  readonly href: string;
}

/**
 * Opens a link in what a server says, once the person has seen where it leads: as a question of the server that points to a
 * page would be (client, "Safe URL Handling").
 * @param server its label
 * @param ask whether to open it; in a dialog by default
 * @returns whether it was opened in the browser
 * @throws {PatchbayError} `invalidMessage` for an address that cannot be opened
 */
export async function openLink(link: string, server: string, ask = askInDialog): Promise<boolean> {
  const { href, host, warnings } = checkLinkUrl(link);
  const message = `Open a page that “${singleLine(server, 60)}” links to?`;
  const isOpened = await ask({ message, detail: [`It is at ${host}.`, ...warnings], href });
  return isOpened && openAddress(href);
}

async function askInDialog({ message, detail, href }: LinkQuestion): Promise<boolean> {
  const rest = href.length - shownCharacters;
  const address = rest > 0 ? `${href.slice(0, shownCharacters)}… (${rest} more characters)` : href;
  const chosen = await askSafely({
    message,
    detail: [...detail, address].join('\n\n'),
    safe: 'Show Address',
    actions: ['Open in Browser'],
  });
  if (chosen === 'Show Address') await openInEditor(href);
  return chosen === 'Open in Browser';
}
