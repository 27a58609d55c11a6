package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.Rule;
import io.weir.rules.tier.TierOffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the limits that would be lower for a caller in another tier.
 *
 * <p>A limit of the new tier takes nothing away if one of the old tier is at least as strict at the
 * same endpoint and method: it counts the same callers, and within the window of the new one it
 * can't admit more. Of calendar windows and quotas only equal ones are compared.
 *
 * <p>Immutable.
 */
public final class TierComparison {
  private final Rulebook book;
  private final OwnLimits own;
  private final long now;

  /**
   * Compares for one caller.
   *
   * @param own the caller's own limits, which it keeps
   * @param now microseconds since the epoch
   */
  public TierComparison(Rulebook book, OwnLimits own, long now) {
    this.book = book;
    this.own = own;
    this.now = now;
  }

  public boolean isKnown(String tier) {
    return book.isKnown(tier);
  }

  /**
   * Finds the limits that would be lower.
   *
   * @param before the caller's tier
   * @param after the tier that it wants
   * @return a sentence for each limit; none if nothing is
   */
  public List<String> lowered(String before, String after) {
    Set<String> lowered = new LinkedHashSet<>();
    for (CompiledRule each : book.rules()) {
      String tier = each.rule().tier();
      boolean isOfEither = tier.equals(before) || tier.equals(after) || tier.equals(Rule.EVERYBODY);
      if (isOfEither && !each.rule().isForPolicy()) {
        for (String method : methods(each.rule().methods())) {
          atEndpoint(lowered, each.rule().pattern(), method, before, after);
        }
      }
    }
    for (Policy bound : book.context().boundPolicies()) {
      long last = limit(bound, before);
      long next = limit(bound, after);
      if (next < last) {
        lowered.add(String.format(Locale.ROOT, "%s: %,d instead of %,d", bound.name(), next, last));
      }
    }
    return List.copyOf(lowered);
  }

  public Set<String> tiers() {
    return book.tiers();
  }

  /**
   * Returns the limits that the caller would have in a tier, apart from those by address.
   *
   * @return those of the tier's enforced rules, then those of policies that know the tier
   */
  public List<TierOffer.Limit> limits(String tier) {
    Set<TierOffer.Limit> limits = new LinkedHashSet<>();
    book.rules().stream()
        .filter(each -> each.rule().tier().equals(tier) && !each.rule().isForPolicy())
        .filter(each -> !each.isShadow() && each.holds(now))
        .filter(each -> !CountBy.of(each.rule()).countsAddresses())
        .sorted(Comparator.comparing(each -> each.rule().pattern()))
        .forEach(each -> limits.add(limit(each, tier)));
    for (Policy bound : book.context().boundPolicies()) {
      boolean isOfTier =
          bound.tiers().containsKey(tier) || !book.forPolicy(bound.name()).of(tier).isEmpty();
      if (isOfTier) {
        limits.add(
            new TierOffer.Limit(
                Rule.POLICY + bound.name(), limit(bound, tier), WindowText.of(bound.spec())));
      }
    }
    return List.copyOf(limits);
  }

  private TierOffer.Limit limit(CompiledRule rule, String tier) {
    String method = rule.rule().methods().stream().sorted().findFirst().orElse("GET");
    EndpointRules matched = book.match(EndpointForm.TEMPLATE, rule.rule().pattern(), method);
    long limit =
        matched.after(tier, own, now).stream()
            .filter(each -> each.rule() == rule)
            .mapToLong(AppliedRule::limit)
            .findFirst()
            .orElse(rule.rule().limit());
    return new TierOffer.Limit(rule.rule().pattern(), limit, rule.rule().window().toString());
  }

  /** Returns the rule's methods; for a rule of all methods, those of any rule, and another one. */
  private Collection<String> methods(Set<String> named) {
    if (!named.isEmpty()) {
      return named;
    }
    Set<String> all = new TreeSet<>(Set.of("GET"));
    book.rules().forEach(each -> all.addAll(each.rule().methods()));
    return all;
  }

  private void atEndpoint(
      Set<String> lowered, String endpoint, String method, String before, String after) {
    EndpointRules matched = book.match(EndpointForm.TEMPLATE, endpoint, method);
    List<AppliedRule> last = enforced(matched.after(before, own, now));
    for (AppliedRule next : enforced(matched.after(after, own, now))) {
      if (last.stream().noneMatch(each -> isAsStrict(each, next))) {
        lowered.add(
            String.format(
                Locale.ROOT,
                "%s at %s: %,d per %s is less than %s has there",
                next.rule().name(),
                endpoint,
                next.limit(),
                next.rule().rule().window().inWords(),
                before));
      }
    }
  }

  private static List<AppliedRule> enforced(List<AppliedRule> kept) {
    List<AppliedRule> enforced = new ArrayList<>(kept);
    enforced.removeIf(each -> each.rule().isShadow());
    return enforced;
  }

  private static boolean isAsStrict(AppliedRule last, AppliedRule next) {
    Rule before = last.rule().rule();
    Rule after = next.rule().rule();
    if (!before.countBy().equals(after.countBy()) || before.perEndpoint() && !after.perEndpoint()) {
      return false;
    }
    if (before.window().length().isEmpty() || after.window().length().isEmpty()) {
      return before.window().equals(after.window()) && last.limit() <= next.limit();
    }
    long windows = windows(before.window().length().get(), after.window().length().get());
    return last.limit() <= next.limit() / windows && burst(last) <= burst(next);
  }

  /** Within how many whole windows of the first one of the second lies. */
  private static long windows(Duration of, Duration within) {
    return Math.max(1, (within.toSeconds() + of.toSeconds() - 1) / of.toSeconds());
  }

  private static long burst(AppliedRule rule) {
    return rule.policy(false).burstFor(rule.limit());
  }

  private long limit(Policy bound, String tier) {
    LimitOverride found =
        LimitSource.inForce(
            bound, book.forPolicy(bound.name()), null, LimitedCaller.of(tier, own), now);
    return found.policy() == null ? bound.limit() : found.limit();
  }
}
