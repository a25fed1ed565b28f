// @ts-check

/**
 * @typedef {object} AddressOptions
 * @property {string} workspace the absolute path of a folder or a `.code-workspace` file
 * @property {string} [developmentPath] the extension under development; the page takes only one
 * @property {string} [testsPath] the module with `run()`
 */

/**
 * The address that opens a workspace in the workbench of a server.
 * @param {string} authority `127.0.0.1:PORT`
 * @param {AddressOptions} options
 * @returns {string}
 */
export function workbenchAddress(authority, options) {
  const address = new URL(`http://${authority}/`);
  address.searchParams.set(options.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', options.workspace);
  /** @type {[string, string][]} */
  const payload = [];
  const { developmentPath, testsPath } = options;
  if (developmentPath !== undefined) payload.push(['extensionDevelopmentPath', remote(authority, developmentPath)]);
  if (testsPath !== undefined) payload.push(['extensionTestsPath', remote(authority, testsPath)]);
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
}

/**
 * @param {string} authority
 * @param {string} path
 */
function remote(authority, path) {
  return `vscode-remote://${authority}${encodeURI(path)}`;
}
