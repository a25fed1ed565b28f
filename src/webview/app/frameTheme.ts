type Theme = 'light' | 'dark';

const named = /\(\s*prefers-color-scheme\s*:\s*(?:light|dark)\s*\)/i;

/**
 * A question for a theme, as the app writes it or as it is kept here: a feature that is always true, or never, where the frame
 * has a width. It says by its number which theme was asked for, so that it can be asked again.
 */
const question = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)|\((?:min|max)-width:\s*0\.1([12])px\)/gi;

/** Media queries, or style sheets, in which the questions for a theme have their answer. */
function answered(text: string, theme: Theme): string {
  return text.replaceAll(question, (_whole, written: string | undefined, number: string) => {
    const wanted = written?.toLowerCase() ?? (number === '1' ? 'light' : 'dark');
    return `(${wanted === theme ? 'min' : 'max'}-width: 0.1${wanted === 'light' ? 1 : 2}px)`;
  });
}

/**
 * Makes `prefers-color-scheme` of this document follow the theme of the window, which is not that of the system: in style sheets,
 * in `matchMedia`, in pictures, and for a document that says it can be both.
 * @returns a function that takes the theme of the window from now on
 */
export function followTheme(first: Theme): (now: Theme) => void {
  let theme = first;
  const sheets = createSheets(() => theme);
  const queries = createQueries(() => theme);
  window.addEventListener('resize', () => queries.check());
  return (now) => {
    if (now === theme) return;
    theme = now;
    sheets.update();
    queries.check();
  };
}

/** Takes the place of `matchMedia`. Lists are held weakly: some apps ask for one each time they draw. */
function createQueries(theme: () => Theme) {
  const original = window.matchMedia.bind(window);
  const followed = createWeakSet<MediaQueryList>();
  const known = new WeakMap<MediaQueryList, boolean>();
  window.matchMedia = (text) => {
    if (!named.test(text)) return original(text);
    // This one never changes by itself.
    const list = original('not all');
    Object.defineProperty(list, 'media', { value: original(text).media });
    Object.defineProperty(list, 'matches', { get: () => original(answered(text, theme())).matches });
    known.set(list, list.matches);
    followed.add(list);
    return list;
  };
  return {
    check(): void {
      for (const list of followed.living()) {
        const { media, matches } = list;
        if (known.get(list) === matches) continue;
        known.set(list, matches);
        list.dispatchEvent(new MediaQueryListEvent('change', { media, matches }));
      }
    },
  };
}

/** Follows the style sheets of the document and of the shadow trees in it. */
function createSheets(theme: () => Theme) {
  const roots = createWeakSet<Document | ShadowRoot>();
  /** Those that scripts write into, which may be in use anywhere. */
  const written = createWeakSet<CSSStyleSheet>();
  let seen = new WeakSet<CSSStyleSheet>();
  const scheme = createScheme(theme);

  const lookAtNew = (root: Document | ShadowRoot): void => {
    const unseen = [...root.styleSheets].filter((sheet) => !seen.has(sheet));
    for (const sheet of unseen) {
      answerSheet(sheet, theme());
      seen.add(sheet);
    }
    if (unseen.length > 0) scheme.update();
  };
  const watch = (root: Document | ShadowRoot): void => {
    roots.add(root);
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) answerPictures(node, theme());
      lookAtNew(root);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    const looked = ({ target }: Event): void => {
      // Now it has what it imports.
      const isSheet = target instanceof HTMLStyleElement || target instanceof HTMLLinkElement;
      if (isSheet && target.sheet !== null) seen.delete(target.sheet);
      lookAtNew(root);
    };
    root.addEventListener('load', looked, { capture: true });
  };

  watch(document);
  document.addEventListener('DOMContentLoaded', () => scheme.start());
  watchShadowTrees(watch);
  answerInScripts((sheet) => written.add(sheet), theme);

  return {
    update(): void {
      seen = new WeakSet();
      for (const sheet of written.living()) answerSheet(sheet, theme());
      for (const root of roots.living()) {
        lookAtNew(root);
        answerPictures(root, theme());
      }
      scheme.update();
    },
  };
}

/** A set that holds its members weakly, and forgets those that are gone each time that it has doubled. */
function createWeakSet<Member extends WeakKey>() {
  const known = new WeakSet<Member>();
  let held: WeakRef<Member>[] = [];
  let most = 100;
  return {
    add(member: Member): void {
      if (known.has(member)) return;
      known.add(member);
      held.push(new WeakRef(member));
      if (held.length < most) return;
      held = held.filter((weak) => weak.deref() !== undefined);
      most = Math.max(100, held.length * 2);
    },
    living: (): readonly Member[] => held.flatMap((weak) => weak.deref() ?? []),
  };
}

function watchShadowTrees(watch: (root: ShadowRoot) => void): void {
  const { prototype } = Element;
  const attach: (this: Element, init: ShadowRootInit) => ShadowRoot = Reflect.get(prototype, 'attachShadow');
  prototype.attachShadow = function attachWatched(this: Element, init) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };
}

function answerSheet(sheet: CSSStyleSheet, theme: Theme): void {
  answerMedia(sheet.media, theme);
  try {
    answerRules(sheet.cssRules, theme);
  } catch {
    // It is from another origin that does not let it be read.
  }
}

function answerRules(rules: CSSRuleList, theme: Theme): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule || rule instanceof CSSImportRule) answerMedia(rule.media, theme);
    if (rule instanceof CSSImportRule && rule.styleSheet) answerSheet(rule.styleSheet, theme);
    if ('cssRules' in rule && rule.cssRules instanceof CSSRuleList) answerRules(rule.cssRules, theme);
  }
}

function answerMedia(media: MediaList, theme: Theme): void {
  const text = answered(media.mediaText, theme);
  if (text !== media.mediaText) media.mediaText = text;
}

function answerPictures(node: Node, theme: Theme): void {
  if (!(node instanceof Element || node instanceof Document || node instanceof ShadowRoot)) return;
  const inside = node.querySelectorAll<HTMLSourceElement>('source[media]');
  for (const source of node instanceof HTMLSourceElement ? [node] : inside) {
    const media = answered(source.media, theme);
    if (media !== source.media) source.media = media;
  }
}

/** What scripts write into style sheets gets its answer at once. @param onSheet gets each sheet that has a question in it */
function answerInScripts(onSheet: (sheet: CSSStyleSheet) => void, theme: () => Theme): void {
  type Write = (this: object, text: string, ...rest: unknown[]) => unknown;
  const change = (prototype: object, name: string): void => {
    const original = Reflect.get(prototype, name) as Write;
    const replacement = function writeAnswered(this: CSSStyleSheet | CSSRule, text: unknown, ...rest: unknown[]) {
      const given = String(text);
      const sheet = this instanceof CSSRule ? this.parentStyleSheet : this;
      if (sheet !== null && named.test(given)) onSheet(sheet);
      return original.call(this, answered(given, theme()), ...rest);
    };
    Object.defineProperty(prototype, name, { value: replacement, writable: true, configurable: true });
  };
  for (const name of ['insertRule', 'replace', 'replaceSync']) change(CSSStyleSheet.prototype, name);
  change(CSSGroupingRule.prototype, 'insertRule');
}

/** A document that can be light and dark is what the window is, also where no media query asks. */
function createScheme(theme: () => Theme) {
  let isStarted = false;
  let given = '';
  const update = (): void => {
    const root = document.documentElement;
    // Before the document is read, a style here would take the place of the app's own.
    if (!isStarted || root.style.colorScheme !== given) return;
    root.style.colorScheme = '';
    const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme" i]')?.content ?? '';
    const own = getComputedStyle(root).colorScheme;
    const words = (own === 'normal' ? meta : own).split(/\s+/);
    given = words.includes('light') && words.includes('dark') ? theme() : '';
    root.style.colorScheme = given;
  };
  return {
    update,
    start(): void {
      isStarted = true;
      update();
    },
  };
}
