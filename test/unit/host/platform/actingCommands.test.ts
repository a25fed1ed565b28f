import { beforeEach, describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { byPerson } from '../../../../src/host/platform/personArguments.ts';
import { registerActingCommand } from '../../../../src/host/platform/registerCommand.ts';
import { editor, Uri } from '../../../fixtures/vscode.ts';

const run = (...args: readonly unknown[]) => editor.commands.get(CommandIds.startServer)?.(...args);

describe('a command that acts', () => {
  const ran: (readonly unknown[])[] = [];
  const asked: unknown[] = [];
  let duringQuestion = (): void => {};

  beforeEach(() => {
    ran.length = 0;
    asked.length = 0;
    duringQuestion = () => {};
    const confirmElsewhere = async (_what: string, argument: unknown): Promise<boolean> => {
      asked.push(argument);
      duringQuestion();
      return true;
    };
    registerActingCommand({ logger: createNullLogger(), confirmElsewhere }, CommandIds.startServer, (...args) => {
      ran.push(args);
    });
  });

  it('gets what was shown, whatever becomes of the argument meanwhile', async () => {
    const argument = { server: 'shown' };
    duringQuestion = () => (argument.server = 'other');
    await run(argument, [{ server: 'further' }]);
    expect(asked).toEqual([{ server: 'shown' }]);
    expect(ran).toEqual([[{ server: 'shown' }]]);
  });

  it.each([
    ['that writes itself as another', { server: 'a', toJSON: () => ({ server: 'b' }) }, { server: 'b' }],
    ['that is an address', Uri.parse('x:y'), Uri.parse('x:y')],
    ['that is a label', 'a', 'a'],
    [
      'that cannot be read',
      {
        get server(): string {
          throw new Error('No.');
        },
      },
      undefined,
    ],
  ])('shows and gets the same of an argument %s', async (_name, argument, expected) => {
    await run(argument);
    expect(JSON.stringify(asked)).toBe(JSON.stringify([expected]));
    expect(JSON.stringify(ran)).toBe(JSON.stringify([[expected]]));
  });

  it('takes the row that the keyboard is on for a key of its view, and nothing where it is on none', async () => {
    const rows = [undefined, byPerson({ server: 'row' }), { server: 'not a row' }];
    const focused = async (): Promise<object | undefined> => rows.shift();
    const confirmElsewhere = async (_what: string, argument: unknown): Promise<boolean> => asked.push(argument) < 0;
    registerActingCommand(
      { logger: createNullLogger(), confirmElsewhere, focused },
      CommandIds.startServer,
      (...args) => {
        ran.push(args);
      },
    );
    for (let key = 0; key < 3; key += 1) await run('selection');
    expect(ran).toEqual([[{ server: 'row' }, 'selection']]);
    expect(asked).toEqual([{ server: 'not a row' }]);
  });

  it('is asked about a label of that name in a command of no view', async () => {
    await run('selection');
    expect(asked).toEqual(['selection']);
  });

  it('takes the argument of a lens for its own command, as it was made', async () => {
    const own = byPerson({ server: 'a' }, CommandIds.startServer);
    expect(() => Object.assign(own, { server: 'b' })).toThrow(TypeError);
    await run(own);
    expect(asked).toEqual([]);
    await run(byPerson({ server: 'a' }, CommandIds.stopServer));
    expect(asked).toEqual([{ server: 'a' }]);
    const row = byPerson({ label: 'row' });
    await run(row);
    expect(asked).toHaveLength(1);
    expect(ran).toEqual([[own], [{ server: 'a' }], [row]]);
  });
});
