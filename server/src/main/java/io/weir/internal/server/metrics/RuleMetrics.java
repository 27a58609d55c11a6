package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.rules.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;

/** Meters of the rules: how new they are, what is wrong with them, what of usage is missing. */
public final class RuleMetrics {
  private static final double MILLIS = 1_000;

  private RuleMetrics() {}

  /**
   * Registers them.
   *
   * @param registry where
   * @param rules the rules
   */
  public static void register(MeterRegistry registry, Rules rules) {
    gauge(
        registry,
        rules,
        "weir.rules.version",
        "The number of the newest change that this node has in force",
        each -> each.status().map(status -> (double) status.version()).orElse(0.0));
    gauge(
        registry,
        rules,
        "weir.rules.age.seconds",
        "Since when this node hasn't seen whether anything is newer",
        RuleMetrics::age);
    gauge(
        registry,
        rules,
        "weir.rules.problems",
        "Rows that can't be used, or should be looked at",
        each -> each.problems().size());
    gauge(
        registry,
        rules,
        "weir.usage.dropped.requests",
        "Requests that are missing in the usage",
        each -> each.usage().dropped().requests());
    gauge(
        registry,
        rules,
        "weir.usage.dropped.refusals",
        "Refusals that are missing among the violations",
        each -> each.usage().dropped().refusals());
  }

  private static double age(Rules rules) {
    return rules
        .status()
        .map(status -> Duration.between(status.readAt(), Instant.now()).toMillis() / MILLIS)
        .orElse(Double.NaN);
  }

  private static void gauge(
      MeterRegistry registry,
      Rules rules,
      String name,
      String description,
      ToDoubleFunction<Rules> value) {
    Gauge.builder(name, rules, value)
        .description(description)
        .strongReference(true)
        .register(registry);
  }
}
