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
 * Remembers the policies of annotations and settings that requests of an endpoint had, for
 * explanations. Safe for concurrent use.
 */
final class SeenPolicies {
  /** Bounds the memory that invented paths take; the endpoints that are requested most stay. */
  private static final int MAX_ENDPOINTS = 10_000;

  /** Longer paths aren't remembered. */
  private static final int MAX_ENDPOINT_LENGTH = 256;

  private final Map<DecisionPhase, Cache<String, List<Policy>>> byPhase =
      new EnumMap<>(DecisionPhase.class);

  SeenPolicies() {
    for (DecisionPhase each : DecisionPhase.values()) {
      byPhase.put(
          each, Caffeine.newBuilder().maximumSize(MAX_ENDPOINTS).executor(Runnable::run).build());
    }
  }

  /** Remembers policies; the list is the same object as long as the policies are the same. */
  void note(String endpoint, DecisionPhase phase, List<Policy> bound) {
    if (endpoint.length() > MAX_ENDPOINT_LENGTH) {
      return;
    }
    Cache<String, List<Policy>> known = known(phase);
    if (known.getIfPresent(endpoint) != bound) {
      known.put(endpoint, bound);
    }
  }

  List<Policy> at(String endpoint) {
    List<Policy> all = new ArrayList<>();
    for (DecisionPhase each : DecisionPhase.values()) {
      List<Policy> met = known(each).getIfPresent(endpoint);
      all.addAll(met == null ? List.of() : met);
    }
    return all;
  }

  /** Returns the number of characters of remembered endpoints. */
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
