package io.weir.internal.guard;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers where requests were decided, for explanations: no adapter can say which handlers a path
 * leads to, and which policies they meet on the way. Bounded: of endpoints that were seen long ago
 * only those that are requested stay. Safe for concurrent use.
 */
final class SeenRoutes {
  /** Half of the endpoints that are remembered at most. */
  private static final int GENERATION = 2_000;

  /** Longer paths aren't remembered. */
  private static final int MAX_ENDPOINT_LENGTH = 256;

  private static final int MAX_ROUTES = 64;

  private volatile Generations known = new Generations();
  private final Set<String> checked = ConcurrentHashMap.newKeySet();

  private record Generations(Map<String, Set<Route>> young, Map<String, Set<Route>> old) {
    Generations() {
      this(new ConcurrentHashMap<>(), Map.of());
    }
  }

  void add(Route route) {
    for (RouteStep each : route.steps()) {
      if (!each.isCall() && each.endpoint().length() <= MAX_ENDPOINT_LENGTH) {
        add(each.endpoint(), route);
      }
    }
  }

  private void add(String endpoint, Route route) {
    Generations now = known;
    Set<Route> routes = now.young.get(endpoint);
    if (routes == null) {
      now.young.put(endpoint, and(now.old.getOrDefault(endpoint, Set.of()), route));
    } else if (!routes.contains(route)) {
      now.young.merge(endpoint, routes, (current, any) -> and(current, route));
    }
    if (now.young.size() > GENERATION) {
      known = new Generations(new ConcurrentHashMap<>(), now.young);
    }
  }

  private static Set<Route> and(Set<Route> routes, Route route) {
    Set<Route> all = new HashSet<>(routes.size() < MAX_ROUTES ? routes : Set.of());
    all.add(route);
    return Set.copyOf(all);
  }

  /** Remembers that a request for an endpoint was checked, and so is served elsewhere. */
  void addChecked(String endpoint) {
    if (endpoint.length() <= MAX_ENDPOINT_LENGTH && !checked.contains(endpoint)) {
      if (checked.size() > GENERATION) {
        checked.clear();
      }
      checked.add(endpoint);
    }
  }

  boolean isChecked(String endpoint) {
    return checked.contains(endpoint);
  }

  /**
   * Finds the routes of requests for an endpoint: whole ones, else those that are known in part. A
   * route that only begins as another one is left out, since its request ended early.
   *
   * @param method the HTTP method; empty for any
   */
  List<Route> find(String endpoint, String method) {
    Generations now = known;
    Set<Route> all = new HashSet<>(now.old.getOrDefault(endpoint, Set.of()));
    all.addAll(now.young.getOrDefault(endpoint, Set.of()));
    all.removeIf(each -> !each.leadsTo(endpoint, method));
    if (all.stream().anyMatch(Route::isWhole)) {
      all.removeIf(each -> !each.isWhole());
    }
    return all.stream()
        .filter(each -> all.stream().noneMatch(other -> begins(each, other)))
        .toList();
  }

  private static boolean begins(Route route, Route other) {
    int length = route.steps().size();
    return length < other.steps().size() && other.steps().subList(0, length).equals(route.steps());
  }
}
