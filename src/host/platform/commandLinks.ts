/**
 * Writes links to commands, `[x](command:…)`, so that they are none. In a Markdown editor VS Code follows any link that a person
 * clicks, and commands are among them.
 */
export function withoutCommandLinks(markdown: string): string {
  return markdown.replaceAll(/((?:[(<]|\]:)[\s<]{0,20})command:/gi, '$1command%3A');
}
