package io.weir.spring.web;

import io.weir.spring.PathTemplate;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers the names of endpoints by the patterns of Spring MVC.
 *
 * <p>Safe for concurrent use.
 */
final class PathTemplateCache {
  /**
   * Enough for all patterns of an application; a mapping may also report paths that callers send.
   */
  private static final int MAX_KNOWN = 10_000;

  private final ConcurrentMap<String, String> known = new ConcurrentHashMap<>();

  String of(String pattern) {
    String found = known.get(pattern);
    if (found == null) {
      found = PathTemplate.of(pattern);
      if (known.size() < MAX_KNOWN) {
        known.put(pattern, found);
      }
    }
    return found;
  }
}
