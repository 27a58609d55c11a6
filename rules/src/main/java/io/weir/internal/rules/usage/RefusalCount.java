package io.weir.internal.rules.usage;

/**
 * Counts the refusals of a caller between two writes. Immutable.
 *
 * @param first the first refusal, in microseconds since the epoch
 */
record RefusalCount(long first, long number) {
  RefusalCount plus(RefusalCount others) {
    return new RefusalCount(Math.min(first, others.first), number + others.number);
  }
}
