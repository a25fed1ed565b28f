import { type CommandName, type CommandShape, commandShapes, optionShapes, serverPlace } from './commands.ts';

const servers = `SERVER is the name of a server in a configuration file of this folder (.vscode/mcp.json, .mcp.json, …) or in that
of --config, or the address of a server. For a program, leave it out and write the program at the end, after "--".`;

const exits = `Exit codes: 0 fine, 1 something failed, 2 wrong use or a file that cannot be used, 3 a server could not be started
or reached, 70 a fault of Patchbay itself, 130 interrupted.`;

/** The text of `patchbay help`, and of `patchbay help COMMAND`. */
export function helpText(command: CommandName | undefined): string {
  if (command !== undefined) return commandHelp(command);
  const rows = Object.entries(commandShapes).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);
  return [
    'Usage: patchbay COMMAND [ARGUMENTS] [OPTIONS] [-- PROGRAM …]',
    ['Commands:', ...rows, '  help    Describes a command: patchbay help check'].join('\n'),
    servers,
    'It starts programs of the configuration without a question: to run it is the yes. Use it in folders that you trust.',
    exits,
  ].join('\n\n');
}

function commandHelp(command: CommandName): string {
  const shape: CommandShape = commandShapes[command];
  const places = shape.positionals.map((name, index) => {
    const word = name.toUpperCase();
    return index < shape.needed ? word : `[${word}]`;
  });
  const takesServer = serverPlace(shape) >= 0;
  const options = shape.options.map((name) => {
    const option: { readonly value?: string; readonly help: string } = optionShapes[name];
    const head = `--${name}${option.value === undefined ? '' : ` ${option.value}`}`;
    const choices = name === 'format' ? ` One of ${shape.formats.join(', ')}.` : '';
    return `  ${head.padEnd(22)} ${option.help}${choices}`;
  });
  return [
    `Usage: patchbay ${[command, ...places].join(' ')} [OPTIONS]${takesServer ? ' [-- PROGRAM …]' : ''}`,
    [shape.summary, ...shape.details].join('\n'),
    ...(takesServer ? [servers] : []),
    ['Options:', ...options].join('\n'),
    exits,
  ].join('\n\n');
}
