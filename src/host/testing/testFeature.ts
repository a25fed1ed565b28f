import { commands, type ExtensionContext, ProgressLocation, Uri, window } from 'vscode';
import type { CancelSignal } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { EnvironmentVariables } from '../../transport/stdio/environment.ts';
import { findNode, findSuite, installSuite, type SuiteHome } from '../../workshop/suite/installSuite.ts';
import { suitePackage } from '../../workshop/suite/suiteData.ts';
import { CommandIds } from '../commandIds.ts';
import { withToken } from '../platform/cancellation.ts';
import { askSafely } from '../platform/dialogs.ts';
import { singleLine } from '../platform/displayText.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { ServerChecks, type ServerCheckPorts } from './serverChecks.ts';
import { createTestTree } from './testController.ts';
import type { TestTree } from './testSource.ts';

export interface TestFeatureOptions extends Omit<ServerCheckPorts, 'suite' | 'registry' | 'confirm'> {
  readonly registry: ServerRegistry;
  readonly context: Pick<ExtensionContext, 'globalStorageUri'>;
  /** Of a terminal: Node and npm are searched in it. */
  readonly environment: () => Promise<EnvironmentVariables>;
  readonly lock: FileLockOptions;
}

/** What tests servers: Test Explorer, and the commands. */
export interface TestFeature extends Disposable {
  readonly tree: TestTree;
  readonly commands: Readonly<
    Record<typeof CommandIds.checkServer | typeof CommandIds.installTestSuite, (argument: unknown) => Promise<void>>
  >;
}

/** Creates the controller of Test Explorer, with the checks of all servers as its first source. */
export function createTestFeature(options: TestFeatureOptions): TestFeature {
  const { registry, logger } = options;
  const store = new DisposableStore();
  const tree = store.add(createTestTree(logger));
  const suite = async (signal: CancelSignal) => findSuite(await suiteHome(options), signal);
  const checks = new ServerChecks({ ...options, suite, confirm: confirmCheck });
  store.add(tree.addSource(checks));
  return {
    tree,
    commands: {
      async [CommandIds.checkServer](argument) {
        const server = await pickServer(registry, argument, {
          placeholder: 'Check which server?',
          whenNone: 'No MCP server is configured.',
          acts: true,
          starts: true,
        });
        if (server === undefined) return;
        await commands.executeCommand('workbench.view.testing.focus');
        await tree.run(checks.id, checks.idsOf(server.label), 'command');
      },
      [CommandIds.installTestSuite]: () => installTestSuite(options),
    },
    dispose: () => store.dispose(),
  };
}

/** Another extension can begin the checks of a server that the person has allowed to start. */
async function confirmCheck(label: string): Promise<boolean> {
  const answer = await askSafely({
    message: `Check the server “${singleLine(label, 60)}”?`,
    detail:
      'It is started once more, beside the one that runs, and gets requests that test it. In this window, its checks ask this once.',
    safe: 'Not Now',
    actions: ['Check'],
  });
  return answer === 'Check';
}

async function suiteHome({
  context,
  environment,
}: Pick<TestFeatureOptions, 'context' | 'environment'>): Promise<SuiteHome> {
  return {
    folder: Uri.joinPath(context.globalStorageUri, 'test-suite').fsPath,
    environment: await environment(),
    platform: process.platform,
  };
}

/** Asks where it can be installed. One window installs at a time; the others then find what it has installed. */
export async function installTestSuite(
  options: Pick<TestFeatureOptions, 'context' | 'environment' | 'lock'>,
): Promise<void> {
  const { name, version, minimumNode } = suitePackage;
  const home = await suiteHome(options);
  const node = await findNode(home, new AbortController().signal);
  const answer = await askSafely({
    message: 'Install the official test suite of MCP?',
    detail: [
      `npm downloads ${name} ${version} and what it needs, about 52 MB, from the registry that npm is set up with.`,
      `It runs no scripts of them. Patchbay checks that it is the version that it knows, and keeps it for all workspaces.`,
      `The suite needs Node.js ${minimumNode} or newer. ${singleLine(node, 200)} runs it when you test a server.`,
    ].join('\n\n'),
    safe: 'Not Now',
    actions: ['Install'],
    isExpected: true,
  });
  if (answer !== 'Install') return;
  const progress = {
    location: ProgressLocation.Notification,
    title: 'Installing the official test suite',
    cancellable: true,
  };
  await window.withProgress(progress, async (_progress, token) =>
    withToken(token, async (signal) =>
      withFileLock(`${home.folder}.lock`, options.lock, () => installSuite(home, { signal }), signal),
    ),
  );
  void window.showInformationMessage('The official test suite is installed. Run Check MCP Server to use it.');
}
