package io.weir.internal.rules.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.quotas.BillingPeriod;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.quotas.QuotaCounter;
import io.weir.internal.rules.quotas.QuotaState;
import io.weir.internal.rules.quotas.QuotaTerms;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.SourceContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongBiFunction;

/**
 * Makes policies of rules with the period {@code QUOTA}, for the current period of each caller.
 *
 * <p>A caller that the database doesn't know has the rule's limit, and neither ledger nor rollover:
 * so invented keys make no rows. Safe for concurrent use.
 */
public final class QuotaPolicyFactory {
  private static final int MAX_POLICIES = 10_000;

  /** The account of a caller that the database doesn't know. */
  private static final QuotaAccount NOBODY =
      new QuotaAccount("", Optional.empty(), List.of(), List.of(), Long.MAX_VALUE);

  private final CallerProfileCache callers;
  private final ToLongBiFunction<String, BillingPeriod> known;
  private final Closer closer;

  /** Callers with the same period share a policy: the same object is cheap to decide. */
  private final Cache<Wanted, Policy> policies =
      Caffeine.newBuilder().maximumSize(MAX_POLICIES).executor(Runnable::run).build();

  private record Wanted(CompiledRule rule, BillingPeriod period, boolean inShadow) {}

  @FunctionalInterface
  public interface Closer {
    /** Closes the ended periods of a user soon. */
    void later(String userId, QuotaCounter counter, Runnable done);
  }

  /**
   * Makes policies of quotas.
   *
   * @param known the permits that a user is known to have used in a period, at least
   */
  public QuotaPolicyFactory(
      CallerProfileCache callers, ToLongBiFunction<String, BillingPeriod> known, Closer closer) {
    this.callers = callers;
    this.known = known;
    this.closer = closer;
  }

  /** Returns whether the cached profile is enough to determine the caller's quota. */
  static boolean isEnough(CallerProfile profile, long now) {
    return profile.isQuotaCurrent()
        && profile.quota().isPresent()
        && profile.quota().get().isReadFor(now);
  }

  /**
   * Returns whether a profile decides the caller's quota: its figures are current, or the last
   * known ones of the same period, and the store has lost nothing since.
   */
  static boolean decides(CallerProfile profile, long now, SourceContext application) {
    return profile
        .quota()
        .filter(
            account -> profile.isQuotaCurrent() || account.isValid(now, application.storeLosses()))
        .isPresent();
  }

  AppliedPolicy apply(
      AppliedRule rule,
      boolean inShadow,
      EvaluationContext asked,
      CallerProfile profile,
      RequestKeys keys,
      SourceContext application) {
    RequestCaller caller = asked.caller();
    boolean isKnown = caller.row().isPresent() && (caller.isUser() || profile.hasRow());
    if (caller.row().isPresent() && !decides(profile, asked.now(), application)) {
      return AppliedPolicy.unavailable(rule.policy(inShadow));
    }
    QuotaAccount account = isKnown ? profile.quota().orElse(NOBODY) : NOBODY;
    QuotaTerms terms = terms(rule);
    QuotaState state = QuotaState.of(account, terms, asked.now());
    Key key = key(caller, profile, rule, keys);
    long total = state.total();
    AppliedPolicy applied =
        AppliedPolicy.of(policy(rule.rule(), state.period(), inShadow))
            .withLimit(total)
            .withKey(key);
    if (applied.policy().costFrom().isEmpty()) {
      applied = applied.withPermits(rule.permits(asked.cost(), total));
    }
    if (!isKnown) {
      return applied;
    }
    String userId = account.userId();
    boolean isTried = rule.rule().isShadow(); // its terms aren't those of the quota
    if (state.mustClose() && profile.isQuotaCurrent() && !isTried) {
      QuotaCounter counter = new Counter(rule.rule(), terms, key, application);
      CallerId id = caller.row().get();
      closer.later(userId, counter, () -> callers.drop(id));
    }
    return applied.withUsed(Math.max(state.written(), known.applyAsLong(userId, state.period())));
  }

  private static QuotaTerms terms(AppliedRule rule) {
    return new QuotaTerms(rule.limit(), rule.rule().rule().maxRollover());
  }

  /** Returns the total quota of a caller under a rule; empty if it isn't known. */
  static OptionalLong total(AppliedRule rule, CallerProfile profile, long now) {
    return profile.quota().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(QuotaState.of(profile.quota().get(), terms(rule), now).total());
  }

  /** A key counts by its row's key, as the API names it. */
  private static Key key(
      RequestCaller caller, CallerProfile profile, AppliedRule rule, RequestKeys keys) {
    if (caller.isUser()) {
      return Key.user(caller.text());
    }
    return profile
        .quota()
        .filter(any -> caller.row().isPresent())
        .map(account -> Key.of(account.userId()))
        .orElseGet(() -> keys.of(rule.rule().rule()));
  }

  private Policy policy(CompiledRule rule, BillingPeriod period, boolean inShadow) {
    return policies.get(
        new Wanted(rule, period, inShadow),
        any -> any.rule.quota(any.period.beginsAt(), any.period.endsAt(), any.inShadow));
  }

  /**
   * Returns the counter of a user's quota, for the API.
   *
   * @param isKey whether the user is identified by a key
   */
  QuotaCounter counter(AppliedRule rule, String userId, boolean isKey, SourceContext application) {
    return new Counter(
        rule.rule(), terms(rule), isKey ? Key.of(userId) : Key.user(userId), application);
  }

  /** Counts in the bucket of a period. */
  private final class Counter implements QuotaCounter {
    private final CompiledRule rule;
    private final QuotaTerms terms;
    private final Key key;
    private final SourceContext application;

    Counter(CompiledRule rule, QuotaTerms terms, Key key, SourceContext application) {
      this.rule = rule;
      this.terms = terms;
      this.key = key;
      this.application = application;
    }

    @Override
    public QuotaTerms terms() {
      return terms;
    }

    @Override
    public CompletionStage<OptionalLong> used(BillingPeriod period) {
      return application.used(policy(rule, period, false), key);
    }

    @Override
    public Decision take(QuotaState state, long used, long permits) {
      return application
          .limiter()
          .tryAcquire(
              List.of(
                  new PermitRequest(
                      policy(rule, state.period(), false), key, permits, state.total(), used)));
    }
  }
}
