package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.key.ReadablePlaces;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the policies that settings give to paths, by URL patterns as in the Servlet specification.
 *
 * <p>All patterns that match count, not only the longest; {@code /} matches what no other policy
 * counts. Where a slash at the end is ignored, patterns match with and without it; exceptions match
 * the path as it is. Reading is safe for concurrent use; changes need the catalog's lock.
 */
final class UrlPolicies {
  private volatile List<UrlPolicy> all = List.of();

  private record UrlPolicy(LivePolicy bound, List<String> patterns, ExceptedPaths except) {
    boolean matches(String path, boolean ignoresCase) {
      return patterns.stream().anyMatch(pattern -> UrlPolicies.matches(pattern, path, ignoresCase));
    }

    boolean takesRest() {
      return patterns.contains("/");
    }

    boolean covers(UrlPolicy other) {
      return (patterns.contains("/*") || patterns.containsAll(other.patterns))
          && except.patterns().stream().noneMatch(other::mayCount);
    }

    /** Returns whether a path that another policy leaves out may be one of this policy. */
    private boolean mayCount(String left) {
      boolean isPrefix = left.endsWith("/*");
      String path = isPrefix ? left.substring(0, left.length() - 2) : left;
      return !except.patterns().contains(left)
          && (matches(path, true)
              || takesRest()
              || isPrefix
                  && patterns.stream()
                      .anyMatch(each -> each.startsWith(path) || each.startsWith("*.")));
    }
  }

  /** A policy that is valid but not yet in force. */
  private record Prepared(Policy policy, List<String> patterns, ExceptedPaths except) {}

  Collection<LivePolicy> all() {
    return all.stream().map(UrlPolicy::bound).toList();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns all policies that count every request, but for their exceptions. */
  List<LivePolicy> everywhere() {
    return all.stream().filter(each -> each.patterns.contains("/*")).map(UrlPolicy::bound).toList();
  }

  ExceptedPaths except(LivePolicy bound) {
    return all.stream()
        .filter(each -> each.bound == bound)
        .findFirst()
        .map(UrlPolicy::except)
        .orElse(ExceptedPaths.NONE);
  }

  /** Returns all policies that count every request that the given one counts, including itself. */
  List<LivePolicy> covering(LivePolicy bound) {
    List<UrlPolicy> now = all;
    return now.stream()
        .filter(each -> each.bound == bound)
        .flatMap(covered -> now.stream().filter(each -> each.covers(covered)))
        .map(UrlPolicy::bound)
        .toList();
  }

  /**
   * Returns the policies of a path.
   *
   * @param ignoresSlash whether one slash at the end of the path is ignored
   */
  List<LivePolicy> of(String path, boolean ignoresSlash, boolean ignoresCase) {
    return counting(leaving(false, path, ignoresCase), path, ignoresSlash, ignoresCase);
  }

  /** Returns the policies that would count a path, but for their exceptions. */
  List<LivePolicy> leavingOut(String path, boolean ignoresSlash, boolean ignoresCase) {
    return counting(leaving(true, path, ignoresCase), path, ignoresSlash, ignoresCase);
  }

  /** Returns the policies that leave a path out, or those that don't. */
  private List<UrlPolicy> leaving(boolean out, String path, boolean ignoresCase) {
    List<UrlPolicy> now = all;
    return now.isEmpty()
        ? now
        : now.stream().filter(each -> each.except.contain(path, ignoresCase) == out).toList();
  }

  private static List<LivePolicy> counting(
      List<UrlPolicy> all, String path, boolean ignoresSlash, boolean ignoresCase) {
    if (all.isEmpty()) {
      return List.of();
    }
    String same = ignoresSlash ? otherwiseEnding(path) : path;
    List<UrlPolicy> matching =
        all.stream()
            .filter(each -> each.matches(path, ignoresCase) || each.matches(same, ignoresCase))
            .toList();
    if (matching.isEmpty()) {
      matching = all.stream().filter(UrlPolicy::takesRest).toList();
    }
    return matching.stream().map(UrlPolicy::bound).toList();
  }

  /** Returns the path without the slash at its end, or with one if it has none. */
  private static String otherwiseEnding(String path) {
    if (!path.endsWith("/")) {
      return path + "/";
    }
    return path.length() == 1 ? path : path.substring(0, path.length() - 1);
  }

  /** Compares characters one by one where the case is ignored, as frameworks do. */
  private static boolean matches(String pattern, String path, boolean ignoresCase) {
    if (pattern.endsWith("/*")) {
      int prefix = pattern.length() - 2;
      return path.regionMatches(ignoresCase, 0, pattern, 0, prefix)
          && (path.length() == prefix || path.charAt(prefix) == '/');
    }
    if (pattern.startsWith("*.")) {
      int suffix = pattern.length() - 1;
      return path.regionMatches(ignoresCase, path.length() - suffix, pattern, 1, suffix);
    }
    return !pattern.equals("/")
        && path.length() == pattern.length()
        && path.regionMatches(ignoresCase, 0, pattern, 0, pattern.length());
  }

  /**
   * Validates new settings, and returns the task that puts them into effect.
   *
   * @param endpoints the names of policies of endpoints, which paths can't have
   */
  Runnable prepare(
      SettingsSnapshot settings,
      Set<String> endpoints,
      ApplicationCapabilities capabilities,
      List<String> mistakes) {
    EndpointCapabilities scope =
        new EndpointCapabilities(capabilities, ReadablePlaces.OF_URLS, false);
    List<Prepared> next = new ArrayList<>();
    for (String name : PolicySettings.names(settings)) {
      String prefix = SettingNames.POLICY + name + ".";
      List<String> patterns = settings.list(prefix + "url");
      ExceptedPaths except = new ExceptedPaths(settings.list(prefix + SettingNames.EXCEPT));
      if (!patterns.isEmpty() && name.equals(SettingNames.APPLICATION_POLICY)) {
        mistakes.add(
            prefix + "url = " + String.join(",", patterns) + ": " + PolicySettings.RESERVED);
      } else if (!patterns.isEmpty() && !endpoints.contains(name)) {
        PolicySettings.alone(name, prefix, "weir.policy." + name, scope, settings, mistakes)
            .ifPresent(policy -> next.add(new Prepared(policy, patterns, except)));
      }
    }
    Map<String, Long> costs = MethodCosts.of(settings);
    return () -> all = next.stream().map(each -> bind(each, costs)).toList();
  }

  /** Keeps the bound policy, and so everything built on it, as long as it reads the same. */
  private UrlPolicy bind(Prepared next, Map<String, Long> costs) {
    LivePolicy bound =
        all.stream()
            .map(UrlPolicy::bound)
            .filter(each -> each.name().equals(next.policy.name()) && each.readsSame(next.policy))
            .findFirst()
            .orElseGet(() -> new LivePolicy(next.policy, costs));
    bound.become(next.policy, costs, ExceptedPaths.NONE); // since these go by the endpoint
    bound.appliesOnlyTo(next.patterns);
    return new UrlPolicy(bound, next.patterns, next.except);
  }
}
