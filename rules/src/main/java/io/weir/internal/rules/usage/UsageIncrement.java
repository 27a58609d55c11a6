package io.weir.internal.rules.usage;

/** Sums up the usage that is to be added to a row. Confine to one thread. */
final class UsageIncrement {
  long requests;
  long refused;
  long permits;

  /** The growth of this node's busiest minute within the row's time. */
  long peakMinute;

  static UsageIncrement of(MinuteUsage minute) {
    UsageIncrement sums = new UsageIncrement();
    sums.requests = minute.requests();
    sums.refused = minute.refused();
    sums.permits = minute.permits();
    return sums;
  }

  void add(UsageIncrement other) {
    requests += other.requests;
    refused += other.refused;
    permits += other.permits;
    peakMinute += other.peakMinute;
  }
}
