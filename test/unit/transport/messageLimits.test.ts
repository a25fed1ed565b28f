import { expect, it } from 'vitest';
import { findAnswerId } from '../../../src/transport/messageLimits.ts';

it.each([
  ['{"jsonrpc":"2.0","id":5,"result":{"content":[[[', undefined, 5],
  ['{"jsonrpc":"2.0","id":"5","result":{', undefined, 5],
  ['{"jsonrpc":"2.0","result":[', '],"id":"5"}', 5],
  ['{ "id": 5, "jsonrpc": "2.0", "result": {', undefined, 5],
  ['{"result":{"content":[[[', ']]]},"jsonrpc":"2.0","id":5}', 5],
  ['{"jsonrpc":"2.0","result":[', '],"id":5,"jsonrpc":"2.0"}\r', 5],
])('finds the id of %s', (head, tail, id) => {
  expect(findAnswerId(head, tail)).toBe(id);
});

it.each([
  ['a request', '{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage"', '}'],
  ['a request with its id at the end', '{"method":"x","params":[', '],"jsonrpc":"2.0","id":5}'],
  ['an id inside the result', '{"result":{"id":5,', '{"id":5}]'],
  ['an answer whose end is not known', '{"result":{', undefined],
  ['no message', '[{},{},{}', '{},{}]'],
])('finds none in %s', (_, head, tail) => {
  expect(findAnswerId(head, tail)).toBeUndefined();
});
