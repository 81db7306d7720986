/** What an object literal begins with that would begin with a spread, where it is made often. */

/**
 * `{ ...plain, ...object, member }`: to members that are added after a spread that stands first V8 gives hidden classes of
 * their own, made anew each time, which costs microseconds a member and is rubbish for the collector of old objects. After
 * a literal without members, or after a member, they are shared as ever.
 */
export const plain = {};
