package io.weir.internal.rules.usage;

/** Sums up what is to be added to a row. Confine to one thread. */
final class UsageSums {
  long requests;
  long refused;
  long permits;

  /** The growth of this node's busiest minute within the row's time. */
  long peakMinute;

  static UsageSums of(MinuteSums minute) {
    UsageSums sums = new UsageSums();
    sums.requests = minute.requests();
    sums.refused = minute.refused();
    sums.permits = minute.permits();
    return sums;
  }

  void add(UsageSums other) {
    requests += other.requests;
    refused += other.refused;
    permits += other.permits;
    peakMinute += other.peakMinute;
  }
}
