package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.spi.DecisionPhase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which policies of annotations and settings requests of an endpoint have met, for explanations.
 * Safe for concurrent use.
 */
final class MetPolicies {
  /** So that invented paths don't fill the memory. */
  private static final int MOST = 10_000;

  private final Map<DecisionPhase, Map<String, List<Policy>>> byPhase =
      new EnumMap<>(DecisionPhase.class);

  MetPolicies() {
    for (DecisionPhase each : DecisionPhase.values()) {
      byPhase.put(each, new ConcurrentHashMap<>());
    }
  }

  /** Takes note; the list is always the same as long as the policies are. */
  void note(String endpoint, DecisionPhase phase, List<Policy> bound) {
    Map<String, List<Policy>> known = known(phase);
    List<Policy> last = known.get(endpoint);
    if (last != bound && (last != null || known.size() < MOST)) {
      known.put(endpoint, bound);
    }
  }

  /** All that were met at an endpoint. */
  List<Policy> at(String endpoint) {
    List<Policy> all = new ArrayList<>();
    for (DecisionPhase each : DecisionPhase.values()) {
      all.addAll(known(each).getOrDefault(endpoint, List.of()));
    }
    return all;
  }

  private Map<String, List<Policy>> known(DecisionPhase phase) {
    return byPhase.getOrDefault(phase, Map.of());
  }
}
