import { hostKindOf, isThisComputer } from '../base/hostKind.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import { isString } from '../base/json.ts';
import { hasHiddenCharacters, visibleText } from '../base/visibleText.ts';
import type { LaunchSetting, VariableUse } from './expandVariables.ts';
import { shortTarget, signInTarget } from './launchTarget.ts';
import { analyzeCommandLine, type FetchedPackage } from './commandLineAnalysis.ts';
import { commandEffects, effectSentences, loadedBefore, otherRegistries, scriptAddresses } from './commandEffects.ts';
import { innerLines } from './inlineCode.ts';
import { programName } from './programName.ts';
import type { LaunchView, RemoteLaunchView, StdioLaunchView } from './launchView.ts';
import { riskEffects, riskyHeader, type RiskKind, riskyVariable, type RiskyName } from './riskySettings.ts';

export interface RiskySetting extends RiskyName {
  readonly text: string;
}

export interface LaunchWarning {
  /** A sentence. */
  readonly text: string;
  /** False for what most servers do: run a package of a registry, get a value that the person enters for it. */
  readonly isRisk: boolean;
}

const administrators = /^(?:sudo|doas|pkexec|runas|su)$/;
const download = /\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b/i;
const runOfPipe = /^\s*(?:\S*\/)?(?:sudo\s+)?(?:sh|bash|zsh|iex|node|python[\d.]*|invoke-expression)\b/i;
const removal = /\brm\s+(?:-\S+\s+)*-(?:\w*[rR]\w*|-recursive)|\b(?:rmdir|rd)\s+\/s/i;
/** A container without isolation from this machine: https://docs.docker.com/reference/cli/docker/container/run/ */
const openContainer =
  /(?:^|\s)(?:--privileged\b|--(?:pid|network|net|ipc|userns)[= ]host\b|(?:-v|--volume)[= ]?\/:|\S*docker\.sock\b|--mount[= ]\S*(?:source|src)=\/(?:,|\s|$))/;
/** The socket of a container engine, by what the usual names have in common. */
const containerSocket = /docker|containerd|podman|crio|buildkit/i;
const otherContainerSocket = /\/(?:lxd|incus)\/unix\.socket$/i;
/** The other names are counted. */
const maximumNamesInSentence = 3;
/** Each of them leaves the machine. */
const maximumVariables = 10;
const maximumValueLength = 60;

export interface WarningOptions {
  /** Packages, as written, that the folder has: another sentence is about them. */
  readonly installed?: ReadonlyMap<string, unknown>;
  /** The person did not write it: see {@link sentVariables}. */
  readonly isOfFolder?: boolean;
}

/**
 * Lists what to know before a launch, the most severe first (MCP documentation, Security Best Practices / Local MCP
 * Server Compromise: highlight dangerous commands). Number and length are bounded for any definition.
 */
export function launchWarnings(
  view: LaunchView,
  isWindows: boolean,
  { installed = new Map(), isOfFolder = false }: WarningOptions = {},
): LaunchWarning[] {
  const [before, after] = view.kind === 'stdio' ? processWarnings(view) : addressWarnings(view);
  const fetched = view.kind === 'stdio' ? fetchWarnings(view, installed) : [];
  const secrets = secretWarnings(view, isOfFolder);
  const entered = secrets.filter(({ isEntered }) => isEntered).map(({ text }) => text);
  const sent = secrets.filter(({ isEntered }) => !isEntered).map(({ text }) => text);
  return [
    ...[...before, ...sent, ...riskWarnings(view, isWindows), ...after].map((text) => ({ text, isRisk: true })),
    ...[...entered, ...fetched, ...missingVariables(view.variables)].map((text) => ({ text, isRisk: false })),
  ];
}

/** The settings that {@link launchWarnings} sums up, each with its documentation. */
export function riskySettings(view: LaunchView, isWindows: boolean): RiskySetting[] {
  const isProgram = view.kind === 'stdio';
  const written = (isProgram ? view.env : view.headers).map(({ name, value }) => {
    const text = value === null ? ' removed' : `${isProgram ? '=' : ': '}${short(value)}`;
    return { name, text: short(name) + text };
  });
  const inFile = isProgram ? Object.keys(view.envFileValues) : [];
  const fromFile = inFile.map((name) => ({ name, text: `${short(name)} of the environment file` }));
  return [...written, ...fromFile].flatMap(({ name, text }) => {
    const found = isProgram ? riskyVariable(name, isWindows) : riskyHeader(name);
    return found === undefined ? [] : [{ ...found, text }];
  });
}

function riskWarnings(view: LaunchView, isWindows: boolean): string[] {
  const references = view.variables.filter(({ isSecret }) => isSecret).map(({ reference }) => reference);
  // The warning about the secret in the header says the same.
  const isNamed = ({ text, kind }: RiskySetting): boolean =>
    kind === 'identity' && references.some((reference) => text.includes(reference));
  const settings = riskySettings(view, isWindows).filter((setting) => !isNamed(setting));
  return (Object.keys(riskEffects) as RiskKind[]).flatMap((kind) => {
    const found = settings.filter((setting) => setting.kind === kind);
    const texts = found.map(({ text, what }) => `${text} (${what})`);
    return found.length === 0 ? [] : [`${listed(texts)} ${riskEffects[kind]}.`];
  });
}

/**
 * The variables that a launch hands on and that a person should know of: secrets. What a folder sends to a server is any variable
 * of the person's environment: its name says nothing of what is in it.
 */
export function sentVariables({ kind, variables }: LaunchView, isOfFolder: boolean): readonly VariableUse[] {
  const isSent = (use: VariableUse): boolean => use.kind === 'environment' && use.isDefault !== true;
  return variables.filter((use) => use.isSecret || (isOfFolder && kind !== 'stdio' && isSent(use)));
}

/** Warnings about variables that are sent: one for each target, with their names. */
function secretWarnings(view: LaunchView, isOfFolder: boolean) {
  const places = new Map<string, VariableUse[]>();
  for (const use of sentVariables(view, isOfFolder)) {
    if (use.isMissing !== undefined) continue;
    for (const place of placesOf(use, view)) places.set(place, [...(places.get(place) ?? []), use]);
  }
  const verb = view.kind === 'stdio' ? 'Hands' : 'Sends';
  const sources = [
    'your environment variable',
    'the value you saved for the input',
    'the value you enter for the input',
  ];
  const sourceOf = ({ kind, isSaved }: VariableUse) => sources[kind === 'environment' ? 0 : isSaved ? 1 : 2];
  return [...places].flatMap(([place, uses]) =>
    sources.flatMap((what) => {
      const found = uses.filter((use) => sourceOf(use) === what);
      if (found.length === 0) return [];
      const names = listed(
        found.map(({ name }) => short(name)),
        maximumVariables,
      );
      const where = shortTarget(place) + partIn(found, place, view);
      const text = `${verb} ${what}${found.length === 1 ? '' : 's'} ${names} to ${where}.`;
      return [{ text, isEntered: what === sources[2] && found.every(({ isResult }) => isResult !== true) }];
    }),
  );
}

/** @returns where in the requests variables are: ` in the header X-Trace` */
function partIn(uses: readonly VariableUse[], place: string, view: LaunchView): string {
  if (view.kind === 'stdio' || place !== view.host) return '';
  const isIn = ({ written }: LaunchSetting): boolean => uses.some(({ reference }) => written?.includes(reference));
  const headers = view.headers.filter(isIn).map(({ name }) => short(name));
  const isInAddress = uses.some((use) => use.isInAddress === true);
  const named = headers.length === 0 ? [] : [`the header${headers.length === 1 ? '' : 's'} ${listed(headers)}`];
  const parts = [...(isInAddress ? ['the address'] : []), ...named];
  return parts.length === 0 ? '' : ` in ${parts.join(' and ')}`;
}

function isInHeaders({ reference }: VariableUse, { headers }: RemoteLaunchView): boolean {
  return headers.some(({ written }) => written?.includes(reference) === true);
}

/** @returns a sentence for each way in which environment variables that are not set are passed on */
export function missingVariables(variables: readonly VariableUse[]): string[] {
  return (['kept', 'empty'] as const).flatMap((how) => {
    const missing = variables.filter(({ isMissing }) => isMissing === how);
    if (missing.length === 0) return [];
    const isOne = missing.length === 1;
    const names = listed(missing.map(({ name }) => short(name)));
    const whose = isOne ? `Your environment variable ${names} is` : `Your environment variables ${names} are`;
    const references = listed(missing.map(({ reference }) => short(reference)));
    if (how === 'empty') return [`${whose} not set. ${isOne ? 'It is' : 'They are'} passed on as an empty text.`];
    return [
      `${whose} not set, so the ${isOne ? `text ${references} itself is` : `texts ${references} themselves are`} sent.`,
    ];
  });
}

function placesOf(use: VariableUse, view: LaunchView): readonly string[] {
  const { reference } = use;
  if (view.kind === 'stdio') return [analyzeCommandLine([view.command, ...view.args]).name];
  const isIn = ({ written }: LaunchSetting): boolean => written?.includes(reference) === true;
  const issuers = ['issuer', 'idp.issuer', 'idp.tokenEndpoint'];
  const issuer = issuers.map((name) => view.auth.find((setting) => setting.name === name)?.value).find(isString);
  const isSignIn = view.auth.some(isIn);
  const isRequest = isInHeaders(use, view) || use.isInAddress === true || !isSignIn;
  return [
    ...(isRequest ? [view.host] : []),
    ...(isSignIn ? [signInTarget(view.host, issuer === undefined ? {} : { issuer })] : []),
  ];
}

type Warnings = readonly [readonly string[], readonly string[]];

function sentencesOf(...rows: readonly (readonly [isFound: boolean, warning: string])[]): readonly string[] {
  return rows.filter(([isFound]) => isFound).map(([, warning]) => warning);
}

/** What it runs from a registry without a pinned version. */
function fetchWarnings({ command, args }: StdioLaunchView, installed: ReadonlyMap<string, unknown>): readonly string[] {
  const isUnpinned = ({ isPinned, written }: FetchedPackage): boolean => !isPinned && !installed.has(written);
  const { packages } = analyzeCommandLine([command, ...args]);
  const unpinned = packages.filter(isUnpinned).map(({ written }) => short(written));
  const it = unpinned.length === 1 ? 'it' : 'them';
  const changes = 'No version is pinned: the code can differ from one start to the next.';
  return unpinned.length === 0 ? [] : [`It downloads ${listed(unpinned)} and runs ${it}. ${changes}`];
}

function processWarnings(view: StdioLaunchView): Warnings {
  const tokens = [view.command, ...view.args];
  // A shell script is one argument: its words are checked too.
  const words = tokens.flatMap((token) => token.split(/\s+/)).map(programName);
  const line = [programName(view.command), ...view.args].join(' ');
  const { isInline } = analyzeCommandLine(tokens);
  const lines = [tokens, ...innerLines(tokens)];
  const fetched = lines
    .flatMap((each) => analyzeCommandLine(each).packages)
    .flatMap(({ isFromAddress, written }) => (isFromAddress ? [written] : []));
  const addresses = [...new Set([...fetched, ...scriptAddresses(tokens)])].map(short);
  const registries = [...new Set(lines.flatMap(otherRegistries))].map(short);
  const loaded = loadedBefore(tokens).map(short);
  return [
    sentencesOf(
      [words.some((word) => administrators.test(word)), 'It asks for administrator rights.'],
      [removesFolders(line), 'It deletes whole folders.'],
      [runsDownload(line), 'It downloads a script and runs it.'],
      [isInline, 'It runs code written on the command line: read the arguments to the end.'],
      ...commandEffects(tokens).map((effect) => [true, effectSentences[effect]] as const),
      [addresses.length > 0, `It runs code that comes from an address and not from a registry: ${listed(addresses)}.`],
      [registries.length > 0, `It looks for packages at ${listed(registries)}.`],
      [loaded.length > 0, `It loads ${listed(loaded)} before its own code.`],
      [
        view.asksForSandbox === true,
        'Its file asks for a sandbox, which Patchbay does not have: it runs with all your rights.',
      ],
      [openContainer.test(line), 'Its container can reach this machine: its files, its network or its processes.'],
    ),
    sentencesOf([tokens.some(hasHiddenCharacters), 'It contains invisible characters, written as ⟨U+…⟩.']),
  ];
}

/** Looks at each part once: one expression for all of it takes the cube of the length. */
function runsDownload(code: string): boolean {
  return code.split(/[\r\n]/).some((line) => {
    const start = line.search(download);
    const piped = start === -1 ? [] : line.slice(start).split('|').slice(1);
    return piped.some((part) => runOfPipe.test(part));
  });
}

function removesFolders(code: string): boolean {
  if (removal.test(code)) return true;
  return code.split(/[\r\n]/).some((line) => {
    const start = line.search(/\bremove-item\b/i);
    return start !== -1 && /-recurse/i.test(line.slice(start));
  });
}

function addressWarnings({ url, host, socketPath = '' }: RemoteLaunchView): Warnings {
  const isPlain = /^http:/i.test(url) && !isThisComputer(host);
  const isEngine = containerSocket.test(socketPath.replace(/^.*[\\/]/s, '')) || otherContainerSocket.test(socketPath);
  const isMetadata = hostKindOf(host) === 'metadata';
  return [
    sentencesOf([isEngine, 'It sends requests to the container engine, which can run anything on this machine.']),
    sentencesOf(
      [isMetadata, 'It is the metadata service of cloud machines, which gives away their credentials.'],
      [isPlain, 'The connection is not encrypted: others on the network can read and change it.'],
      [/^[a-z]+:\/\/[^/?#]*@/i.test(url), `The address has a name before the host: requests go to ${host}.`],
      [hasHiddenCharacters(url), 'The address contains invisible characters, written as ⟨U+…⟩.'],
    ),
  ];
}

function listed(texts: readonly string[], maximum = maximumNamesInSentence): string {
  const shown = texts.slice(0, maximum).join(', ');
  return texts.length > maximum ? `${shown} and ${texts.length - maximum} more` : shown;
}

function short(text: string): string {
  return truncateWithEllipsis(visibleText(text.slice(0, maximumValueLength * 2)), maximumValueLength);
}
