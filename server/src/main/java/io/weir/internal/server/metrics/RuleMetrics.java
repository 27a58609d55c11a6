package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.Ticker;
import io.weir.rules.Rules;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/** Registers the meters of the rules: their version, age and problems, and dropped usage. */
public final class RuleMetrics {
  private static final double MILLIS = 1_000;

  private RuleMetrics() {}

  public static void register(MeterRegistry registry, Rules rules, Ticker ticker) {
    gauge(
        registry,
        rules,
        "weir.rules.version",
        "The number of the newest change that this node has applied",
        each -> each.status().map(status -> (double) status.version()).orElse(0.0));
    gauge(
        registry,
        rules,
        "weir.rules.age.seconds",
        "Seconds since this node last checked for newer rules",
        each -> age(each, ticker));
    gauge(
        registry,
        rules,
        "weir.rules.problems",
        "Rows that are invalid or need attention",
        each -> each.problems().size());
    gauge(
        registry,
        rules,
        "weir.usage.dropped.requests",
        "Requests dropped from the usage",
        each -> each.usage().dropped().requests());
    gauge(
        registry,
        rules,
        "weir.usage.dropped.refusals",
        "Refusals dropped from the violations",
        each -> each.usage().dropped().refusals());
  }

  private static double age(Rules rules, Ticker ticker) {
    return rules
        .status()
        .map(status -> Duration.between(status.readAt(), ticker.instant()).toMillis() / MILLIS)
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
