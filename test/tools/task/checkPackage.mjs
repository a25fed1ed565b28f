// @ts-check
// vsce makes and lists the package, but compares neither its files nor its size with what is allowed.
import { readFile, stat } from 'node:fs/promises';
import { loadedOutputs } from '../../../build/loadedOutputs.mjs';

/** What `npm run package` writes. */
export const packageFile = 'patchbay.vsix';

const megabyte = 1_000_000;
const maximumPackageBytes = 3 * megabyte;

/** Minified bytes that are loaded when the extension activates, before anything is used. */
const maximumActivationBytes = 200_000;

const required = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'media/icon.png',
  'media/patchbay.svg',
  // Loaded by a server that is debugged.
  'media/debug/node/inspect.cjs',
  'media/debug/python/sitecustomize.py',
  'dist/extension.js',
  'dist/demoServer.js',
  'dist/patchbay.mjs',
  'dist/schemaChecker.cjs',
  'dist/thirdPartyNotices.txt',
  'dist/webview/audit.js',
  'dist/webview/consent.js',
  'dist/webview/elicitation.js',
  'dist/webview/facts.js',
  'dist/webview/result.js',
  'dist/webview/tool.js',
  'dist/webview/codicon.css',
  'dist/webview/codicon.ttf',
];

/** Allowed besides the required files. */
const allowed = [
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/webview\/[\w-]+\.(js|css)$/,
  /^media\/(?:languages\/)?[\w.-]+\.(svg|css|json)$/,
];

/**
 * The files of the package, as listed by vsce, which also makes the package.
 *
 * @returns {Promise<readonly string[]>} paths with forward slashes
 */
export async function listPackagedFiles() {
  // Imported here, as this file is loaded before anything is installed.
  const { default: vsce } = await import('@vscode/vsce');
  return await vsce.listFiles({ packageManager: vsce.PackageManager.None });
}

/**
 * Checks the package: it contains all required files and nothing else, and it is small enough.
 *
 * @param {readonly string[]} files the files in it
 * @returns {Promise<readonly string[]>} what is wrong, a sentence each
 */
export async function checkPackage(files) {
  const { size } = await stat(packageFile);
  const activationBytes = await measureActivation();
  console.log(
    `${packageFile}: ${files.length} files, ${kilobytes(size)}; loaded at activation: ${kilobytes(activationBytes)}`,
  );
  const problems = [
    ...required.filter((path) => !files.includes(path)).map((path) => `${packageFile} lacks ${path}.`),
    ...files.filter((path) => !isExpected(path)).map((path) => `${packageFile} should not hold ${path}.`),
  ];
  if (size > maximumPackageBytes) {
    problems.push(`${packageFile} has ${kilobytes(size)}, more than the ${kilobytes(maximumPackageBytes)} allowed.`);
  }
  if (activationBytes > maximumActivationBytes) {
    problems.push(
      `Activation loads ${kilobytes(activationBytes)}, more than the ${kilobytes(maximumActivationBytes)} allowed: import what is heavy when it is used.`,
    );
  }
  return problems;
}

/** @param {string} path */
function isExpected(path) {
  return required.includes(path) || allowed.some((pattern) => pattern.test(path));
}

/**
 * The sizes of the extension's main file and of every chunk it imports statically.
 *
 * @returns {Promise<number>} bytes
 */
async function measureActivation() {
  /** @type {import('esbuild').Metafile} */
  const { outputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));
  const loaded = loadedOutputs(outputs, ['dist/extension.js']);
  const sizes = await Promise.all([...loaded].map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`;
}
