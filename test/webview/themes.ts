/** Each theme with the class of its pages. */
const bodyClasses = {
  'dark-modern': 'vscode-dark',
  'light-modern': 'vscode-light',
  'hc-black': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast-light',
};

export type ThemeName = keyof typeof bodyClasses;

const fonts = {
  'font-family': 'system-ui, Ubuntu, "Droid Sans", "DejaVu Sans", sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': '"DejaVu Sans Mono", monospace',
  'editor-font-size': '14px',
};

/** The theme variables of VS Code 1.139 that the panels use, in the order of the themes; empty where a theme has none. */
const colors: Readonly<Record<string, readonly string[]>> = {
  foreground: ['#CCCCCC', '#3B3B3B', '#FFFFFF', '#292929'],
  descriptionForeground: ['#9D9D9D', '#3B3B3B', '#ffffffb3', '#292929'],
  errorForeground: ['#F85149', '#F85149', '#F48771', '#B5200D'],
  focusBorder: ['#0078D4', '#005FB8', '#F38518', '#006BBD'],
  'editor-background': ['#1F1F1F', '#FFFFFF', '#000000', '#FFFFFF'],
  'editor-foreground': ['#CCCCCC', '#3B3B3B', '#FFFFFF', '#292929'],
  'editorError-foreground': ['#F14C4C', '#E51400', '', ''],
  'editorWarning-foreground': ['#CCA700', '#BF8803', '#FFD370', '#895503'],
  'settings-headerForeground': ['#FFFFFF', '#1F1F1F', '#FFFFFF', '#292929'],
  'settings-modifiedItemIndicator': ['#BB800966', '#BB800966', '#00497a', '#66afe0'],
  'widget-border': ['#313131', '#E5E5E5', '#6FC3DF', '#0F4A85'],
  'panel-border': ['#2B2B2B', '#E5E5E5', '#6FC3DF', '#0F4A85'],
  'button-background': ['#0078D4', '#005FB8', '#000000', '#0F4A85'],
  'button-foreground': ['#FFFFFF', '#FFFFFF', '#FFFFFF', '#FFFFFF'],
  'button-border': ['#ffffff1a', '#0000001a', '#6FC3DF', '#0F4A85'],
  'button-hoverBackground': ['#026EC1', '#0258A8', '', ''],
  'button-secondaryBackground': ['#313131', '#E5E5E5', '', ''],
  'button-secondaryForeground': ['#CCCCCC', '#3B3B3B', '#FFFFFF', '#292929'],
  'button-secondaryHoverBackground': ['#3C3C3C', '#CCCCCC', '', ''],
  'toolbar-hoverBackground': ['#5a5d5e50', '#b8b8b850', '', ''],
  'badge-background': ['#616161', '#CCCCCC', '#000000', '#0F4A85'],
  'badge-foreground': ['#F8F8F8', '#3B3B3B', '#FFFFFF', '#FFFFFF'],
  'input-background': ['#313131', '#FFFFFF', '#000000', '#FFFFFF'],
  'input-border': ['#3C3C3C', '#CECECE', '#6FC3DF', '#0F4A85'],
  'input-foreground': ['#CCCCCC', '#3B3B3B', '#FFFFFF', '#292929'],
  'input-placeholderForeground': ['#989898', '#767676', '#ffffffb3', '#292929b3'],
  'dropdown-background': ['#313131', '#FFFFFF', '#000000', '#FFFFFF'],
  'dropdown-border': ['#3C3C3C', '#CECECE', '#6FC3DF', '#0F4A85'],
  'dropdown-foreground': ['#CCCCCC', '#3B3B3B', '#FFFFFF', '#292929'],
  'dropdown-listBackground': ['#1F1F1F', '#FFFFFF', '#000000', '#FFFFFF'],
  'inputValidation-infoBackground': ['#063b49', '#d6ecf2', '#000000', '#FFFFFF'],
  'inputValidation-infoBorder': ['#007acc', '#007acc', '#6FC3DF', '#0F4A85'],
  'inputValidation-warningBackground': ['#352a05', '#f6f5d2', '#000000', '#FFFFFF'],
  'inputValidation-warningBorder': ['#b89500', '#b89500', '#6FC3DF', '#0F4A85'],
  'inputValidation-errorBackground': ['#5a1d1d', '#f2dede', '#000000', '#FFFFFF'],
  'inputValidation-errorBorder': ['#be1100', '#be1100', '#6FC3DF', '#0F4A85'],
  'textLink-foreground': ['#4daafc', '#005FB8', '#21A6FF', '#0F4A85'],
  'textLink-activeForeground': ['#4daafc', '#005FB8', '#21A6FF', '#0F4A85'],
  'textCodeBlock-background': ['#2B2B2B', '#F8F8F8', '#000000', '#FFFFFF'],
  'textPreformat-foreground': ['#D0D0D0', '#3B3B3B', '#FFFFFF', '#292929'],
  'textPreformat-background': ['#3C3C3C', '#0000001F', '#000000', '#FFFFFF'],
  'textBlockQuote-background': ['#2B2B2B', '#F8F8F8', '', ''],
  'textBlockQuote-border': ['#616161', '#E5E5E5', '#FFFFFF', '#292929'],
  'debugTokenExpression-string': ['#ce9178', '#a31515', '#f48771', '#a31515'],
  'debugTokenExpression-number': ['#b5cea8', '#098658', '#89d185', '#096d48'],
  'debugTokenExpression-boolean': ['#4e94ce', '#0000ff', '#75bdfe', '#0451a5'],
  'symbolIcon-propertyForeground': ['#cccccc', '#3B3B3B', '#FFFFFF', '#292929'],
  'scrollbarSlider-background': ['#79797966', '#64646466', '#6FC3DF99', '#0F4A8599'],
  contrastBorder: ['', '', '#6FC3DF', '#0F4A85'],
  contrastActiveBorder: ['', '', '#F38518', '#006BBD'],
};

export const themes = Object.fromEntries(
  Object.entries(bodyClasses).map(([name, bodyClass], theme) => {
    const own = Object.entries(colors).map(([variable, values]) => [variable, values[theme] ?? ''] as const);
    const variables: Record<string, string> = {
      ...fonts,
      ...Object.fromEntries(own.filter(([, color]) => color !== '')),
    };
    return [name, { bodyClass, variables }];
  }),
) as Readonly<Record<ThemeName, { readonly bodyClass: string; readonly variables: Readonly<Record<string, string>> }>>;
