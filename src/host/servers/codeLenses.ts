import { CodeLens, languages, Range, type TextDocument } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { parseConfiguration } from '../../config/parseConfiguration.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons } from '../platform/displayText.ts';
import { byPerson } from '../platform/personArguments.ts';
import { abilitiesOf, describeServer, statusOf } from './serverStatus.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import { configurationFileAt, documentSelector } from '../configuration/configurationFiles.ts';

/** A server that lists its tools changes many times a second; its lens need not. */
const refreshPauseMs = 200;

/** Above each server of a configuration file: its state, and what can be done with it now. */
export function registerCodeLenses(registry: ServerRegistry, clock: Clock): Disposable {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<void>());
  const refresh = (): void => onDidChange.fire();
  const refreshes = store.add(new Coalescer(clock, refreshPauseMs, refresh));
  store.add(registry.onDidChangeServers(() => refreshes.request()));
  store.add(registry.onDidChangeAny(() => refreshes.request()));
  store.add(
    languages.registerCodeLensProvider(documentSelector, {
      onDidChangeCodeLenses: onDidChange.event,
      provideCodeLenses: (document) => codeLenses(document, registry),
    }),
  );
  return store;
}

function codeLenses(document: TextDocument, registry: ServerRegistry): CodeLens[] {
  const file = configurationFileAt(document.uri);
  if (file === undefined) return [];
  const { servers } = parseConfiguration(document.getText(), file.kind);
  return servers.flatMap(({ label, range }) => {
    const hostServer = registry.get(label);
    // Typed, but not saved yet.
    if (hostServer === undefined || range === undefined) return [];
    const place = document.positionAt(range.offset);
    return lensesOf(hostServer, file.source.uri, new Range(place, place));
  });
}

/** @param uri of the file in which the lenses are shown */
function lensesOf(hostServer: HostServer, uri: string | undefined, range: Range): CodeLens[] {
  const lens = (title: string, command: string): CodeLens =>
    new CodeLens(range, { title, command, arguments: [byPerson({ server: hostServer.label }, command)] });
  const { source } = hostServer.configured;
  if (source.uri !== uri) {
    return [lens(`$(plug) Patchbay: not used, ${escapeIcons(source.title)} comes first`, CommandIds.openConfiguration)];
  }
  // VS Code puts lenses of its own for its own servers beside ours: each has to say whose it is.
  const { server, lookAlike } = hostServer;
  const abilities = abilitiesOf(hostServer);
  const isPlain = server.state.kind === 'stopped' && lookAlike === undefined;
  const about = statusOf(server.state) === 'failed' ? CommandIds.diagnoseServer : CommandIds.showServerDetails;
  return [
    ...(isPlain ? [] : [lens(`$(plug) Patchbay: ${escapeIcons(describeServer(hostServer))}`, about)]),
    ...(abilities.start ? [lens('$(play) Patchbay: Start', CommandIds.startServer)] : []),
    ...(abilities.stop ? [lens('$(debug-stop) Patchbay: Stop', CommandIds.stopServer)] : []),
    ...(abilities.restart ? [lens('$(debug-restart) Patchbay: Restart', CommandIds.restartServer)] : []),
  ];
}
