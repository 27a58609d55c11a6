package io.weir.writeback;

/**
 * What the entries of one node share.
 *
 * <p>Immutable.
 *
 * @param clock the node's time
 * @param pace how far ahead it provides permits
 * @param timeout microseconds that a settle may take
 * @param overdraft how much it may admit ahead of the store
 * @param busy the entries that flushes look at
 * @param leftovers how many of them are evicted
 * @param shortcuts the entries that were asked for last
 */
record Node(
    NodeClock clock,
    Pace pace,
    long timeout,
    Overdraft overdraft,
    Busy busy,
    Leftovers leftovers,
    Shortcuts shortcuts) {}
