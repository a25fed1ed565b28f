import { mixesScripts } from './lookAlike.ts';

/**
 * Decodes an internationalised host name, to show it. A label that cannot be decoded is unchanged.
 * @param ascii as `URL.hostname` returns it
 * @returns `isMixed`: a label mixes letters of different scripts
 */
export function readHostName(ascii: string) {
  const labels = ascii.split('.').map((label) => {
    const encoded = /^xn--(.+)$/.exec(label)?.[1];
    return encoded === undefined ? label : (decodePunycode(encoded) ?? label);
  });
  return { unicode: labels.join('.'), isMixed: labels.some(mixesScripts) };
}

const base = 36;
const maximumCodePoint = 0x10ffff;

/** Decodes Punycode (RFC 3492, section 6.2). @returns `undefined` for an invalid text */
function decodePunycode(text: string): string | undefined {
  const end = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(0, end)), (character) => character.codePointAt(0) ?? 0);
  let code = 128;
  let bias = 72;
  let index = 0;
  let position = end + 1;
  while (position < text.length) {
    const start = index;
    for (let weight = 1, step = base; ; step += base) {
      const digit = digitOf(text[position]);
      if (digit === undefined) return undefined;
      position += 1;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > maximumCodePoint) return undefined;
    output.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...output);
}

function digitOf(character: string | undefined): number | undefined {
  if (character === undefined || !/^[a-z0-9]$/i.test(character)) return undefined;
  return /\d/.test(character) ? Number(character) + 26 : character.toLowerCase().charCodeAt(0) - 97;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let steps = 0;
  while (rest > 455) {
    rest = Math.floor(rest / 35);
    steps += base;
  }
  return steps + Math.floor((36 * rest) / (rest + 38));
}
