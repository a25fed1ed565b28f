import { createMessageReader, type MessageOf, text, wholeNumber } from './messageReader.ts';
import type { ShownPlace } from './stackPlaces.ts';

/** A page of facts: the details of what a server is or offers, or the steps of a diagnosis. All texts are plain and bounded. */
export interface FactsView {
  readonly title: string;
  readonly lead?: string;
  /** What the page comes down to, at its top. */
  readonly summary?: FactsSummary;
  /** Buttons below the title. */
  readonly actions: readonly FactsAction[];
  readonly sections: readonly FactsSection[];
}

export interface FactsSummary {
  readonly kind: 'info' | 'error' | 'working';
  readonly text: string;
  /** What can be done next, the most helpful first. */
  readonly actions: readonly FactsAction[];
}

/** A button; pressed, the page sends its id. */
export interface FactsAction {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
}

export type FactsOutcome = 'fine' | 'notice' | 'problem' | 'skipped';

export interface FactsSection {
  /** `undefined`: what is right below the title of the page. */
  readonly title?: string | undefined;
  readonly outcome?: FactsOutcome;
  readonly parts: readonly FactsPart[];
  readonly actions?: readonly FactsAction[];
}

export type FactsPart =
  | { readonly kind: 'facts'; readonly facts: readonly ShownFact[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'text' | 'code'; readonly text: string }
  /** A list that opens on demand. */
  | { readonly kind: 'folded'; readonly title: string; readonly items: readonly string[] };

export interface ShownFact {
  readonly name: string;
  /** With line breaks, it keeps them. */
  readonly text: string;
  /** `text` is a web address that opens from here, after a question. */
  readonly isLink?: boolean;
}

export const outcomeWords: Readonly<Record<FactsOutcome, string>> = {
  fine: 'OK',
  notice: 'Worth a look',
  problem: 'Problem',
  skipped: 'Skipped',
};

export interface FactsToPanel {
  readonly type: 'show';
  readonly view: FactsView;
  /** What is shown has changed, and the person stays where they are in it. */
  readonly isUpdate: boolean;
  /** Places in files of the workspace, which the page draws as links. */
  readonly places: readonly ShownPlace[];
  /** What the page keeps, and gives back after a reload of the window. */
  readonly kept?: unknown;
}

/** Checks a message from a page of facts. @returns `undefined` for an invalid message, which callers ignore */
export const readFactsMessage = createMessageReader({
  ready: {},
  action: { id: text },
  openLink: { uri: text },
  openPlace: { index: wholeNumber() },
});

export type FactsFromPanel = MessageOf<typeof readFactsMessage>;

/** The same as lines of text, to be copied. */
export function factsText({ title, lead, summary, sections }: FactsView): string {
  const lines = [title, ...(lead === undefined ? [] : [lead])];
  if (summary !== undefined) lines.push('', summary.text);
  for (const section of sections) {
    const outcome = section.outcome === undefined ? [] : [`[${outcomeWords[section.outcome]}]`];
    lines.push('');
    if (section.title !== undefined) lines.push([section.title, ...outcome].join(' '));
    for (const part of section.parts) lines.push(...partLines(part));
  }
  return `${lines.join('\n')}\n`;
}

function partLines(part: FactsPart): readonly string[] {
  switch (part.kind) {
    case 'facts':
      return part.facts.map(({ name, text: fact }) => `${name}: ${fact.replaceAll('\n', '\n  ')}`);
    case 'list':
      return part.items.map(listLine);
    case 'text':
    case 'code':
      return [part.text];
    case 'folded':
      return [`${part.title}:`, ...part.items.map(listLine)];
  }
}

/** Further lines are indented: they are no items of their own. */
function listLine(item: string): string {
  return `- ${item.replaceAll('\n', '\n  ')}`;
}
