package io.weir.internal.policy.draft;

import io.weir.annotation.Algorithm;
import io.weir.internal.settings.NearestWord;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an application offers its policies: what reads keys and costs, conditions, and the
 * algorithms of its store.
 *
 * <p>Immutable.
 *
 * @param resolvers the names of the registered {@code KeyResolver}s
 * @param costResolvers the names of the registered {@code CostResolver}s
 * @param conditions the names of the registered {@code RequestCondition}s
 * @param algorithms what its store can count by
 * @param store how messages call the store
 */
public record ApplicationCapabilities(
    Set<String> resolvers,
    Set<String> costResolvers,
    Set<String> conditions,
    Set<Algorithm> algorithms,
    String store) {
  /**
   * Takes them as they are.
   *
   * @param resolvers see the record
   * @param costResolvers see the record
   * @param conditions see the record
   * @param algorithms see the record
   * @param store see the record
   */
  public ApplicationCapabilities {
    resolvers = Set.copyOf(resolvers);
    costResolvers = Set.copyOf(costResolvers);
    conditions = Set.copyOf(conditions);
    algorithms = Set.copyOf(algorithms);
  }

  /**
   * Those of an application whose store counts by all algorithms.
   *
   * @param resolvers the names of the registered {@code KeyResolver}s
   * @return the capabilities
   */
  public static ApplicationCapabilities of(Set<String> resolvers) {
    return new ApplicationCapabilities(
        resolvers, Set.of(), Set.of(), EnumSet.allOf(Algorithm.class), "the store");
  }

  Optional<String> conditionMistake(String name) {
    return conditions.contains(name)
        ? Optional.empty()
        : Optional.of(
            "'"
                + name
                + "' is not the name of a registered RequestCondition"
                + NearestWord.hint(name, conditions));
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
