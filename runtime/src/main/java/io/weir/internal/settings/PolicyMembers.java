package io.weir.internal.settings;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import java.util.List;

/**
 * The members of a policy, one row each: name, syntax in settings, where to read it from the
 * annotation, where to put it into a policy, and how the table of policies shows it. Only the
 * policy's name and its tiers, which have names of their own, aren't here.
 */
public final class PolicyMembers {
  /** Permits per window. */
  public static final PolicyMember<Long> LIMIT =
      PolicyMember.of(
          "limit", ValueSyntax.number(1, Policy.MAX_LIMIT), RateLimit::limit, PolicyBuilder::limit);

  /** The length of the window. */
  public static final PolicyMember<WrittenWindow> WINDOW =
      PolicyMember.of(
          "window",
          WrittenWindow::parse,
          limit -> WrittenWindow.of(limit.window(), limit.unit()),
          (policy, window) -> window.give(policy));

  /** The time zone of a window by the calendar. */
  public static final PolicyMember<String> ZONE =
      PolicyMember.of("zone", ValueSyntax.text(), RateLimit::zone, PolicyBuilder::zone);

  /** Whom it counts. */
  public static final PolicyMember<List<By>> BY =
      PolicyMember.of(
          "by",
          ValueSyntax.list(ValueSyntax.choice(By.class)),
          limit -> List.of(limit.by()),
          (policy, by) -> policy.by(by.toArray(new By[0])));

  /** What {@code by = KEY} reads. */
  public static final PolicyMember<List<String>> KEY =
      PolicyMember.of(
          "key",
          ValueSyntax.list(ValueSyntax.text()),
          limit -> List.of(limit.key()),
          (policy, keys) -> policy.keys(keys.toArray(new String[0])));

  /** What happens at the limit. */
  public static final PolicyMember<Mode> MODE =
      PolicyMember.of("mode", ValueSyntax.choice(Mode.class), RateLimit::mode, PolicyBuilder::mode);

  /** How far SOFT and ELASTIC go. */
  public static final PolicyMember<Integer> EXCEED_BY =
      PolicyMember.of(
          "exceedBy",
          ValueSyntax.percent(Policy.MAX_EXCEED_BY),
          RateLimit::exceedBy,
          PolicyBuilder::exceedBy);

  /** Whether it only watches. */
  public static final PolicyMember<Boolean> SHADOW =
      PolicyMember.of("shadow", ValueSyntax.flag(), RateLimit::shadow, PolicyBuilder::shadow)
          .notedAs(policy -> policy.shadow() ? "shadow" : "");

  /** How permits are counted over time. */
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

  /** Permits that come back at once. */
  public static final PolicyMember<Long> REFILL =
      PolicyMember.of(
              "refill",
              ValueSyntax.number(0, Policy.MAX_LIMIT),
              RateLimit::refill,
              PolicyBuilder::refill)
          .notedAs(policy -> policy.spec().refill() > 0 ? "refill " + policy.spec().refill() : "");

  /** Whether a refusal starts the wait anew. */
  public static final PolicyMember<Boolean> STRICT =
      PolicyMember.of("strict", ValueSyntax.flag(), RateLimit::strict, PolicyBuilder::strict)
          .notedAs(policy -> policy.spec().strict() ? "strict" : "");

  /** Permits per request. */
  public static final PolicyMember<Long> COST =
      PolicyMember.of(
              "cost", ValueSyntax.number(1, Policy.MAX_LIMIT), RateLimit::cost, PolicyBuilder::cost)
          .notedAs(policy -> policy.cost() > 1 ? "cost " + policy.cost() : "");

  /** Where the cost of a request is found. */
  public static final PolicyMember<String> COST_FROM =
      PolicyMember.of("costFrom", ValueSyntax.text(), RateLimit::costFrom, PolicyBuilder::costFrom)
          .notedAs(policy -> policy.costFrom().isEmpty() ? "" : "cost from " + policy.costFrom());

  /** Which requests it holds for. */
  public static final PolicyMember<String> WHEN =
      PolicyMember.of("when", ValueSyntax.text(), RateLimit::when, PolicyBuilder::when)
          .notedAs(policy -> policy.when().isEmpty() ? "" : "when " + policy.when());

  /** How much of the limit it gives up under load. */
  public static final PolicyMember<Priority> PRIORITY =
      PolicyMember.of(
              "priority",
              ValueSyntax.choice(Priority.class),
              RateLimit::priority,
              PolicyBuilder::priority)
          .notedAs(
              policy -> policy.priority() == Priority.NONE ? "" : "priority " + policy.priority());

  /** Which requests count in the end. */
  public static final PolicyMember<Count> COUNT =
      PolicyMember.of(
              "count", ValueSyntax.choice(Count.class), RateLimit::count, PolicyBuilder::count)
          .notedAs(policy -> policy.count() == Count.ALL ? "" : "counts " + policy.count());

  /** How far a cluster admits ahead of its store. */
  public static final PolicyMember<Integer> OVERSHOOT =
      PolicyMember.of(
          "overshoot",
          ValueSyntax.percent(Policy.MAX_OVERSHOOT),
          RateLimit::overshoot,
          PolicyBuilder::overshoot);

  /** How to decide while the store is away. */
  public static final PolicyMember<OnStoreFailure> ON_STORE_FAILURE =
      PolicyMember.of(
          "onStoreFailure",
          ValueSyntax.choice(OnStoreFailure.class),
          RateLimit::onStoreFailure,
          PolicyBuilder::onStoreFailure);

  /** All of them; notes appear in this order. */
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
          OVERSHOOT,
          ON_STORE_FAILURE);

  private PolicyMembers() {}

  private static boolean isUsual(Policy policy) {
    return policy.algorithm() == Algorithm.SLIDING_WINDOW || policy.spec().calendar().isPresent();
  }
}
