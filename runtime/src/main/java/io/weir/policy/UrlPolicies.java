package io.weir.policy;

import io.weir.Policy;
import io.weir.settings.SettingNames;
import io.weir.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The policies that settings give to paths, by patterns as servlets have them.
 *
 * <p>All patterns that match count, not only the longest; {@code /} is what no other pattern of any
 * policy matches. Reading is safe for concurrent use, changing is for the catalog's lock.
 */
final class UrlPolicies {
  private final Set<String> resolvers;
  private volatile List<UrlPolicy> all = List.of();

  /** One policy and its patterns. */
  record UrlPolicy(BoundPolicy bound, List<String> patterns) {
    boolean matches(String path) {
      return patterns.stream().anyMatch(pattern -> UrlPolicies.matches(pattern, path));
    }

    boolean takesRest() {
      return patterns.contains("/");
    }
  }

  UrlPolicies(Set<String> resolvers) {
    this.resolvers = Set.copyOf(resolvers);
  }

  List<UrlPolicy> all() {
    return all;
  }

  List<BoundPolicy> of(String path) {
    List<UrlPolicy> now = all;
    if (now.isEmpty()) {
      return List.of();
    }
    List<UrlPolicy> matching = now.stream().filter(each -> each.matches(path)).toList();
    if (matching.isEmpty()) {
      matching = now.stream().filter(UrlPolicy::takesRest).toList();
    }
    return matching.stream().map(UrlPolicy::bound).toList();
  }

  private static boolean matches(String pattern, String path) {
    if (pattern.endsWith("/*")) {
      String prefix = pattern.substring(0, pattern.length() - 2);
      return path.startsWith(prefix)
          && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
    }
    if (pattern.startsWith("*.")) {
      return path.endsWith(pattern.substring(1)) && path.lastIndexOf('/') < path.lastIndexOf('.');
    }
    return !pattern.equals("/") && path.equals(pattern);
  }

  /** Validates what new settings say and returns what makes it take effect. */
  Runnable prepare(Settings settings, Set<String> endpoints, List<String> mistakes) {
    List<Function<Map<String, Long>, UrlPolicy>> next = new ArrayList<>();
    for (String name : PolicySettings.names(settings)) {
      List<String> patterns = settings.list(SettingNames.POLICY + name + ".url");
      if (!patterns.isEmpty() && !endpoints.contains(name)) {
        policy(name, settings, mistakes)
            .ifPresent(policy -> next.add(costs -> bind(policy, patterns, costs)));
      }
    }
    Map<String, Long> costs = PolicySettings.costs(settings);
    return () -> all = next.stream().map(each -> each.apply(costs)).toList();
  }

  private Optional<Policy> policy(String name, Settings settings, List<String> mistakes) {
    String prefix = SettingNames.POLICY + name + ".";
    try {
      Draft draft = Draft.empty(name).overridden(settings, prefix);
      for (String needed : List.of("limit", "window")) {
        if (!draft.isSpoken(needed)) {
          mistakes.add(prefix + needed + ": must be set, since " + prefix + "url is");
          return Optional.empty();
        }
      }
      List<String> found =
          Rules.mistakes(draft, SettingNames.POLICY + name, Site.SERVLET, resolvers);
      mistakes.addAll(found);
      return found.isEmpty() ? Optional.of(draft.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      mistakes.add(String.valueOf(malformed.getMessage()));
      return Optional.empty();
    }
  }

  /** Keeps the bound policy, and so what was made of it, as long as it counts by the same keys. */
  private UrlPolicy bind(Policy policy, List<String> patterns, Map<String, Long> costs) {
    for (UrlPolicy each : all) {
      BoundPolicy bound = each.bound;
      if (bound.name().equals(policy.name())
          && bound.by().equals(policy.by())
          && bound.keys().equals(policy.keys())) {
        bound.become(policy, costs);
        bound.appliesOnlyTo(patterns);
        return new UrlPolicy(bound, patterns);
      }
    }
    BoundPolicy bound = new BoundPolicy(policy, costs);
    bound.appliesOnlyTo(patterns);
    return new UrlPolicy(bound, patterns);
  }
}
