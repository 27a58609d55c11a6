package io.weir.internal.rules.rulebook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Caches the rules that match endpoints. The first endpoints stay for as long as the rulebook does,
 * and are found without book-keeping: most applications have no more. Further ones, which may be
 * invented paths, replace each other.
 *
 * <p>Safe for concurrent use.
 */
final class MatchedRulesCache {
  private static final int MAX_FIRST = 2_000;
  private static final int MAX_OTHERS = 8_000;

  /** Longer ones are matched anew each time. */
  private static final int LONGEST_KEPT = 256;

  private final ConcurrentHashMap<String, EndpointRules> first = new ConcurrentHashMap<>();
  private final Cache<String, EndpointRules> others =
      Caffeine.newBuilder().maximumSize(MAX_OTHERS).executor(Runnable::run).build();

  /** Returns the rules of an endpoint; null if they aren't cached. */
  @Nullable EndpointRules get(String endpoint) {
    EndpointRules known = first.get(endpoint);
    return known == null ? others.getIfPresent(endpoint) : known;
  }

  void put(String endpoint, EndpointRules found) {
    if (endpoint.length() > LONGEST_KEPT) {
      return;
    }
    if (first.size() < MAX_FIRST) { // a few more where several threads come at once
      first.put(endpoint, found);
    } else {
      others.put(endpoint, found);
    }
  }

  Stream<String> endpoints() {
    return Stream.concat(first.keySet().stream(), others.asMap().keySet().stream());
  }

  long size() {
    others.cleanUp();
    return first.size() + others.estimatedSize();
  }
}
