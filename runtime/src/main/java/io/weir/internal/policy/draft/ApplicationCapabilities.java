package io.weir.internal.policy.draft;

import io.weir.annotation.Algorithm;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an application offers its policies: key resolvers, and the algorithms of its store.
 *
 * <p>Immutable.
 *
 * @param resolvers the names of the registered {@code KeyResolver}s
 * @param algorithms what its store can count by
 * @param store how messages call the store
 */
public record ApplicationCapabilities(
    Set<String> resolvers, Set<Algorithm> algorithms, String store) {
  /**
   * Takes them as they are.
   *
   * @param resolvers see the record
   * @param algorithms see the record
   * @param store see the record
   */
  public ApplicationCapabilities {
    resolvers = Set.copyOf(resolvers);
    algorithms = Set.copyOf(algorithms);
  }

  /**
   * Those of an application whose store counts by all algorithms.
   *
   * @param resolvers the names of the registered {@code KeyResolver}s
   * @return the capabilities
   */
  public static ApplicationCapabilities of(Set<String> resolvers) {
    return new ApplicationCapabilities(resolvers, EnumSet.allOf(Algorithm.class), "the store");
  }

  Optional<String> mistake(Algorithm algorithm) {
    return algorithms.contains(algorithm)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT, "%s counts only by %s", store, String.join(", ", countsBy())));
  }

  private Set<String> countsBy() {
    Set<String> names = new TreeSet<>();
    algorithms.forEach(each -> names.add(each.name()));
    return names;
  }
}
