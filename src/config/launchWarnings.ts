import { programName } from './launchCode.ts';
import type { LaunchView, StdioLaunchView } from './launchView.ts';
import { hasHiddenCharacters } from '../base/visibleText.ts';

const shells = /^(?:sh|bash|zsh|dash|ksh|fish|cmd|powershell|pwsh)$/;
const interpreters = /^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/;
const administrators = /^(?:sudo|doas|pkexec|runas|su)$/;
const downloaders = /^(?:npx|bunx|uvx|pnpx)$/;
const downloadCommands =
  /\b(?:(?:pnpm|yarn) dlx|npm (?:exec|x)|pipx run|uv tool run|docker run|podman run|deno run \S*https?:)/;
const pipedDownload =
  /\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b.*\|\s*(?:\S*\/)?(?:sudo\s+)?(?:sh|bash|zsh|iex|node|python[\d.]*|invoke-expression)\b/i;
const removal = /\brm\s+(?:-\S+\s+)*-(?:\w*[rR]\w*|-recursive)|\b(?:rmdir|rd)\s+\/s|\bremove-item\b.*-recurse/i;
const loaderVariables =
  /^(?:LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_\S+|UV_(?:DEFAULT_)?INDEX\w*|PIP_\w*INDEX_URL|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|BASH_ENV|ENV|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|GIT_SSH_COMMAND|PATH|PATHEXT)$/i;
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** What deserves a second look before this is started, one sentence each (tutorials/security: highlight dangerous commands). */
export function launchWarnings(view: LaunchView): string[] {
  return view.kind === 'stdio' ? processWarnings(view) : addressWarnings(view);
}

function processWarnings(view: StdioLaunchView): string[] {
  const tokens = [view.command, ...view.args];
  // The script of a shell is one argument: look at its words as well.
  const words = tokens.flatMap((token) => token.split(/\s+/)).map(programName);
  const line = [programName(view.command), ...view.args].join(' ');
  const names = [...view.env.map(({ name }) => name), ...Object.keys(view.envFileValues)];
  const loaders = names.filter((name) => loaderVariables.test(name));
  const found: readonly (readonly [boolean, string])[] = [
    [words.some((word) => administrators.test(word)), 'It asks for administrator rights.'],
    [removal.test(line), 'It deletes whole folders.'],
    [pipedDownload.test(line), 'It downloads a script and runs it.'],
    [runsInlineCode(view), 'It runs code written on the command line: read the arguments to the end.'],
    [
      words.some((word) => downloaders.test(word)) || downloadCommands.test(line),
      'It may download a package and run it: the code can differ from one start to the next.',
    ],
    [loaders.length > 0, `It changes which code programs load (${loaders.join(', ')}).`],
    [tokens.some(hasHiddenCharacters), 'It holds characters that cannot be seen; they are written as ⟨U+…⟩.'],
  ];
  return found.filter(([isFound]) => isFound).map(([, sentence]) => sentence);
}

function addressWarnings(view: LaunchView & { kind: 'http' | 'sse' }): string[] {
  const isPlain = /^http:/i.test(view.url) && !loopback.test(view.host);
  return [
    ...(isPlain ? ['The connection is not encrypted: others on the network can read and change it.'] : []),
    ...(hasHiddenCharacters(view.url)
      ? ['The address holds characters that cannot be seen; they are written as ⟨U+…⟩.']
      : []),
  ];
}

function runsInlineCode(view: StdioLaunchView): boolean {
  const tokens = [view.command, ...view.args];
  return tokens.some((token, index) => {
    const name = programName(token);
    const following = tokens.slice(index + 1);
    if (shells.test(name))
      return following.some((arg) => /^(?:-\w*c|\/c|\/k|-command|-encodedcommand|-e\w*)$/i.test(arg));
    // What follows the script's file is the script's own.
    const script = following.findIndex((arg) => /^[^-].*[./\\]/.test(arg));
    const own = script === -1 ? following : following.slice(0, script);
    return interpreters.test(name) && own.some((arg) => /^(?:-e|-c|-p|-r|--eval|--print|eval)$/.test(arg));
  });
}
