package io.weir.internal.rules.usage;

/** What is to be added to a row. Confine to one thread. */
final class UsageSums {
  long requests;
  long refused;
  long permits;

  /** By how much this node's busiest minute of the row's time grew. */
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
