package io.weir.writeback;

/**
 * What the entries of one node share.
 *
 * <p>Immutable.
 *
 * @param clock the node's time
 * @param pace how far ahead it provides permits
 * @param timeout microseconds that a settle may take
 * @param busy the entries that flushes look at
 */
record Node(NodeClock clock, Pace pace, long timeout, Busy busy) {}
