import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import type { BranchMemory } from '../../forms/branchMemory.ts';
import type { ValuePath } from '../../forms/field.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { element } from '../dom.ts';
import { createFormNode } from './formNode.ts';
import type { FormContext, FormNode } from './formParts.ts';
import { shownPath } from './shownText.ts';

/** What a form shows, and whom it tells. */
export interface SchemaFormOptions {
  readonly engine: FormEngine;
  readonly value: JsonObject;
  readonly memory: BranchMemory;
  /** The person has changed the value: with each key. */
  readonly onChange: (value: JsonObject) => void;
  /** Fills a value from elsewhere; absent: the menus do not offer it. */
  readonly onFill?: (path: ValuePath, source: FillSource) => void;
  /** Values used before, newest first. */
  readonly recentValues?: (path: ValuePath) => readonly JsonValue[];
  /** Tells screen readers. */
  readonly say: (text: string) => void;
}

/** A form for the arguments of a tool. */
export interface SchemaForm {
  readonly element: HTMLElement;
  /** Shows another value, for instance one edited as JSON; the focus stays where it can. Does not call `onChange`. */
  setValue(value: JsonObject): void;
  /** Shows problems at their fields, or at the nearest that can be seen. @returns them with the way to their fields */
  showProblems(problems: readonly SchemaProblem[]): readonly ShownProblem[];
  /** Fields with a text that is no value, which stops a call. */
  readonly inputProblems: readonly ShownProblem[];
  focusFirst(): void;
}

/** A problem with the way to its field. */
export interface ShownProblem {
  readonly label: string;
  readonly message: string;
  focus(): void;
}

/** Draws the form. */
export function createSchemaForm(options: SchemaFormOptions): SchemaForm {
  const { engine, memory, onChange, say } = options;
  const inputProblems = new Map<FormNode, string>();
  let value = options.value;
  let marked = new Map<FormNode, string[]>();
  let problems: readonly SchemaProblem[] = [];
  const context: FormContext = {
    engine,
    memory,
    get value() {
      return value;
    },
    replace(next) {
      value = next;
      root.update(rootPlace(next));
      onChange(next);
    },
    redrawn: () => void mark(problems),
    forgetProblems(path) {
      problems = problems.filter((problem) => !path.every((step, index) => String(step) === problem.path[index]));
      mark(problems);
    },
    say,
    onFill: options.onFill,
    recentValues: options.recentValues,
    afterPointerUp: (run) => run(),
    createNode: createFormNode,
    inputProblems,
  };
  const rootPlace = (shown: JsonObject) => ({ schema: engine.root, value: shown, name: 'Arguments', isRequired: true });
  const root: FormNode = createFormNode({
    context,
    parent: undefined,
    key: undefined,
    layout: 'root',
    place: rootPlace(value),
  });

  /** The node at a path, or the nearest above it that can be seen. */
  function nodeAt(path: readonly string[], open: boolean): FormNode {
    let node = root;
    for (const step of path) {
      const child = node.child(step, open);
      if (child === undefined) return node;
      node = child;
    }
    return node;
  }

  function mark(shown: readonly SchemaProblem[]): void {
    const next = new Map<FormNode, string[]>();
    for (const { path, message } of shown) {
      const node = nodeAt(path, false);
      const below = path.slice(node.path.length).join('.');
      const messages = next.get(node) ?? [];
      messages.push(below === '' ? message : `${below} ${message}`);
      next.set(node, messages);
    }
    for (const node of marked.keys()) if (!next.has(node)) node.showProblems([]);
    for (const [node, messages] of next) node.showProblems(messages);
    marked = next;
  }

  return {
    element: element('div', { class: 'form' }, root.element),
    setValue(next) {
      if (next === value) return;
      value = next;
      root.update(rootPlace(next));
    },
    showProblems(found) {
      problems = found;
      mark(found);
      return found.map(({ path, message }) => ({
        label: path.length === 0 ? 'Arguments' : shownPath(path),
        message,
        focus: () => nodeAt(path, true).focus(),
      }));
    },
    get inputProblems() {
      return [...inputProblems]
        .filter(([node]) => node.element.isConnected)
        .map(([node, message]) => ({ label: shownPath(node.path), message, focus: () => node.focus() }));
    },
    focusFirst: () => root.focus(),
  };
}
