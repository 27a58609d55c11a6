package io.weir.internal.rules.request;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.internal.rules.anomalies.EnforcedAnomalies;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.quotas.QuotaCounter;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.internal.rules.usage.UsageListener;
import io.weir.rules.Rule;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules to each request.
 *
 * <p>An endpoint that no rule matches costs only that check. Rules of everybody that need no user
 * are decided before authentication, for any caller; for all others the caller is looked up, which
 * is answered at once if it is cached. Never blocks, and asks no database itself.
 *
 * <p>Safe for concurrent use.
 */
public final class RulePolicySource implements PolicySource {
  private static final CompletableFuture<AppliedPolicies> NOTHING =
      CompletableFuture.completedFuture(AppliedPolicies.none());
  private static final CompletableFuture<AppliedPolicies> NOTHING_IN_ANY_PHASE =
      CompletableFuture.completedFuture(AppliedPolicies.noneInAnyPhase());

  private final Supplier<Rulebook> current;
  private final CallerProfileCache callers;
  private final Function<SourceContext, CallerSettings> settings;
  private final QuotaPolicyFactory quotas;
  private final CostCap warnings = new CostCap();
  private final DeclaredPolicyOverrides boundPolicies = new DeclaredPolicyOverrides(warnings);
  private final SeenPolicies met = new SeenPolicies();
  private final AnomalyEnforcer unusual;
  private final RulesExplainer explainer;
  private final FinishedRequestReporter finished;
  private volatile TierPoliciesCache tierPoliciesCache =
      new TierPoliciesCache(Rulebook.empty(), warnings);
  private volatile @Nullable RuleRequestReader parts;

  /**
   * Applies no rules until it is started.
   *
   * @param settings identify callers; read at the start
   */
  public RulePolicySource(
      Supplier<Rulebook> current,
      CallerProfileCache callers,
      Function<SourceContext, CallerSettings> settings,
      UsageListener usage,
      QuotaPolicyFactory quotas,
      EnforcedAnomalies anomalies) {
    this.current = current;
    this.callers = callers;
    this.settings = settings;
    this.quotas = quotas;
    this.unusual = new AnomalyEnforcer(anomalies);
    this.explainer = new RulesExplainer(current, callers, unusual);
    this.finished = new FinishedRequestReporter(current, callers, usage);
  }

  @Override
  public void start(SourceContext application) {
    parts = new RuleRequestReader(application, settings.apply(application));
  }

  /** Returns the digest of a key, unless rows are found by the keys themselves. */
  public String userIdOfKey(String key) {
    RuleRequestReader read = parts;
    return read != null && read.isPlain() ? key : Sha256Digest.of(key);
  }

  /** Returns what the application's settings have; before the start, their default. */
  public String defaultTier() {
    RuleRequestReader read = parts;
    return read == null ? CallerSettings.DEFAULT.defaultTier() : read.defaultTier();
  }

  /**
   * Returns the counter of a user's quota.
   *
   * @return nothing if no rule gives it one
   * @throws IllegalStateException if no application has been started with this source
   */
  public Optional<QuotaCounter> quotaOf(String userId, CallerProfile profile) {
    RuleRequestReader read = started();
    long now = read.now();
    boolean isKey = read.isPlain() || CallerId.isDigest(userId);
    return current
        .get()
        .quotaOf(profile.tier(now).orElse(read.defaultTier()), profile.ownLimits(now), now)
        .map(rule -> quotas.counter(rule, userId, isKey, read.application()));
  }

  private RuleRequestReader started() {
    RuleRequestReader read = parts;
    if (read == null) {
      throw new IllegalStateException("no application has been started with these rules");
    }
    return read;
  }

  /**
   * Explains which limits a request has, and why. Waits for the look-up of the caller, at most as
   * long as a request does; charges nothing.
   *
   * @return the explanation; of annotated policies those that the endpoint has met since the start,
   *     or the one that is named
   * @throws IllegalStateException if no application has been started with this source
   */
  public Explanation explain(ExplainedRequest request) {
    RuleRequestReader read = started();
    String endpoint = request.endpoint();
    List<Policy> bound =
        endpoint.startsWith(Rule.POLICY)
            ? read.bound(endpoint.substring(Rule.POLICY.length()))
            : met.at(endpoint);
    return explainer.explain(request, read, bound);
  }

  @Override
  public CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    Rulebook book = current.get();
    String method = request.answeredMethod();
    EndpointRules matched = book.match(EndpointForm.of(request), request.endpoint(), method);
    boolean isBefore = phase == DecisionPhase.BEFORE_AUTHENTICATION;
    if (bound.isEmpty() && matched.isEmpty()) {
      return NOTHING_IN_ANY_PHASE;
    }
    if (bound.isEmpty() && (isBefore ? !matched.hasEarly() : !dependsOnCaller(matched))) {
      return NOTHING;
    }
    RuleRequestReader read = parts;
    if (read == null) {
      return NOTHING;
    }
    long now = read.now(); // once: the clock makes an object each time
    if (bound.isEmpty() && isBefore && matched.before(now).isEmpty()) {
      return NOTHING;
    }
    if (!bound.isEmpty()) {
      met.note(request.endpoint(), phase, bound);
    }
    RequestCaller caller =
        isBefore && bound.isEmpty() ? RequestCaller.NOBODY : read.caller(request, !isBefore);
    EvaluationContext asked =
        new EvaluationContext(
            book,
            matched,
            phase,
            bound,
            caller,
            tier,
            request.tier().orElse(read.defaultTier()),
            matched.cost().isPresent() ? matched.cost().getAsLong() : read.cost(method),
            now,
            unusual.endpoint(request, matched));
    RequestKeys keys = new RequestKeys(caller, matched, request, read);
    Predicate<CallerProfile> isEnough = isEnough(asked);
    CallerProfile cached = callers.cached(caller.row(), isEnough);
    if (cached != null) {
      return answer(asked, cached, read, keys);
    }
    CompletableFuture<CallerProfile> profile =
        callers.find(caller.row(), isEnough, decides(asked, read)).toCompletableFuture();
    if (profile.isDone()) {
      return answer(asked, profile.join(), read, keys);
    }
    keys.readAll(matched.rules());
    return profile.thenCompose(found -> answer(asked, found, read, keys));
  }

  private static boolean isAny(CallerProfile profile) {
    return true;
  }

  private static boolean needsQuota(EvaluationContext asked) {
    return !asked.isBefore() && asked.matched().hasQuota();
  }

  /** Finds out whether the last known profile is enough if the look-up takes too long. */
  private static Predicate<CallerProfile> decides(EvaluationContext asked, RuleRequestReader read) {
    return needsQuota(asked)
        ? last -> QuotaPolicyFactory.decides(last, asked.now(), read.application())
        : RulePolicySource::isAny;
  }

  private static Predicate<CallerProfile> isEnough(EvaluationContext asked) {
    return needsQuota(asked)
        ? found -> QuotaPolicyFactory.isEnough(found, asked.now())
        : RulePolicySource::isAny;
  }

  /** Returns whether any rule isn't decided before authentication. */
  private static boolean dependsOnCaller(EndpointRules matched) {
    List<CompiledRule> rules = matched.rules();
    for (int i = 0; i < rules.size(); i++) {
      CompiledRule each = rules.get(i);
      if (each.needsUser() || !each.rule().tier().equals(Rule.EVERYBODY)) {
        return true;
      }
    }
    return false;
  }

  private CompletableFuture<AppliedPolicies> answer(
      EvaluationContext asked, CallerProfile profile, RuleRequestReader read, RequestKeys keys) {
    LimitedCaller caller = asked.limited(profile);
    TierPolicies tierPolicies = tierPolicies(asked, caller);
    List<AppliedPolicy> bound = List.of();
    if (!asked.bound().isEmpty()) {
      bound = new ArrayList<>();
      boundPolicies.addTo(bound, asked, caller);
    }
    RequestCaller.Kind kind = asked.caller().kind();
    boolean isEvaluated = caller.isEvaluated();
    Anomaly anomaly = unusual.find(asked, profile, asked.endpoint());
    boolean isByTierAlone =
        bound.isEmpty() && !isEvaluated && anomaly == null && !asked.book().hasSwitches();
    if (isByTierAlone && profile.isCurrent()) {
      CompletableFuture<AppliedPolicies> ready = tierPolicies.answerFor(kind);
      if (ready != null) {
        return ready;
      }
    }
    List<AppliedPolicy> all = new ArrayList<>(bound);
    tierPolicies.addTo(
        all,
        kind,
        isEvaluated,
        asked.book(),
        asked.now(),
        keys,
        (rule, inShadow) -> quotas.apply(rule, inShadow, asked, profile, keys, read.application()));
    if (anomaly != null) {
      AnomalyEnforcer.act(all, asked, anomaly, read);
    }
    return CompletableFuture.completedFuture(
        profile.isCurrent() ? AppliedPolicies.of(all) : AppliedPolicies.incomplete(all));
  }

  @Override
  public void completed(RequestInfo request, Decision decision) {
    RuleRequestReader read = parts;
    if (read != null) {
      finished.add(request, decision, read);
    }
  }

  @Override
  public List<String> describe() {
    return RuleListing.of(current.get());
  }

  private TierPolicies tierPolicies(EvaluationContext asked, LimitedCaller caller) {
    if (asked.isBefore()) {
      return tierPoliciesCache(asked.book()).of(asked.matched().before(asked.now()), asked.cost());
    }
    List<AppliedRule> rules = asked.matched().after(caller.tier(), caller.own(), asked.now());
    return caller.own().isEmpty()
        ? tierPoliciesCache(asked.book()).of(rules, asked.cost())
        : new TierPolicies(rules, asked.cost(), warnings);
  }

  private TierPoliciesCache tierPoliciesCache(Rulebook book) {
    TierPoliciesCache known = tierPoliciesCache;
    if (!known.areOf(book)) {
      known = new TierPoliciesCache(book, warnings);
      tierPoliciesCache = known;
    }
    return known;
  }
}
