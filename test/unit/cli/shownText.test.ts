import { expect, it } from 'vitest';
import { withoutJobCommands } from '../../../src/cli/reports/shownText.ts';

const commands = [
  '::add-mask::a',
  '  ::stop-commands::x',
  '##[error]x',
  'a##vso[task.setvariable variable=A]b',
  '##TeamCity[x]',
];

/** As a runner reads a log: the start of a line after blanks, or anywhere in it. */
const isCommand = /^\s*::|##\[|##vso\[|##teamcity\[/im;

it.each(commands)('leaves the runner of a job no command to take from text: %s', (text) => {
  const shown = withoutJobCommands(`first\r\n${text}\nlast`, 'text');
  expect(shown).not.toMatch(isCommand);
  expect(shown.replaceAll('⟨U+0023⟩', '#').replaceAll('⟨U+003A⟩', ':')).toBe(`first\r\n${text}\nlast`);
});

it.each(commands)('leaves it none in JSON and XML, which say the same: %s', (text) => {
  const json = withoutJobCommands(JSON.stringify({ text }), 'json');
  expect(json).not.toMatch(isCommand);
  expect(JSON.parse(json)).toEqual({ text });
  const xml = withoutJobCommands(`<a b="${text}"/>`, 'junit');
  expect(xml).not.toMatch(isCommand);
  expect(xml.replaceAll('&#35;', '#')).toBe(`<a b="${text}"/>`);
});

it('leaves headings, addresses and the names of C++ as they are', () => {
  const text = '## Title\nstd::string, a::b\nhttp://[::1]/';
  expect(withoutJobCommands(text, 'text')).toBe(text);
});
