package io.weir.internal.rules.assembly;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.rules.AccessListRepository;
import io.weir.rules.Buckets;
import io.weir.rules.Nodes;
import io.weir.rules.OperationCostRepository;
import io.weir.rules.PolicyInForce;
import io.weir.rules.RuleRepository;
import io.weir.rules.RulebookStatus;
import io.weir.rules.RulebookYaml;
import io.weir.rules.Rules;
import io.weir.rules.SwitchRepository;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.Sessions;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.history.RuleHistory;
import io.weir.rules.outcome.Outcomes;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.quota.Quotas;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.tier.UserTierRepository;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.WhatIf;
import io.weir.spi.AccessListSource;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The rules of one database, open: shows the parts that {@link RulesAssembly} makes, and brings
 * them to one application.
 */
public final class DefaultRules implements Rules, PolicySource {
  private static final Duration QUOTA_MARGIN = Duration.ofMillis(100);

  private final RulesAssembly parts;

  private DefaultRules(RulesAssembly parts) {
    this.parts = parts;
  }

  /**
   * Opens the rules and follows their changes.
   *
   * @param opener opens the database; throws {@link
   *     io.weir.rules.problem.RulesUnavailableException} while it is away
   * @param closeDatabase run when the rules are closed
   * @throws io.weir.rules.problem.RulesUnavailableException if the database is required, and away
   */
  public static DefaultRules open(
      Supplier<RuleDatabase> opener, Runnable closeDatabase, RulesOptions options) {
    RulesAssembly parts = new RulesAssembly(opener, closeDatabase, options, Ticker.system());
    try {
      parts.start(options.isRequired());
      return new DefaultRules(parts);
    } catch (RuntimeException failed) {
      parts.close();
      throw failed;
    }
  }

  /** Finds the rules that an application follows; empty if it has none in a database. */
  public static Optional<Rules> of(Weir weir) {
    return weir.source().filter(Rules.class::isInstance).map(Rules.class::cast);
  }

  @Override
  public CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    return parts.requests.policies(request, tier, phase, bound);
  }

  /** A little longer than the wait for a quota, which ends by itself. */
  @Override
  public Optional<Duration> timeout() {
    return rulebook().hasQuotas()
        ? Optional.of(parts.quotaTimeout.plus(QUOTA_MARGIN))
        : Optional.empty();
  }

  @Override
  public void completed(RequestInfo request, Decision decision) {
    parts.requests.completed(request, decision);
  }

  @Override
  public Optional<DecisionMetrics> metrics() {
    return Optional.of(parts.outcomes);
  }

  @Override
  public void start(SourceContext application) {
    parts.requests.start(application);
    parts.application(application);
  }

  @Override
  public void onChange(Runnable listener) {
    parts.current.onChange(listener);
  }

  @Override
  public List<String> describe() {
    return parts.requests.describe();
  }

  Rulebook rulebook() {
    return parts.current.get();
  }

  CallerProfileCache callers() {
    return parts.callers;
  }

  /** Returns the writer of usage and of the ledger of quotas. */
  UsageRecorder usageRecorder() {
    return parts.usage;
  }

  @Override
  public RuleRepository rules() {
    return parts.rules;
  }

  @Override
  public UserTierRepository users() {
    return parts.users;
  }

  @Override
  public OperationCostRepository costs() {
    return parts.costs;
  }

  @Override
  public SwitchRepository switches() {
    return parts.switches;
  }

  @Override
  public AccessListRepository accessEntries() {
    return parts.accessEntries;
  }

  @Override
  public Optional<AccessListSource> accessList() {
    return Optional.of(new DatabaseAccessList(parts.accessList, parts.bans));
  }

  @Override
  public TierUpgradeRepository upgrades() {
    return parts.upgrades;
  }

  @Override
  public Buckets buckets() {
    return parts.buckets;
  }

  @Override
  public AutoCloseable onEvent(Consumer<RuleEvent> listener) {
    return parts.events.listen(listener);
  }

  @Override
  public boolean isOnDuty() {
    return parts.housekeeping.leadership().isLeader();
  }

  @Override
  public Quotas quotas() {
    return parts.quotas;
  }

  @Override
  public String userIdOfKey(String key) {
    return parts.requests.userIdOfKey(key);
  }

  @Override
  public RuleHistory history() {
    return parts.history;
  }

  @Override
  public Usage usage() {
    return parts.usage.usage();
  }

  @Override
  public WhatIf whatIf() {
    return parts.whatIf;
  }

  @Override
  public List<String> forget(String userId) {
    parts.housekeeping.forget(userId);
    parts.feed.refreshQuietly();
    return parts.foreignTables.find(RuleTable.USERS, userId).stream()
        .flatMap(row -> row.column(ForeignRows.ORIGIN).stream())
        .toList();
  }

  @Override
  public Anomalies anomalies() {
    return parts.anomalies.stored();
  }

  @Override
  public AccessTokens tokens() {
    return parts.access.tokens();
  }

  @Override
  public Sessions sessions() {
    return parts.access.sessions();
  }

  @Override
  public Nodes nodes() {
    return parts.nodes.nodes();
  }

  @Override
  public Outcomes outcomes() {
    return parts.nodes.outcomes();
  }

  @Override
  public Explanation explain(ExplainedRequest request) {
    return parts.requests.explain(request);
  }

  @Override
  public List<PolicyInForce> policies() {
    return PolicyListing.of(rulebook(), parts.ticker.epochMicros());
  }

  @Override
  public RulebookYaml yaml() {
    return parts.yaml;
  }

  @Override
  public List<RuleProblem> problems() {
    List<RuleProblem> all = new ArrayList<>(parts.feed.problems());
    all.addAll(parts.userProblems.all());
    return List.copyOf(all);
  }

  @Override
  public Optional<RulebookStatus> status() {
    return parts.feed.status();
  }

  @Override
  public PolicySource policySource() {
    return this;
  }

  @Override
  public void refresh() {
    parts.feed.refresh();
    parts.foreign.refresh();
  }

  @Override
  public void close() {
    parts.close();
  }
}
