/**
 * Chance that is the same each time it is asked: a number from 0 up to 1 that belongs to a name. A decision taken again at
 * every tick must not be a new throw of dice, and two coordinators must come to the same one.
 */
export function jitterOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  // names that differ in their last digit only must come out far apart
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
}
