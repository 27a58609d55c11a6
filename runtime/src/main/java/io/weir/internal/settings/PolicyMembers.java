package io.weir.internal.settings;

import io.weir.BanTerms;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.BanScope;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Scope;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Lists the members of a policy, one entry each: name, syntax in settings, how to read it from an
 * annotation and put it into a policy, and its note in the table of policies. The policy's name and
 * its tiers are missing, since their settings have names of another form.
 */
public final class PolicyMembers {
  /** Longer than any ban, and short enough to compute with. */
  private static final Duration TOO_LONG = Duration.ofDays(1_000);

  /** Permits per window. */
  public static final PolicyMember<Long> LIMIT =
      PolicyMember.of(
          "limit", ValueSyntax.number(1, Policy.MAX_LIMIT), RateLimit::limit, PolicyBuilder::limit);

  public static final PolicyMember<WrittenWindow> WINDOW =
      PolicyMember.of(
          "window",
          WrittenWindow::parse,
          limit -> WrittenWindow.of(limit.window(), limit.unit()),
          (policy, window) -> window.give(policy));

  /** The time zone of a window by the calendar. */
  public static final PolicyMember<String> ZONE =
      PolicyMember.of("zone", ValueSyntax.text(), RateLimit::zone, PolicyBuilder::zone);

  public static final PolicyMember<List<By>> BY =
      PolicyMember.of(
          "by",
          ValueSyntax.list(ValueSyntax.choice(By.class)),
          limit -> List.of(limit.by()),
          (policy, by) -> policy.by(by.toArray(new By[0])));

  /** The expressions that {@code by = KEY} reads. */
  public static final PolicyMember<List<String>> KEY =
      PolicyMember.of(
          "key",
          ValueSyntax.list(ValueSyntax.text()),
          limit -> List.of(limit.key()),
          (policy, keys) -> policy.keys(keys.toArray(new String[0])));

  public static final PolicyMember<Mode> MODE =
      PolicyMember.of("mode", ValueSyntax.choice(Mode.class), RateLimit::mode, PolicyBuilder::mode);

  /** The excess of SOFT and ELASTIC, in percent. */
  public static final PolicyMember<Integer> EXCEED_BY =
      PolicyMember.of(
          "exceedBy",
          ValueSyntax.percent(Policy.MAX_EXCEED_BY),
          RateLimit::exceedBy,
          PolicyBuilder::exceedBy);

  /** Whether it refuses nothing and only reports. */
  public static final PolicyMember<Boolean> SHADOW =
      PolicyMember.of("shadow", ValueSyntax.flag(), RateLimit::shadow, PolicyBuilder::shadow)
          .notedAs(policy -> policy.shadow() ? "shadow" : "");

  public static final PolicyMember<List<Algorithm>> ALGORITHM =
      PolicyMember.of(
              "algorithm",
              value -> List.of(ValueSyntax.choice(Algorithm.class).parse(value)),
              limit -> List.of(limit.algorithm()),
              (policy, algorithms) -> algorithms.stream().findFirst().ifPresent(policy::algorithm))
          .notedAs(policy -> isUsual(policy) ? "" : policy.algorithm().name());

  /** Permits at once, of the bucket algorithms. */
  public static final PolicyMember<Long> BURST =
      PolicyMember.of(
              "burst",
              ValueSyntax.number(0, Policy.MAX_LIMIT),
              RateLimit::burst,
              PolicyBuilder::burst)
          .notedAs(policy -> policy.spec().burst() > 0 ? "burst " + policy.spec().burst() : "");

  /** Permits that return together. */
  public static final PolicyMember<Long> REFILL =
      PolicyMember.of(
              "refill",
              ValueSyntax.number(0, Policy.MAX_LIMIT),
              RateLimit::refill,
              PolicyBuilder::refill)
          .notedAs(policy -> policy.refill() > 0 ? "refill " + policy.refill() : "");

  /** Whether a refusal restarts the wait. */
  public static final PolicyMember<Boolean> STRICT =
      PolicyMember.of("strict", ValueSyntax.flag(), RateLimit::strict, PolicyBuilder::strict)
          .notedAs(policy -> policy.spec().strict() ? "strict" : "");

  /** Permits per request. */
  public static final PolicyMember<Long> COST =
      PolicyMember.of(
              "cost", ValueSyntax.number(1, Policy.MAX_LIMIT), RateLimit::cost, PolicyBuilder::cost)
          .notedAs(policy -> policy.cost() > 1 ? "cost " + policy.cost() : "");

  /** The expression or resolver that determines the cost of a request. */
  public static final PolicyMember<String> COST_FROM =
      PolicyMember.of("costFrom", ValueSyntax.text(), RateLimit::costFrom, PolicyBuilder::costFrom)
          .notedAs(policy -> policy.costFrom().isEmpty() ? "" : "cost from " + policy.costFrom());

  /** The condition on the requests that it applies to. */
  public static final PolicyMember<String> WHEN =
      PolicyMember.of("when", ValueSyntax.text(), RateLimit::when, PolicyBuilder::when)
          .notedAs(policy -> policy.when().isEmpty() ? "" : "when " + policy.when());

  public static final PolicyMember<Priority> PRIORITY =
      PolicyMember.of(
              "priority",
              ValueSyntax.choice(Priority.class),
              RateLimit::priority,
              PolicyBuilder::priority)
          .notedAs(
              policy -> policy.priority() == Priority.NONE ? "" : "priority " + policy.priority());

  public static final PolicyMember<Count> COUNT =
      PolicyMember.of(
              "count", ValueSyntax.choice(Count.class), RateLimit::count, PolicyBuilder::count)
          .notedAs(policy -> policy.count() == Count.ALL ? "" : "counts " + policy.count());

  /** Selects what clears the failures that it has counted. */
  public static final PolicyMember<ClearOn> CLEAR_ON =
      PolicyMember.of(
              "clearOn",
              ValueSyntax.choice(ClearOn.class),
              RateLimit::clearOn,
              PolicyBuilder::clearOn)
          .notedAs(
              policy ->
                  policy.clearOn() == ClearOn.NOTHING ? "" : "cleared by " + policy.clearOn());

  /** The overshoot of a cluster ahead of its store, in percent. */
  public static final PolicyMember<Integer> OVERSHOOT =
      PolicyMember.of(
          "overshoot",
          ValueSyntax.percent(Policy.MAX_OVERSHOOT),
          RateLimit::overshoot,
          PolicyBuilder::overshoot);

  /** The decision while the store can't be reached. */
  public static final PolicyMember<OnStoreFailure> ON_STORE_FAILURE =
      PolicyMember.of(
          "onStoreFailure",
          ValueSyntax.choice(OnStoreFailure.class),
          RateLimit::onStoreFailure,
          PolicyBuilder::onStoreFailure);

  /** The reach of the limit where there are several regions. */
  public static final PolicyMember<Scope> SCOPE =
      PolicyMember.of(
              "scope", ValueSyntax.choice(Scope.class), RateLimit::scope, PolicyBuilder::scope)
          .notedAs(policy -> policy.scope() == Scope.GLOBAL ? "" : "scope " + policy.scope());

  /** Strikes that lead to a ban. */
  public static final PolicyMember<Long> BAN_AFTER =
      PolicyMember.of(
              "banAfter",
              ValueSyntax.number(0, BanTerms.MAX_AFTER),
              RateLimit::banAfter,
              PolicyBuilder::banAfter)
          .notedAs(policy -> policy.ban().map(BanTerms::toString).orElse(""));

  /** The time in which they do. */
  public static final PolicyMember<Duration> BAN_WITHIN =
      PolicyMember.of(
          "banWithin",
          ValueSyntax.duration(),
          limit -> length(limit.banWithin(), limit.unit()),
          PolicyBuilder::banWithin);

  /** The length of the first ban. */
  public static final PolicyMember<Duration> BAN_FOR =
      PolicyMember.of(
          "banFor",
          ValueSyntax.duration(),
          limit -> length(limit.banFor(), limit.unit()),
          PolicyBuilder::banFor);

  /** The length of the longest ban. */
  public static final PolicyMember<Duration> BAN_AT_MOST =
      PolicyMember.of(
          "banAtMost",
          ValueSyntax.duration(),
          limit -> length(limit.banAtMost(), limit.unit()),
          PolicyBuilder::banAtMost);

  /** The kinds of strikes. */
  public static final PolicyMember<List<String>> BAN_ON =
      PolicyMember.of(
          "banOn",
          ValueSyntax.list(ValueSyntax.text()),
          limit -> List.of(limit.banOn()),
          (policy, what) -> policy.banOn(what.toArray(new String[0])));

  /** The endpoints that a banned caller is kept out of. */
  public static final PolicyMember<BanScope> BAN_SCOPE =
      PolicyMember.of(
          "banScope",
          ValueSyntax.choice(BanScope.class),
          RateLimit::banScope,
          PolicyBuilder::banScope);

  /** All members, in the order of their notes. */
  public static final List<PolicyMember<?>> ALL =
      List.of(
          LIMIT,
          WINDOW,
          ZONE,
          BY,
          KEY,
          MODE,
          EXCEED_BY,
          SHADOW,
          ALGORITHM,
          BURST,
          REFILL,
          STRICT,
          COST,
          COST_FROM,
          WHEN,
          PRIORITY,
          COUNT,
          CLEAR_ON,
          OVERSHOOT,
          ON_STORE_FAILURE,
          SCOPE,
          BAN_AFTER,
          BAN_WITHIN,
          BAN_FOR,
          BAN_AT_MOST,
          BAN_ON,
          BAN_SCOPE);

  private PolicyMembers() {}

  /** Converts units to a duration; months and years have their average length. */
  private static Duration length(long amount, ChronoUnit unit) {
    Duration one = unit.getDuration();
    long most = TOO_LONG.dividedBy(one) + 1;
    return one.multipliedBy(Math.max(-most, Math.min(most, amount)));
  }

  private static boolean isUsual(Policy policy) {
    return policy.algorithm() == Algorithm.SLIDING_WINDOW || policy.spec().calendar().isPresent();
  }
}
