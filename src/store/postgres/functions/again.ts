/**
 * Said by a function that has begun and finds that it must not go on: the case is not the ordinary one, or somebody would wait for
 * somebody who waits. Nothing was done; asked again, the long way, it goes well.
 */
export const AGAIN = 'SG003';
