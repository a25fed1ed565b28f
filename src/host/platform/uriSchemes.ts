/** The scheme of the documents that show resources. */
export const resourceScheme = 'patchbay-resource';

/** The scheme of the documents that show skills. */
export const skillScheme = 'patchbay-skill';

/** The scheme of the documents about servers and what they offer. */
export const detailsScheme = 'patchbay-details';

/** The scheme of the documents that hold the arguments of tools. */
export const toolScheme = 'patchbay-tool';

/** The parts of a URI that tell documents apart; `vscode.Uri` has them. */
export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}
