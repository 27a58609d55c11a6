package io.weir.internal.rules.usage;

/**
 * How often somebody was refused between two writes. Immutable.
 *
 * @param first when that began, in microseconds since the epoch
 * @param number how often
 */
record RefusalCount(long first, long number) {
  RefusalCount and(RefusalCount others) {
    return new RefusalCount(Math.min(first, others.first), number + others.number);
  }
}
