package io.weir.internal.rules.usage;

/** Is handed what each user took of each endpoint in each minute, before anything is written. */
@FunctionalInterface
public interface MinuteListener {
  /**
   * Takes over what has come together since the last time. Called by the writer's thread, and by
   * the order of the minutes.
   *
   * @param minute the user, who may be {@value FinishedRequest#OTHERS}, the endpoint and the minute
   * @param sums what is to be added
   */
  void keep(UsageKey minute, MinuteSums sums);
}
