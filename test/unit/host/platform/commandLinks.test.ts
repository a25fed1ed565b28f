import { expect, it } from 'vitest';
import { withoutCommandLinks } from '../../../../src/host/platform/commandLinks.ts';

it.each([
  ['[x](command:workbench.action.quit)', '[x](command%3Aworkbench.action.quit)'],
  ['[x]( <COMMAND:a>)', '[x]( <command%3Aa>)'],
  ['<command:a>', '<command%3Aa>'],
  ['[x]: command:a', '[x]: command%3Aa'],
  ['run the command: npm start (a command)', 'run the command: npm start (a command)'],
])('makes no link to a command of %s', (text, expected) => {
  expect(withoutCommandLinks(text)).toBe(expected);
});
