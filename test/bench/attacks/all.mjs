// @ts-check
import { floodAttacks } from './floods.mjs';
import { listAttacks } from './lists.mjs';
import { messageAttacks } from './messages.mjs';
import { networkAttacks } from './network.mjs';
import { schemaAttacks } from './schemas.mjs';
import { secretAttacks } from './secrets.mjs';
import { viewAttacks } from './views.mjs';

/** @type {readonly import('./attack.d.ts').Attack[]} */
export const attacks = [
  ...schemaAttacks,
  ...messageAttacks,
  ...listAttacks,
  ...floodAttacks,
  ...networkAttacks,
  ...secretAttacks,
  ...viewAttacks,
];

/** @param {string | undefined} id */
export function findAttack(id) {
  const attack = attacks.find((candidate) => candidate.id === id);
  if (attack === undefined) throw new Error(`There is no attack "${id}".`);
  return attack;
}
