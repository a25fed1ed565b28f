import { isRecord, type JsonObject } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { BranchMemory } from '../../forms/branchMemory.ts';
import { FormEngine } from '../../forms/formEngine.ts';
import { valueAt } from '../../forms/valueAt.ts';
import {
  type CallView,
  invalidArguments,
  type PagePlace,
  type ToolFromPanel,
  type ToolToPanel,
  type ToolView,
} from '../../shared/toolMessages.ts';
import { banner, button, countOf, element, fill, icon, inlineText, linkButton } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { SchemaForm, type ShownProblem } from '../form/schemaForm.ts';
import { createRelativeTimes } from '../relativeTime.ts';
import { createCallBar } from './callBar.ts';
import { createHistorySection, createSavedCallList } from './historySection.ts';
import { createOutcomeSection } from './outcomeSection.ts';
import { headerElements } from './toolHeader.ts';
import { fromSent, toSent } from '../../shared/exactMessages.ts';

/** Milliseconds after a change before it goes to the extension; a call does not wait for that. */
const editPauseMs = 100;

export class ToolPage {
  readonly #extension = connectToExtension<ToolFromPanel>((message: ToolToPanel) => this.#receive(message));
  /** What was typed last goes first. */
  readonly #send = (message: ToolFromPanel): void => {
    this.#sendEdit();
    this.#extension.send(message);
  };
  readonly #header = element('header', { class: 'page-header' });
  readonly #main = element('main', { class: 'tool' });
  readonly #bar = createCallBar(() => this.#call(), this.#send);
  readonly #summary = createProblemSummary();
  readonly #broken = element('div', { class: 'broken', hidden: true });
  readonly #formPlace = element('div', { class: 'form-place' });
  readonly #timeOf = createRelativeTimes(this.#main);
  readonly #outcome = createOutcomeSection(this.#send, this.#timeOf);
  readonly #saved = createSavedCallList(this.#send);
  readonly #history = createHistorySection(this.#send, this.#timeOf);
  /** A live region: screen readers read each change. */
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  #memory: BranchMemory;
  #schema = '';
  #revision = 0;
  #form: SchemaForm | undefined;
  #args: JsonObject = {};
  #problems: readonly SchemaProblem[] = [];
  #note: string | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #isBroken = false;
  /** The person has begun: until then, the page does not say that an empty form is incomplete. */
  #hasBegun = false;
  /** The person has tried to call: until then, what is not filled in is no problem. */
  #wasTried = false;
  /** The extension wants the first field to have the focus, and there was none yet. */
  #wantsFocus = false;
  /** The person has opened, closed or filtered something that only the page knows of. */
  #holdsMore = false;
  /** The id of the control that had the focus last: a page that is hidden has none. */
  #control = '';

  constructor(root: HTMLElement) {
    this.#outcome.show(undefined);
    const state = this.#extension.getState();
    this.#memory = BranchMemory.fromJson(isRecord(state) ? state['branches'] : undefined);
    this.#main.append(
      element(
        'section',
        { class: 'arguments', 'aria-label': 'Arguments' },
        this.#bar.element,
        this.#saved.element,
        this.#summary.element,
        this.#broken,
        this.#formPlace,
      ),
      element('div', { class: 'outcomes' }, this.#outcome.element, this.#history.element),
    );
    root.append(this.#header, this.#main, this.#status);
    window.addEventListener('keydown', (event) => this.#onKey(event));
    const note = (event: Event): void => {
      const isOfBar = event.target instanceof Node && this.#bar.element.contains(event.target);
      this.#holdsMore ||= !isOfBar && usesPageAlone(event, this.#formPlace);
    };
    // Before a click takes its own target out of the page.
    for (const type of ['click', 'keydown', 'input']) window.addEventListener(type, note, { capture: true });
    window.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) this.#control = target.id;
    });
    // A question of the editor, or another tab, takes the focus, and the page gets it back without its control.
    window.addEventListener('focus', () => this.#restoreFocus());
  }

  start(): void {
    this.#extension.send({ type: 'ready' });
  }

  #receive(message: ToolToPanel): void {
    switch (message.type) {
      case 'tool':
        return this.#showTool(message.view);
      case 'arguments':
        return this.#showArguments(fromSent(message.args));
      case 'broken':
        return this.#setBroken(message.problem);
      case 'problems':
        this.#problems = message.problems;
        this.#note = message.note;
        return this.#showProblems();
      case 'call':
        return this.#showCall(message.call);
      case 'outcome':
        return this.#showOutcome(message);
      case 'outcomeOf':
        return this.#outcome.showOf(message.summary);
      case 'callsAgain':
        return this.#bar.showCallsAgain(message.isOffered, message.isOn);
      case 'history':
        return this.#history.show(message.history);
      case 'saved':
        return this.#saved.show(message.calls);
      case 'focus':
        this.#wantsFocus = true;
        return this.#focusFirst();
      case 'leave':
        return this.#leave();
      case 'return':
        return this.#returnTo(message.place);
    }
  }

  #showCall(call: CallView): void {
    const words = this.#bar.showCall(call);
    if (words !== '') this.#say(words);
    if (call.kind !== 'idle' || call.isInvalid !== true) return;
    // The call may be one of the history.
    this.#markTried();
    // Another page of the tool, or an editor, may have the focus.
    if (document.hasFocus()) this.#form?.focusProblem();
  }

  #leave(): void {
    this.#sendEdit();
    const problems = [...this.#problems, ...(this.#form?.inputProblems ?? [])];
    if (this.#form === undefined || this.#isBroken || this.#holdsMore || problems.length > 0) return;
    this.#extension.send({
      type: 'left',
      place: { top: window.scrollY, control: this.#control },
      args: toSent(this.#args),
    });
  }

  #showTool(view: ToolView): void {
    const isReplaced = view.state === 'replaced';
    const findings = (): HTMLDetailsElement | null => this.#header.querySelector<HTMLDetailsElement>('.findings');
    const before = findings();
    const isFocused = before?.contains(document.activeElement) === true;
    const open = { label: 'Open Tool', icon: 'tools', onClick: () => this.#send({ type: 'openTool' }) };
    fill(
      this.#header,
      headerElements(view, (url) => this.#send({ type: 'openSource', url })),
      isReplaced && button(open),
    );
    // The header is drawn again with each change of the server, as after each restart: what was unfolded stays so.
    if (before !== null) findings()?.toggleAttribute('open', before.open);
    if (isFocused) findings()?.querySelector('summary')?.focus();
    this.#main.hidden = isReplaced;
    this.#bar.showState(view.state);
    this.#revision = view.revision;
    const schema = JSON.stringify(view.schema);
    if (this.#form !== undefined && schema === this.#schema) return;
    this.#schema = schema;
    this.#form = new SchemaForm({
      engine: new FormEngine(view.schema),
      value: this.#args,
      memory: this.#memory,
      onChange: (args) => this.#changed(args),
      onFill: (path, source) => this.#send({ type: 'fill', path, source }),
      say: (text) => this.#say(text),
    });
    this.#formPlace.replaceChildren(this.#form.element);
    this.#showProblems();
  }

  #showOutcome({ outcome, textStyle }: Extract<ToolToPanel, { readonly type: 'outcome' }>): void {
    const words = this.#outcome.show(outcome, textStyle);
    // Shown again, such as in a page that comes back.
    if (outcome === undefined || outcome.isRestored === true || (this.#bar.isIdle() && outcome.isPast !== true)) return;
    this.#say(words);
    // The form may be longer than the window, and the person wants to see how the call ended.
    this.#outcome.reveal();
  }

  #showArguments(args: JsonObject): void {
    this.#setBroken(undefined);
    // What was typed meanwhile is newer than what the extension had.
    if (this.#pause !== undefined) return;
    this.#args = args;
    this.#form?.setValue(args);
    this.#focusFirst();
  }

  #setBroken(problem: string | undefined): void {
    this.#isBroken = problem !== undefined;
    this.#formPlace.inert = this.#isBroken;
    this.#broken.hidden = !this.#isBroken;
    if (problem === undefined) return;
    const words = 'Arguments are not valid JSON. Fix them to use the form. ';
    fill(
      this.#broken,
      banner('error', element('span', {}, words, inlineText(problem))),
      button({ label: 'Open JSON', icon: 'json', onClick: () => this.#send({ type: 'openJson' }) }),
    );
  }

  #changed(args: JsonObject): void {
    this.#args = args;
    this.#bar.clearNote();
    // It was about other arguments.
    if (this.#bar.isConfirming()) this.#extension.send({ type: 'cancel' });
    this.#hasBegun = true;
    this.#extension.setState({ branches: this.#memory.toJson() });
    this.#pause ??= setTimeout(() => this.#sendEdit(), editPauseMs);
    // Checked again when the person pauses: until then, what is filled in by now is not said to be missing.
    const hasMissing = this.#problems.some(({ isMissing }) => isMissing === true);
    if (hasMissing || (this.#form !== undefined && this.#form.inputProblems.length > 0)) this.#showProblems();
  }

  /** A check is about arguments that may be older than those of the page. */
  #isOutdated({ path, isMissing }: SchemaProblem): boolean {
    return isMissing === true && valueAt(this.#args, path) !== undefined;
  }

  #sendEdit(): void {
    if (this.#pause === undefined) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#extension.send({ type: 'edit', args: toSent(this.#args) });
  }

  #showProblems(): void {
    const form = this.#form;
    if (form === undefined) return;
    const isUntouched = !this.#hasBegun && Object.keys(this.#args).length === 0;
    const { inputProblems } = form;
    const isDue = (problem: SchemaProblem): boolean =>
      !this.#isOutdated(problem) && (this.#wasTried || valueAt(this.#args, problem.path) !== undefined);
    const shown = form.showProblems(isUntouched ? [] : this.#problems.filter(isDue));
    // A field with text that is no value counts once, not as empty as well.
    const idOf = ({ path }: ShownProblem): string => JSON.stringify(path.map(String));
    const invalid = new Set(inputProblems.map(idOf));
    this.#summary.show([...inputProblems, ...shown.filter((problem) => !invalid.has(idOf(problem)))], this.#note);
  }

  #call(): void {
    const form = this.#form;
    if (this.#isBroken || this.#main.hidden) return;
    this.#markTried();
    this.#sendEdit();
    if (form !== undefined && form.inputProblems.length > 0)
      return this.#showCall({ kind: 'idle', note: invalidArguments, isInvalid: true });
    this.#say('Calling.');
    this.#extension.send({ type: 'call', args: toSent(this.#args), revision: this.#revision });
  }

  /** From now on, what is not filled in is a problem too. */
  #markTried(): void {
    this.#hasBegun = true;
    this.#wasTried = true;
    this.#showProblems();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#bar.isConfirming() && !event.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      return this.#send({ type: 'cancel' });
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#bar.press();
  }

  #focusFirst(): void {
    if (!this.#wantsFocus || this.#form === undefined) return;
    this.#wantsFocus = false;
    if (!this.#form.focusFirst()) this.#bar.focus();
  }

  /** Brings a page that shows the same as before to a place, unless the focus has a place in it already. */
  #returnTo({ top, control }: PagePlace): void {
    if (document.activeElement !== document.body) return;
    window.scrollTo(0, top);
    this.#control = control;
    // A page can take the focus from where the person types meanwhile.
    if (document.hasFocus()) this.#restoreFocus();
  }

  #restoreFocus(): void {
    if (document.activeElement === document.body)
      document.getElementById(this.#control)?.focus({ preventScroll: true });
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}

/** Keys with which a control is used. Others may be for the window, such as F1. */
const usingKeys = ['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', '*', 'Delete', 'Backspace'];

/**
 * True for a click, a key or an input with which the person may open, close, choose or put aside something that only the page knows of: all
 * but those in a field of the form.
 */
function usesPageAlone(event: Event, form: HTMLElement): boolean {
  const { target } = event;
  if (!(target instanceof Element) || (event instanceof KeyboardEvent && !usingKeys.includes(event.key))) return false;
  if (form.contains(target) && target.matches('input, textarea')) return false;
  return target.closest('a, button, input, select, summary, textarea, [role]:not(main, [role=main])') !== null;
}

const maximumListed = 20;

/** The list above the form of what is wrong in it, each with the way to its field; hidden where nothing is. */
function createProblemSummary() {
  const heading = element('h2');
  const list = element('ul');
  const noted = element('p', { class: 'hint' });
  const box = element(
    'section',
    { class: 'problems banner warning', 'aria-label': 'Problems', hidden: true },
    icon('warning'),
    element('div', {}, heading, list, noted),
  );
  return {
    element: box,
    /** @param note why the arguments were not checked */
    show(problems: readonly ShownProblem[], note = ''): void {
      box.hidden = problems.length === 0 && note === '';
      heading.textContent =
        problems.length === 0 ? 'Not checked' : `${countOf(problems.length, 'problem')} in the arguments`;
      fill(list, problems.slice(0, maximumListed).map(entryElement));
      const left = problems.length - maximumListed;
      noted.textContent = `${note} ${left > 0 ? `${countOf(left, 'more problem')}.` : ''}`.trim();
    },
  };
}

function entryElement({ sentence, focus }: ShownProblem): HTMLElement {
  return element('li', {}, linkButton(focus, inlineText(sentence)));
}
