import { describe, expect, it } from 'vitest';
import { toResultView } from '../../../../src/host/results/resultDocument.ts';
import { instructionsDocument } from '../../../../src/host/results/textResults.ts';
import { running, sampleServer, session } from '../sampleServer.ts';

describe('the instructions of a server', () => {
  it('are a document of their own, and said to be for models', () => {
    const instructions = '# Use\n\nCall **add**.';
    const document = instructionsDocument(
      sampleServer('demo', { state: running, session: { ...session, instructions } }),
    );
    const view = toResultView(document);
    expect(view.body).toEqual({ kind: 'text', text: instructions });
    expect(view.title).toBe('Instructions: demo');
    expect(view.notices).toEqual([expect.stringContaining('for language models')]);
  });

  it('are said to be missing, or not known yet', () => {
    expect(() => instructionsDocument(sampleServer('demo', { state: running, session }))).toThrow(
      'has no instructions',
    );
    expect(() => instructionsDocument(sampleServer('demo'))).toThrow('is not running');
  });
});
