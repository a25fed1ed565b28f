import { AddressSeal } from '../../../src/host/platform/addressSeal.ts';

/** A seal for any label, with one key and one definition unless given. */
export function sampleSeal({
  key = 1,
  definitionOf = () => 'node server.js',
}: {
  readonly key?: number;
  readonly definitionOf?: (server: string) => string | undefined;
} = {}): AddressSeal {
  return new AddressSeal(new Uint8Array(32).fill(key), definitionOf);
}
