// @ts-check
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The root of the repository, absolute. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '');

/** The git-ignored folder for everything that is downloaded or produced by test runs. */
export const cacheFolder = join(repositoryRoot, '.vscode-test');

/** Where every layer leaves its results as JSON. */
export const resultsFolder = join(cacheFolder, 'results');
