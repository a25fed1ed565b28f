import { expect, it } from 'vitest';
import { parseUriTemplate } from '../../../src/protocol/uriTemplate.ts';

const names = (template: string): string[] => parseUriTemplate(template).variables.map(({ name }) => name);

it('finds each variable once, in order, whatever the operator', () => {
  expect(names('demo://{a}/{+b,c}{#d}{.e}{/f*}{;g:3}{?h,a}{&i*}').join('')).toBe('abcdefghi');
  expect(names('demo://nothing')).toEqual([]);
  expect(names('x:{a.b}{c%20d}')).toEqual(['a.b', 'c%20d']);
});

it('tells what a URI can do without', () => {
  const { variables } = parseUriTemplate('demo://{country}{?city}{&country}');
  expect(variables.map(({ name, isRequired }) => `${name} ${isRequired}`)).toEqual(['country true', 'city false']);
});

// Values of RFC 6570, section 3.2.
it.each([
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{+path}/here', '/foo/bar/here'],
  ['{#path,x}', '#/foo/bar,1024'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var:1,var}', '/v/value'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{undef}', ''],
])('expands %s to %s [resource-templates]', (template, expanded) => {
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' };
  expect(parseUriTemplate(template).expand(values)).toBe(expanded);
});

it('takes the items of a list from one text', () => {
  expect(parseUriTemplate('file://{/path*}').expand({ path: 'a/b c' })).toBe('file:///a/b%20c');
  expect(parseUriTemplate('x:{?tag*}').expand({ tag: 'a,b' })).toBe('x:?tag=a&tag=b');
});

it('never finds a value in the prototype', () => {
  expect(parseUriTemplate('x:{constructor}{toString}').expand({})).toBe('x:');
  expect(parseUriTemplate('x:{__proto__}').expand(Object.fromEntries([['__proto__', 'a']]))).toBe('x:a');
});

it.each(['x:{', 'x:}', 'x:{}', 'x:{{a}}', 'x:{a b}', 'x:{=a}', 'x:{a,}', 'x:{a:0}'])('refuses %s', (template) => {
  expect(() => parseUriTemplate(template)).toThrow(/cannot be used/);
});

it('says so when a value cannot be part of a URI', () => {
  const expand = () => parseUriTemplate('x:{a}').expand({ a: '\ud800' });
  expect(expand).toThrow(expect.objectContaining({ code: 'invalidArguments' }));
});
