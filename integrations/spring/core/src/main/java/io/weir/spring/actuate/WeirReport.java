package io.weir.spring.actuate;

import io.weir.EndpointPolicy;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.store.CalendarWindow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an application, their store and its nodes, as JSON.
 *
 * <p>Immutable.
 *
 * @param store the store of the buckets
 * @param nodes the number of nodes that share the store, as far as this node knows; 1 and more
 * @param requestsInFlight the number of requests that are being handled now
 * @param policies the policies of annotations and settings, sorted by endpoint
 * @param table the lines of the table that the log shows at the start, with those of rules
 */
public record WeirReport(
    Store store, int nodes, int requestsInFlight, List<Limit> policies, List<String> table) {

  /**
   * The store of the buckets.
   *
   * @param name its address or name, without login
   * @param away whether it couldn't be reached when it was last asked
   */
  public record Store(String name, boolean away) {}

  /**
   * A policy at one endpoint.
   *
   * @param endpoint class and method, or the URL pattern
   * @param policy the name of the policy
   * @param limit permits per window
   * @param window its length as in ISO 8601: {@code PT1M}, {@code P1D}, {@code P1M}
   * @param zone the time zone of a window by the calendar; null for others
   * @param burst permits at once
   * @param algorithm the algorithm
   * @param by what it counts by
   * @param keys the key expressions, for {@code KEY}
   * @param mode whether and how the limit may be exceeded
   * @param exceedBy how far, in percent
   * @param cost permits per request
   * @param priority the share of the limit under load
   * @param onStoreFailure what decides while the store is away
   * @param shadow whether it only measures
   * @param tiers limits by tier
   */
  public record Limit(
      String endpoint,
      String policy,
      long limit,
      String window,
      @Nullable String zone,
      long burst,
      String algorithm,
      List<String> by,
      List<String> keys,
      String mode,
      int exceedBy,
      long cost,
      String priority,
      String onStoreFailure,
      boolean shadow,
      Map<String, Long> tiers) {

    static Limit of(EndpointPolicy bound) {
      Policy policy = bound.policy();
      CalendarWindow calendar = policy.spec().calendar().orElse(null);
      return new Limit(
          bound.endpoint(),
          policy.name(),
          policy.limit(),
          calendar == null ? policy.window().toString() : iso(calendar),
          calendar == null ? null : calendar.zone().toString(),
          policy.burstFor(policy.limit()),
          policy.algorithm().name(),
          policy.by().stream().map(Enum::name).toList(),
          policy.keys(),
          policy.mode().name(),
          policy.exceedBy(),
          policy.cost(),
          policy.priority().name(),
          policy.onStoreFailure().name(),
          policy.shadow(),
          new TreeMap<>(policy.tiers()));
    }

    private static String iso(CalendarWindow calendar) {
      return "P"
          + calendar.amount()
          + switch (calendar.unit()) {
            case DAYS -> "D";
            case WEEKS -> "W";
            case MONTHS -> "M";
            case YEARS -> "Y";
            default -> " " + calendar.unit();
          };
    }
  }

  /**
   * Describes an application.
   *
   * @param weir the application's
   * @return the state now
   */
  static WeirReport of(Weir weir) {
    return new WeirReport(
        new Store(weir.store(), weir.isStoreAway()),
        weir.nodes(),
        weir.requestsInFlight(),
        weir.policies().stream().map(Limit::of).toList(),
        weir.table().lines().toList());
  }
}
