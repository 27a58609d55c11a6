package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.internal.key.ReadablePlaces;
import io.weir.internal.region.RegionShares;
import io.weir.internal.settings.NearestWord;
import io.weir.store.BucketSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Holds what an application offers its policies: resolvers, conditions, a store that counts, and
 * the part of limits that its region counts.
 *
 * <p>Immutable.
 *
 * @param resolvers the names of the registered {@code KeyResolver}s
 * @param costResolvers the names of the registered {@code CostResolver}s
 * @param conditions the names of the registered {@code RequestCondition}s
 * @param conditionsOfBodies those of them that read the body
 * @param algorithms the algorithms of its store
 * @param counts whether the store counts such buckets
 * @param store the store's name in messages
 * @param shares the part of each limit that this region counts
 */
public record ApplicationCapabilities(
    Set<String> resolvers,
    Set<String> costResolvers,
    Set<String> conditions,
    Set<String> conditionsOfBodies,
    Set<Algorithm> algorithms,
    Predicate<BucketSpec> counts,
    String store,
    RegionShares shares) {
  public ApplicationCapabilities {
    resolvers = Set.copyOf(resolvers);
    costResolvers = Set.copyOf(costResolvers);
    conditions = Set.copyOf(conditions);
    conditionsOfBodies = Set.copyOf(conditionsOfBodies);
    algorithms = Set.copyOf(algorithms);
  }

  /** Returns the capabilities of an application whose store counts all buckets. */
  public static ApplicationCapabilities of(Set<String> resolvers) {
    return new ApplicationCapabilities(
        resolvers,
        Set.of(),
        Set.of(),
        Set.of(),
        EnumSet.allOf(Algorithm.class),
        spec -> true,
        "the store",
        RegionShares.NONE);
  }

  Optional<String> conditionMistake(String name, boolean bodies) {
    if (!bodies && conditionsOfBodies.contains(name)) {
      return Optional.of(
          "must not be used here, since it reads the body, which can be read only "
              + ReadablePlaces.OF_BODIES);
    }
    return conditions.contains(name)
        ? Optional.empty()
        : Optional.of(
            "must be the name of a registered RequestCondition"
                + NearestWord.hint(name, conditions));
  }

  Optional<String> mistake(Algorithm algorithm) {
    return algorithms.contains(algorithm)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT, "%s counts only by %s", store, String.join(", ", countsBy())));
  }

  /** Finds the mistake in buckets of an algorithm that the store does count by. */
  Optional<PolicyMistake> mistakeOfBucket(Policy policy) {
    BucketSpec spec = policy.spec();
    if (counts.test(spec) || !algorithms.contains(spec.algorithm())) {
      return Optional.empty();
    }
    if (spec.hasRefill()) {
      return Optional.of(mistake("refill", policy.refill(), "no buckets with their own refill"));
    }
    return spec.calendar()
        .map(each -> mistake("window", each, "no windows by the calendar"))
        .or(() -> Optional.of(mistake("algorithm", spec.algorithm(), "no buckets of " + spec)));
  }

  List<PolicyMistake> mistakesOfShares(Policy policy) {
    return RegionShareChecks.mistakes(shares, policy);
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
