package io.weir.internal.rules.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Policy;
import io.weir.spi.DecisionPhase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which policies of annotations and settings requests of an endpoint have met, for explanations.
 * Safe for concurrent use.
 */
final class SeenPolicies {
  /** So that invented paths don't fill the memory; those that are asked for most stay. */
  private static final int MAX_ENDPOINTS = 10_000;

  /** Of longer paths nothing is noted. */
  private static final int MAX_ENDPOINT_LENGTH = 256;

  private final Map<DecisionPhase, Cache<String, List<Policy>>> byPhase =
      new EnumMap<>(DecisionPhase.class);

  SeenPolicies() {
    for (DecisionPhase each : DecisionPhase.values()) {
      byPhase.put(each, Caffeine.newBuilder().maximumSize(MAX_ENDPOINTS).executor(Runnable::run).build());
    }
  }

  /** Takes note; the list is always the same as long as the policies are. */
  void note(String endpoint, DecisionPhase phase, List<Policy> bound) {
    if (endpoint.length() > MAX_ENDPOINT_LENGTH) {
      return;
    }
    Cache<String, List<Policy>> known = known(phase);
    if (known.getIfPresent(endpoint) != bound) {
      known.put(endpoint, bound);
    }
  }

  /** All that were met at an endpoint. */
  List<Policy> at(String endpoint) {
    List<Policy> all = new ArrayList<>();
    for (DecisionPhase each : DecisionPhase.values()) {
      List<Policy> met = known(each).getIfPresent(endpoint);
      all.addAll(met == null ? List.of() : met);
    }
    return all;
  }

  /** How many characters of endpoints are kept. */
  long charactersKept() {
    return byPhase.values().stream()
        .flatMap(
            each -> {
              each.cleanUp();
              return each.asMap().keySet().stream();
            })
        .mapToLong(String::length)
        .sum();
  }

  private Cache<String, List<Policy>> known(DecisionPhase phase) {
    return Objects.requireNonNull(byPhase.get(phase));
  }
}
