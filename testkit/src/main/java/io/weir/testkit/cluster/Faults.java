package io.weir.testkit.cluster;

import java.time.Duration;
import java.util.List;

/**
 * The faults of a simulated cluster.
 *
 * <p>Immutable.
 *
 * @param loss the share of messages that get lost, in each direction, 0 up to 1
 * @param spikes the share of messages that take longer, 0 up to 1
 * @param spike how much longer at most
 * @param claimFailures the share of claims that fail alone, half of them after they were executed
 * @param mishaps what happens once, each at a random time of the load
 * @param longest the maximum duration of mishaps that last a while
 */
public record Faults(
    double loss,
    double spikes,
    Duration spike,
    double claimFailures,
    List<Mishap> mishaps,
    Duration longest) {

  /**
   * Validates.
   *
   * @param loss the share of messages that get lost, in each direction, 0 up to 1
   * @param spikes the share of messages that take longer, 0 up to 1
   * @param spike how much longer at most
   * @param claimFailures the share of claims that fail alone, half of them after they were executed
   * @param mishaps what happens once, each at a random time of the load
   * @param longest the maximum duration of mishaps that last a while
   */
  public Faults {
    mishaps = List.copyOf(mishaps);
    if (!(loss >= 0 && loss <= 1 && spikes >= 0 && spikes <= 1 && claimFailures >= 0)) {
      throw new IllegalArgumentException("shares must be from 0 to 1");
    }
  }

  /**
   * Returns no faults.
   *
   * @return no faults
   */
  public static Faults none() {
    return new Faults(0, 0, Duration.ofMillis(80), 0, List.of(), Duration.ofSeconds(3));
  }

  /**
   * Returns these faults with other mishaps.
   *
   * @param these what happens once
   * @return other faults
   */
  public Faults with(List<Mishap> these) {
    return new Faults(loss, spikes, spike, claimFailures, these, longest);
  }
}
