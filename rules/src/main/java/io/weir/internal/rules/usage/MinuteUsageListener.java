package io.weir.internal.rules.usage;

/** Receives the sums of each user at each endpoint in each minute, before they are written. */
@FunctionalInterface
public interface MinuteUsageListener {
  /**
   * Adds the sums since the last call. Called by the writer's thread, in the order of the minutes.
   *
   * @param minute the user, who may be {@value FinishedRequest#OTHERS}, the endpoint and the minute
   */
  void add(UsageKey minute, MinuteUsage sums);
}
