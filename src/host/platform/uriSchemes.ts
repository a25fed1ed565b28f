export const resourceScheme = 'patchbay-resource';

export const skillScheme = 'patchbay-skill';

export const toolScheme = 'patchbay-tool';

/** The parts of a URI that tell documents apart; `vscode.Uri` has them. */
export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}
