/** Digits and letters that cannot be taken for one another; 32 of them, so that each is five bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/**
 * Sixteen characters, 80 bits. Random from the first one on, unlike a UUIDv7, so that a person can name a task by the four or
 * six characters that a list shows. Order comes from the store, not from the id.
 */
export function newTaskId(random: () => number = Math.random): string {
  let id = '';
  for (let length = 0; length < LENGTH; length++) id += ALPHABET[Math.floor(random() * 32)];
  return id;
}
