import { expect, it } from 'vitest';
import { collectMessages } from '../../../../src/host/tools/callMessages.ts';

type Sink = (entry: string) => void;

function collect() {
  const sinks = new Set<Sink>();
  const labels: string[] = [];
  const messages = collectMessages(
    {
      capture(label, sink) {
        labels.push(label);
        sinks.add(sink);
        return { dispose: () => void sinks.delete(sink) };
      },
    },
    'demo',
  );
  return { messages, labels, write: (entry: string) => sinks.forEach((sink) => sink(entry)) };
}

it('has the messages from the start of a call to its end', () => {
  const { messages, labels, write } = collect();
  write('before');
  messages.start();
  messages.start();
  write('→ tools/call');
  write('← answer');
  expect(messages.stop()).toBe('→ tools/call\n← answer\n');
  write('after');
  expect(messages.stop()).toBe('→ tools/call\n← answer\n');
  expect(labels).toEqual(['demo']);
});

it('is nothing where nothing was sent, and bounded where there is much', () => {
  expect(collect().messages.stop()).toBeUndefined();
  const { messages, write } = collect();
  messages.start();
  for (let index = 0; index < 600; index += 1) write('x');
  write('y'.repeat(3_000_000));
  expect(messages.stop()?.split('\n').slice(-2)).toEqual(['… 101 more left out', '']);
});
