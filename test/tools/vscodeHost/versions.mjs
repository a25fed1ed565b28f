// @ts-check

/**
 * One VS Code the tests run in.
 * @typedef {object} Release
 * @property {string} version the VS Code version
 * @property {string} codeServer the exact version of the npm package `code-server` that ships this VS Code's server
 * @property {string} node the exact Node it is run with where the running Node has another major version
 * @property {boolean} developsOnlyWithDriver whether it takes an extension under development only together with the
 *   smoke-test driver. Where it does not, the driver is left out: there it forbids modal dialogs.
 */

/** The lowest version that `engines.vscode` in package.json promises. */
export const oldestVersion = '1.100.3';

/** The newest version Patchbay is tested with; also what `npm start` opens. */
export const newestVersion = '1.139.1';

/** @type {readonly Release[]} */
const releases = [
  { version: oldestVersion, codeServer: '4.100.3', node: '20.20.2', developsOnlyWithDriver: false },
  { version: newestVersion, codeServer: '4.139.1', node: '24.21.0', developsOnlyWithDriver: true },
];

/**
 * Looks a version up.
 * @param {string} version a VS Code version such as `1.139.1`
 * @returns {Release}
 * @throws when the version is not one of those known here
 */
export function findRelease(version) {
  const release = releases.find((candidate) => candidate.version === version);
  if (release === undefined) {
    const known = releases.map((candidate) => candidate.version).join(', ');
    throw new Error(`VS Code ${version} is not set up for tests. Use one of ${known}, or add it to versions.mjs.`);
  }
  return release;
}
