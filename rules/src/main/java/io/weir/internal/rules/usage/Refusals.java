package io.weir.internal.rules.usage;

/**
 * How often somebody was refused between two writes. Immutable.
 *
 * @param first when that began, in microseconds since the epoch
 * @param number how often
 */
record Refusals(long first, long number) {
  Refusals and(Refusals others) {
    return new Refusals(Math.min(first, others.first), number + others.number);
  }
}
