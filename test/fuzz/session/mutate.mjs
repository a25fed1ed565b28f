// @ts-check
/**
 * @typedef {import('./session.d.ts').Mutation} Mutation
 * @typedef {import('./session.d.ts').Delivery} Delivery
 */

/**
 * Applies mutations to messages, in the order in which they are sent.
 *
 * @param {readonly Mutation[]} mutations
 * @returns {(message: unknown) => Delivery[]}
 */
export function createMutator(mutations) {
  let count = 0;
  /** @type {{ left: number, delivery: Delivery }[]} */
  let delayed = [];

  return (message) => {
    const own = mutations.filter(({ at }) => at === count);
    count += 1;
    const deliveries = deliver(message, own);
    const delay = own.find(({ kind }) => kind === 'delay');
    for (const entry of delayed) entry.left -= 1;
    const due = delayed.filter(({ left }) => left <= 0).map(({ delivery }) => delivery);
    delayed = delayed.filter(({ left }) => left > 0);
    if (delay?.kind !== 'delay') return [...deliveries, ...due];
    delayed.push(...deliveries.map((delivery) => ({ left: delay.messages, delivery })));
    return due;
  };
}

/** @param {unknown} message @param {readonly Mutation[]} mutations @returns {Delivery[]} */
function deliver(message, mutations) {
  if (mutations.some(({ kind }) => kind === 'drop')) return [];
  const value = mutations.reduce(mutateValue, message);
  const text = JSON.stringify(value) ?? '';
  const bytes = mutations.reduce(mutateBytes, Buffer.from(text));
  const delivery = mutations.reduce(mutateDelivery, { chunks: [bytes] });
  const repeat = mutations.find(({ kind }) => kind === 'repeat');
  const inserted = mutations.flatMap((mutation) =>
    mutation.kind === 'insert' ? [{ chunks: [Buffer.from(JSON.stringify(make(mutation.message)) ?? '')] }] : [],
  );
  return [...inserted, ...Array.from({ length: repeat?.kind === 'repeat' ? repeat.times : 1 }, () => delivery)];
}

/** @param {unknown} value @param {Mutation} mutation */
function mutateValue(value, mutation) {
  const { kind } = mutation;
  if (kind === 'replace') return replaceAt(value, pick(value, mutation.place), () => make(mutation.value));
  if (kind === 'copy')
    return replaceAt(value, pick(value, mutation.place), () => nodeAt(value, pick(value, mutation.from)));
  if (kind === 'remove') return removeAt(value, pick(value, mutation.place));
  if (kind !== 'add') return value;
  return replaceAt(value, pick(value, mutation.place), (node) => addMember(node, mutation.name, make(mutation.value)));
}

/** @param {Buffer} bytes @param {Mutation} mutation */
function mutateBytes(bytes, mutation) {
  if (mutation.kind === 'cut') return bytes.subarray(0, Math.floor(bytes.length * mutation.place));
  if (mutation.kind !== 'bytes') return bytes;
  const start = Math.floor(bytes.length * mutation.place);
  const inserted = Buffer.from(mutation.inserted, 'latin1');
  return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + mutation.removed)]);
}

/** @param {Delivery} delivery @param {Mutation} mutation @returns {Delivery} */
function mutateDelivery(delivery, mutation) {
  const { kind } = mutation;
  if (kind === 'close') return { ...delivery, closes: true };
  if (kind === 'status') return { ...delivery, status: mutation.status };
  if (kind === 'header') return { ...delivery, headers: { ...delivery.headers, [mutation.name]: mutation.value } };
  if (kind !== 'split') return delivery;
  const whole = Buffer.concat(delivery.chunks);
  const end = Math.floor(whole.length * mutation.place);
  return { ...delivery, chunks: [whole.subarray(0, end), whole.subarray(end)] };
}

/** A value that is too large for a corpus is written as an instruction to make it. @param {any} value @returns {any} */
function make(value) {
  if (typeof value !== 'object' || value === null || value.$make === undefined) return value;
  const { $make: kind, size } = value;
  if (kind === 'text') return 'x'.repeat(size);
  if (kind === 'backticks') return '` '.repeat(size);
  if (kind === 'list') return Array(size).fill(0);
  if (kind === 'object') return Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, index]));
  let nested = {};
  for (let depth = 0; depth < size; depth += 1) nested = kind === 'lists' ? [nested] : { x: nested };
  return nested;
}

/** All places of a value. @param {any} value @param {string[]} path @returns {string[][]} */
function places(value, path = []) {
  if (typeof value !== 'object' || value === null || path.length > 40) return [path];
  return [path, ...Object.keys(value).flatMap((name) => places(value[name], [...path, name]))];
}

/** @param {unknown} value @param {number} place 0 to 1 @returns {string[]} */
function pick(value, place) {
  const all = places(value);
  return all[Math.floor(place * all.length)] ?? [];
}

/** @param {any} value @param {readonly string[]} path */
function nodeAt(value, path) {
  return path.reduce((node, name) => node[name], value);
}

/** @param {any} value @param {readonly string[]} path @param {(node: any) => unknown} change @returns {any} */
function replaceAt(value, [name, ...rest], change) {
  if (name === undefined) return change(value);
  const changed = replaceAt(value[name], rest, change);
  return Array.isArray(value) ? value.with(Number(name), changed) : addMember(value, name, changed);
}

/** @param {any} value @param {readonly string[]} path */
function removeAt(value, path) {
  const [last] = path.slice(-1);
  if (last === undefined) return null;
  return replaceAt(value, path.slice(0, -1), (node) =>
    Array.isArray(node)
      ? node.toSpliced(Number(last), 1)
      : Object.fromEntries(Object.entries(node).filter(([name]) => name !== last)),
  );
}

/** Sets members that assignment would not, such as `__proto__`. @param {any} node @param {string} name @param {unknown} member */
function addMember(node, name, member) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return [...node, member];
  const others = Object.entries(node).filter(([other]) => other !== name);
  return Object.fromEntries([...others, [name, member]]);
}
