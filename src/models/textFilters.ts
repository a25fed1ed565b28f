/** Changes a text while it streams. */
export interface TextFilter {
  /** @returns what of the text so far can be passed on */
  push(piece: string): string;
  /** @returns what was held back; call it once, after the last piece */
  end(): string;
}

/** A {@link TextFilter} that ends the text at a stop sequence. */
export interface StopFilter extends TextFilter {
  /** A stop sequence was found: it and what follows are not passed on. */
  readonly isStopped: boolean;
}

/**
 * Ends a text before the first of `sequences` that is complete, as a model does that stops there. Providers that know stop
 * sequences have done so already; some take only a few of them, and the Responses API takes none.
 */
export function createStopFilter(sequences: readonly string[]): StopFilter {
  const wanted = [...new Set(sequences)].filter((sequence) => sequence !== '');
  let held = '';
  let isStopped = false;
  return {
    get isStopped() {
      return isStopped;
    },
    push(piece) {
      if (isStopped) return '';
      held += piece;
      const stop = findStop(held, wanted);
      isStopped = stop !== undefined;
      const end = stop ?? held.length - lengthOfBeginning(held, wanted);
      const passed = held.slice(0, end);
      held = isStopped ? '' : held.slice(end);
      return passed;
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** @returns where the sequence begins that is complete first, the longest of several that end there */
function findStop(text: string, sequences: readonly string[]): number | undefined {
  const found = sequences
    .map((sequence) => ({ start: text.indexOf(sequence), length: sequence.length }))
    .filter(({ start }) => start >= 0)
    .toSorted((a, b) => a.start + a.length - (b.start + b.length) || a.start - b.start);
  return found[0]?.start;
}

/** @returns how many characters at the end of `text` may be the beginning of one of `sequences` */
function lengthOfBeginning(text: string, sequences: readonly string[]): number {
  const lengths = sequences.map((sequence) => {
    for (let length = Math.min(sequence.length - 1, text.length); length > 0; length -= 1) {
      if (text.endsWith(sequence.slice(0, length))) return length;
    }
    return 0;
  });
  return Math.max(0, ...lengths);
}

const opening = '<think>';
const closing = '</think>';

/**
 * Leaves out the thoughts with which the answers of some local models begin, between `<think>` and `</think>`, where the
 * server that runs them does not tell them apart.
 */
export function createThoughtFilter(): TextFilter {
  let state: 'beginning' | 'thoughts' | 'answer' = 'beginning';
  let held = '';
  return {
    push(piece) {
      if (state === 'answer') return piece;
      held += piece;
      if (state === 'beginning') {
        const begun = held.trimStart();
        if (begun.length < opening.length && opening.startsWith(begun)) return '';
        state = begun.startsWith(opening) ? 'thoughts' : 'answer';
      }
      return state === 'thoughts' ? skipThoughts() : release();
    },
    end: () => (state === 'thoughts' ? '' : release()),
  };

  function skipThoughts(): string {
    const end = held.indexOf(closing);
    if (end < 0) {
      held = held.slice(-(closing.length - 1));
      return '';
    }
    held = held.slice(end + closing.length).trimStart();
    // The empty lines after the thoughts may still come.
    if (held === '') {
      held = opening + closing;
      return '';
    }
    state = 'answer';
    return release();
  }

  function release(): string {
    const rest = held;
    held = '';
    return rest;
  }
}
