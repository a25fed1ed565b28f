import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../src/base/tokenCount.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/toolSchemas/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** How far the estimate is off, as a part of what o200k counts. */
const errorOf = (text: string): number => countTokens(text) / countExactly(text) - 1;

describe('the tokens of a text', () => {
  it.each(readdirSync(fixtures).filter((name) => name.endsWith('.json')))(
    'are within a tenth of o200k in %s',
    (name) => {
      const text = JSON.stringify(JSON.parse(readFileSync(`${fixtures}${name}`, 'utf8')));
      expect(Math.abs(errorOf(text))).toBeLessThan(0.1);
    },
  );

  it.each(['README.md', 'CHANGELOG.md', 'package.json', 'src/THREATS.md'])('are within a tenth in %s', (name) => {
    expect(Math.abs(errorOf(readFileSync(`${root}${name}`, 'utf8')))).toBeLessThan(0.1);
  });

  it.each([
    ['Russian', 'Инструмент для поиска файлов в рабочей области и чтения их содержимого.'],
    ['Chinese', '用于在工作区中搜索文件并读取其内容的工具，如果用户有权限的话。'],
    ['Japanese', 'ワークスペース内のファイルを検索し、その内容を読み取るためのツールです。'],
    ['German', 'Werkzeug für die Suche nach Dateien im Arbeitsbereich und das Lesen ihrer Inhalte.'],
    ['hexadecimal', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ])('are within a third in short texts: %s', (_, text) => {
    expect(Math.abs(errorOf(text))).toBeLessThan(0.34);
  });

  it('are counted for any text', () => {
    expect([countTokens(''), countTokens('\ud800\n\n  '), countTokens('a'.repeat(1_000))]).toEqual([
      0,
      expect.any(Number),
      expect.any(Number),
    ]);
  });
});
