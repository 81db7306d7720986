/** Rest between two steps of a world in which nothing but promises is at work. */

/** So often the event loop turns, and with it whatever waits outside: a message to the thread, a rejection nobody heard. */
const TURN_EVERY = 64;

let settled = 0;

const now = Promise.resolve();

/** Ticks come after every microtask too, and cost a fraction of a turn of the event loop. */
export function whenPromisesRest(then: () => void): void {
  if (++settled % TURN_EVERY === 0) setImmediate(then);
  // One tick's own next tick would come before the microtasks.
  else void now.then(() => process.nextTick(then));
}
