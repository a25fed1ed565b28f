import type { Surroundings } from '../../shared/appMessages.ts';

/** The variables of VS Code that those of the specification take their value from, the first that has one. */
const sources: readonly (readonly [variables: string, ...sources: readonly string[]])[] = [
  ['color-background-primary color-text-inverse color-ring-inverse', 'editor-background'],
  ['color-background-secondary', 'sideBar-background', 'editor-background'],
  ['color-background-tertiary', 'editorWidget-background', 'editor-background'],
  ['color-background-inverse color-text-primary color-border-inverse', 'foreground'],
  ['color-background-info', 'inputValidation-infoBackground', 'editor-background'],
  ['color-background-danger', 'inputValidation-errorBackground', 'editor-background'],
  ['color-background-success', 'diffEditor-insertedLineBackground', 'editor-background'],
  ['color-background-warning', 'inputValidation-warningBackground', 'editor-background'],
  ['color-background-disabled', 'input-background', 'editor-background'],
  ['color-text-secondary color-text-tertiary', 'descriptionForeground', 'foreground'],
  ['color-text-ghost color-text-disabled', 'disabledForeground', 'foreground'],
  ['color-text-info', 'editorInfo-foreground', 'foreground'],
  ['color-text-danger', 'errorForeground', 'foreground'],
  ['color-text-success color-border-success', 'testing-iconPassed', 'foreground'],
  ['color-text-warning', 'editorWarning-foreground', 'foreground'],
  ['color-border-primary', 'contrastBorder', 'widget-border', 'panel-border', 'descriptionForeground'],
  ['color-border-secondary color-border-tertiary', 'contrastBorder', 'panel-border', 'descriptionForeground'],
  ['color-border-info', 'inputValidation-infoBorder', 'editorInfo-foreground'],
  ['color-border-danger', 'inputValidation-errorBorder', 'errorForeground'],
  ['color-border-warning', 'inputValidation-warningBorder', 'editorWarning-foreground'],
  ['color-border-disabled', 'disabledForeground', 'foreground'],
  ['color-ring-primary color-ring-secondary color-ring-info color-ring-success', 'focusBorder'],
  ['color-ring-warning', 'inputValidation-warningBorder', 'focusBorder'],
  ['color-ring-danger', 'inputValidation-errorBorder', 'focusBorder'],
  ['font-sans', 'font-family'],
  ['font-mono', 'editor-font-family', 'font-family'],
];

/** Under these names an app has the fonts of the window, by `@font-face` (SEP-1865, `styles.css.fonts`). */
const ownFonts = [
  ['VS Code', 'font-family', '--font-sans'],
  ['VS Code Editor', 'editor-font-family', '--font-mono'],
] as const;

/** Pixels of texts and headings, for a window whose texts have 13. */
const textSizes = { xs: 11, sm: 12, md: 13, lg: 15 };
const headingSizes = { xs: 13, sm: 14, md: 16, lg: 18, xl: 20, '2xl': 24, '3xl': 28 };

const fixed: Readonly<Record<string, string>> = {
  '--color-background-ghost': 'transparent',
  '--color-border-ghost': 'transparent',
  '--font-weight-normal': '400',
  '--font-weight-medium': '500',
  '--font-weight-semibold': '600',
  '--font-weight-bold': '700',
  '--border-radius-xs': '2px',
  '--border-radius-sm': '3px',
  '--border-radius-md': '4px',
  '--border-radius-lg': '6px',
  '--border-radius-xl': '8px',
  '--border-radius-full': '9999px',
  '--border-width-regular': '1px',
  '--shadow-hairline': '0 0 0 1px rgb(0 0 0 / 10%)',
  '--shadow-sm': '0 1px 2px light-dark(rgb(0 0 0 / 14%), rgb(0 0 0 / 28%))',
  '--shadow-md': '0 2px 8px light-dark(rgb(0 0 0 / 16%), rgb(0 0 0 / 36%))',
  '--shadow-lg': '0 4px 16px light-dark(rgb(0 0 0 / 20%), rgb(0 0 0 / 44%))',
};

/**
 * Measures what surrounds an app now.
 * @param place where its frame goes
 * @param room how high that can be, in pixels
 */
export function measureSurroundings(place: HTMLElement, room: number): Surroundings {
  return {
    theme: themeOfPage(),
    variables: readVariables(),
    fonts: readFonts(),
    width: place.clientWidth,
    height: place.clientHeight,
    room,
    hasTouch: matchMedia('(any-pointer: coarse)').matches,
    hasHover: matchMedia('(hover: hover)').matches,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export function themeOfPage(): Surroundings['theme'] {
  const { classList } = document.body;
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light') ? 'light' : 'dark';
}

/** The variables of VS Code do not reach into the frame: their values do (SEP-1865, "Theming"). */
function readVariables(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const value = (names: readonly string[]): string | undefined =>
    names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim()).find((found) => found !== '');
  const variables: Record<string, string> = { ...fixed };
  for (const [names, ...from] of sources) {
    const found = value(from);
    if (found !== undefined) for (const name of names.split(' ')) variables[`--${name}`] = found;
  }
  for (const [name, , variable] of ownFonts) {
    const fonts = variables[variable]?.split(',') ?? [];
    const first = fonts.findIndex(isNamed);
    if (first !== -1)
      variables[variable] = fonts
        .map((font) => font.trim())
        .toSpliced(first, 0, `"${name}"`)
        .join(', ');
  }
  const scale = (Number.parseFloat(value(['font-size']) ?? '') || 13) / 13;
  const addSizes = (kind: string, sizes: Readonly<Record<string, number>>, lineHeight: string): void => {
    for (const [name, pixels] of Object.entries(sizes)) {
      variables[`--font-${kind}-${name}-size`] = `${Math.round(pixels * scale * 10) / 10}px`;
      variables[`--font-${kind}-${name}-line-height`] = lineHeight;
    }
  };
  addSizes('text', textSizes, '1.45');
  addSizes('heading', headingSizes, '1.3');
  return variables;
}

/** Words in a list of fonts that name no font. */
const generic =
  /^(?:-.*|(?:ui-)?(?:sans-serif|serif|monospace|rounded)|system-ui|BlinkMacSystemFont|cursive|fantasy|emoji|math)$/i;

function nameOf(font: string): string {
  return font.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** True for a font that is named in a list, and can be written into a rule. */
function isNamed(font: string): boolean {
  const name = nameOf(font);
  return /^[\w .-]{1,80}$/.test(name) && !generic.test(name);
}

/**
 * The rules for {@link ownFonts}: each is the first font of its list that is installed. Bold has a rule too, as a browser makes it up
 * otherwise; where no bold font has such a name, the next font in the app's list is used.
 */
function readFonts(): string {
  const style = getComputedStyle(document.documentElement);
  return ownFonts
    .flatMap(([name, variable]) => {
      const fonts = style.getPropertyValue(`--vscode-${variable}`).split(',').filter(isNamed).slice(0, 10).map(nameOf);
      const rule = (weight: string, suffix: string): string =>
        `@font-face { font-family: "${name}"; font-weight: ${weight}; src: ${fonts.map((font) => `local("${font}${suffix}")`).join(', ')} }`;
      return fonts.length === 0 ? [] : [rule('400', ''), rule('600 900', ' Bold')];
    })
    .join('\n');
}

/** Calls `onChange` after the theme, the fonts or the size of the places have changed, once for each frame that is drawn. */
export function followSurroundings(places: readonly HTMLElement[], onChange: () => void): void {
  let isWaiting = false;
  const later = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      onChange();
    });
  };
  const sizes = new ResizeObserver(later);
  for (const place of places) sizes.observe(place);
  const themes = new MutationObserver(later);
  themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}
