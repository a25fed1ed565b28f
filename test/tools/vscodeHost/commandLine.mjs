// @ts-check

/**
 * The flags of VS Code desktop that matter for running extension tests.
 * @typedef {object} CommandLine
 * @property {string} workspace the folder or `.code-workspace` file to open
 * @property {string} developmentPath
 * @property {string} testsPath
 * @property {string | undefined} extensionsDir
 * @property {string | undefined} userDataDir
 * @property {boolean} workspaceTrust
 */

/**
 * Reads the command line that `@vscode/test-electron` gives VS Code. Other flags have no meaning here and are ignored.
 * @param {readonly string[]} args
 * @returns {CommandLine}
 * @throws when there is no workspace, no test module, or not exactly one extension
 */
export function parseCommandLine(args) {
  /** @param {string} name */
  const values = (name) => args.flatMap((arg) => (arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : []));
  const [workspace] = args.filter((arg) => !arg.startsWith('-'));
  const [testsPath] = values('extensionTestsPath');
  const [developmentPath, ...furtherPaths] = values('extensionDevelopmentPath');
  if (workspace === undefined) throw new Error('No workspace was given. Pass the path of a folder to open.');
  if (testsPath === undefined || developmentPath === undefined || furtherPaths.length > 0) {
    throw new Error(
      'This VS Code only runs tests: pass one --extensionDevelopmentPath=… and one --extensionTestsPath=….',
    );
  }
  return {
    workspace,
    developmentPath,
    testsPath,
    extensionsDir: values('extensions-dir')[0],
    userDataDir: values('user-data-dir')[0],
    workspaceTrust: !args.includes('--disable-workspace-trust'),
  };
}
