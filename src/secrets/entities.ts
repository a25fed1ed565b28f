import { memoize } from '../base/memoize.ts';

/** The names that HTML has for ASCII characters that are no letters or digits. */
const names = `amp & AMP & lt < LT < gt > GT > quot " QUOT " apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus +
  comma , period . hyphen - dash - sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^
  lowbar _ UnderBar _ grave \` lcub { lbrace { verbar | vert | rcub } rbrace }`;
/** They make no difference inside of a secret. */
const blanks: readonly string[] = ['nbsp', 'ensp', 'emsp', 'thinsp', 'Tab', 'NewLine', 'shy', 'zwj', 'zwnj'];
const byName = memoize((): ReadonlyMap<string, number> => {
  const parts = names.split(/\s+/);
  const pairs = parts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, parts[index + 1]?.charCodeAt(0) ?? 0] as const] : [],
  );
  return new Map([...pairs, ...blanks.map((name) => [name, 0x20] as const)]);
});

/** `&eacute;` and the like: the letter, as texts are compared without accents. */
const accented = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|ring|cedil|slash|caron)$/;

/** @returns the code point that an entity of HTML stands for; `undefined` for one that is not known */
export function entityNamed(name: string): number | undefined {
  return byName().get(name) ?? accented.exec(name)?.[1]?.charCodeAt(0);
}
