package io.weir.internal.policy.draft;

import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.internal.settings.NearestWord;
import io.weir.store.BucketSpec;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What an application offers its policies: what reads keys and costs, conditions, and what its
 * store counts.
 *
 * <p>Immutable.
 *
 * @param resolvers the names of the registered {@code KeyResolver}s
 * @param costResolvers the names of the registered {@code CostResolver}s
 * @param conditions the names of the registered {@code RequestCondition}s
 * @param algorithms what its store can count by
 * @param counts which buckets it counts
 * @param store how messages call the store
 */
public record ApplicationCapabilities(
    Set<String> resolvers,
    Set<String> costResolvers,
    Set<String> conditions,
    Set<Algorithm> algorithms,
    Predicate<BucketSpec> counts,
    String store) {
  /**
   * Takes them as they are.
   *
   * @param resolvers see the record
   * @param costResolvers see the record
   * @param conditions see the record
   * @param algorithms see the record
   * @param counts see the record
   * @param store see the record
   */
  public ApplicationCapabilities {
    resolvers = Set.copyOf(resolvers);
    costResolvers = Set.copyOf(costResolvers);
    conditions = Set.copyOf(conditions);
    algorithms = Set.copyOf(algorithms);
  }

  /**
   * Those of an application whose store counts all buckets.
   *
   * @param resolvers the names of the registered {@code KeyResolver}s
   * @return the capabilities
   */
  public static ApplicationCapabilities of(Set<String> resolvers) {
    return new ApplicationCapabilities(
        resolvers, Set.of(), Set.of(), EnumSet.allOf(Algorithm.class), spec -> true, "the store");
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

  /** What is wrong with buckets of an algorithm that the store does count by. */
  Optional<PolicyMistake> mistake(BucketSpec spec) {
    if (counts.test(spec) || !algorithms.contains(spec.algorithm())) {
      return Optional.empty();
    }
    if (spec.refill() > 0) {
      return Optional.of(mistake("refill", spec.refill(), "no buckets with their own refill"));
    }
    return spec.calendar()
        .map(each -> mistake("window", each, "no windows by the calendar"))
        .or(() -> Optional.of(mistake("algorithm", spec.algorithm(), "no buckets of " + spec)));
  }

  private PolicyMistake mistake(String member, Object value, String what) {
    return new PolicyMistake(member, value.toString(), store + " counts " + what);
  }

  private Set<String> countsBy() {
    Set<String> names = new TreeSet<>();
    algorithms.forEach(each -> names.add(each.name()));
    return names;
  }
}
