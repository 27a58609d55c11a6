package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.rules.access.AccessRoom;
import io.weir.internal.rules.anomalies.AnomalyRoom;
import io.weir.internal.rules.callers.CallerDirectory;
import io.weir.internal.rules.callers.UserRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.StoredHistory;
import io.weir.internal.rules.edit.ReadableRows;
import io.weir.internal.rules.edit.StoredCosts;
import io.weir.internal.rules.edit.StoredRules;
import io.weir.internal.rules.edit.StoredSwitches;
import io.weir.internal.rules.edit.StoredUpgrades;
import io.weir.internal.rules.edit.StoredUsers;
import io.weir.internal.rules.edit.VersionedRows;
import io.weir.internal.rules.feed.CurrentRulebook;
import io.weir.internal.rules.feed.LateDatabase;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.feed.RulebookLoader;
import io.weir.internal.rules.nodes.StoredNodes;
import io.weir.internal.rules.request.RulePolicySource;
import io.weir.internal.rules.rulebook.ApplicationRulebookContext;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.internal.rules.rulebook.compile.RuleCheck;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.column.SwitchColumns;
import io.weir.internal.rules.rulebook.column.UpgradeColumns;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.internal.rules.usage.UsageRoom;
import io.weir.rules.AccessTokens;
import io.weir.rules.Anomalies;
import io.weir.rules.Buckets;
import io.weir.rules.ExplainedRequest;
import io.weir.rules.Explanation;
import io.weir.rules.Nodes;
import io.weir.rules.OperationCostRepository;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Quotas;
import io.weir.rules.RuleEvent;
import io.weir.rules.RuleHistory;
import io.weir.rules.RuleProblem;
import io.weir.rules.RuleRepository;
import io.weir.rules.RulebookStatus;
import io.weir.rules.RulebookYaml;
import io.weir.rules.Rules;
import io.weir.rules.Sessions;
import io.weir.rules.SwitchRepository;
import io.weir.rules.TierUpgradeRepository;
import io.weir.rules.Usage;
import io.weir.rules.UserTierRepository;
import io.weir.spi.PolicySource;
import io.weir.spi.SourceContext;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The rules of one database, with all that follows and changes them. */
public final class DefaultRules implements Rules {
  private final CurrentRulebook current = new CurrentRulebook(Rulebook.empty());
  private final CallerDirectory callers;
  private final RuleFeed feed;
  private final RulePolicySource requests;
  private final PolicySource source;
  private final RuleRepository rules;
  private final UserTierRepository users;
  private final OperationCostRepository costs;
  private final SwitchRepository switches;
  private final TierUpgradeRepository upgrades;
  private final QuotaAssembly quotaParts;
  private final Quotas quotas;
  private final RuleHistory history;
  private final UsageRoom usage;
  private final Housekeeping housekeeping;
  private final AnomalyRoom anomalies;
  private final AccessRoom access;
  private final Nodes nodes;
  private final UserProblems userProblems;
  private final RuleEventListeners events = new RuleEventListeners();
  private final StoredBuckets buckets;
  private final RulebookYaml rulebookYaml;
  private final Runnable closeDatabase;

  private DefaultRules(Supplier<RuleDatabase> opener, Runnable closeDatabase, RulesOptions parts) {
    this.closeDatabase = closeDatabase;
    LateDatabase database = new LateDatabase(opener);
    ToldOnce teller = new ToldOnce();
    this.userProblems = new UserProblems(user -> current.get().check(user), teller);
    this.quotaParts = new QuotaAssembly(database, teller);
    UserRows userRows = new UserReader(database, current, quotaParts.accounts(), userProblems);
    this.callers = new CallerDirectory(userRows, parts.callers(), parts.timeout(), Ticker.system());
    this.buckets = new StoredBuckets(database);
    events.listen(buckets::heard);
    this.feed =
        new RuleFeed(
            database,
            new RulebookLoader(current, parts.snapshot()),
            new CallerChanges(
                callers,
                userProblems,
                this::anomaliesChanged,
                change -> events.tell(new RuleEvent.Changed(change))),
            (problem, isMended) -> events.tell(new RuleEvent.Problem(problem, isMended)),
            parts.interval());
    UsageOptions usageParts = parts.usage();
    this.usage =
        new UsageRoom(database, usageParts.isOn(), usageParts.interval(), InstantSource.system());
    this.housekeeping = new Housekeeping(database, usageParts);
    this.anomalies =
        new AnomalyRoom(
            database,
            parts.anomalies(),
            housekeeping.duty(),
            InstantSource.system(),
            feed::refreshQuietly);
    this.access = new AccessRoom(database, InstantSource.system(), parts.timeout());
    this.nodes = new StoredNodes(database);
    usage.tell(quotaParts.ledger());
    usage.write(quotaParts.ledger());
    anomalies.countIn(usage);
    this.requests =
        new RulePolicySource(
            current::get,
            callers,
            parts.requests(),
            usage,
            quotaParts.requests(callers),
            anomalies.current());
    this.source = new RulesSource(this, requests);
    VersionedRows rows = new VersionedRows(database, feed::refreshQuietly);
    this.rules = new StoredRules(rows, rule -> RuleCheck.check(rule, current.get()));
    this.users = new StoredUsers(rows, user -> current.get().check(user));
    this.costs = new StoredCosts(rows);
    this.rulebookYaml = new StoredRulebook(rows);
    this.switches = new StoredSwitches(rows, Clock.systemUTC());
    this.upgrades =
        new StoredUpgrades(
            database, rows, users, current::get, requests::defaultTier, Clock.systemUTC());
    this.quotas = quotaParts.stored(rows, requests, userRows);
    this.history = new StoredHistory(database, rows, this::check);
  }

  /**
   * Opens the rules and follows their changes.
   *
   * @param opener opens the database; throws {@link io.weir.rules.RulesUnavailableException} while
   *     it is away
   * @param closeDatabase run when the rules are closed
   * @param parts what to open them with
   * @return open rules
   * @throws io.weir.rules.RulesUnavailableException if the database is required, and away
   */
  public static DefaultRules open(
      Supplier<RuleDatabase> opener, Runnable closeDatabase, RulesOptions parts) {
    DefaultRules rules = new DefaultRules(opener, closeDatabase, parts);
    try {
      rules.feed.start(parts.isRequired());
      rules.callers.rehearse();
      rules.usage.start();
      rules.housekeeping.start();
      rules.anomalies.start();
      return rules;
    } catch (RuntimeException failed) {
      rules.close();
      throw failed;
    }
  }

  /**
   * The rules that an application follows.
   *
   * @param weir the application's
   * @return nothing if it has no rules in a database
   */
  public static Optional<Rules> of(Weir weir) {
    return weir.source()
        .filter(RulesSource.class::isInstance)
        .map(source -> ((RulesSource) source).rules());
  }

  private void anomaliesChanged() {
    anomalies.rowsChanged();
  }

  /** Whether a row of the history can be used now. */
  private void check(StoredRow row) {
    switch (row.table()) {
      case RULES -> ReadableRows.refuse(rules.check(RuleColumns.read(row)));
      case USERS -> UserColumns.read(row);
      case COSTS -> CostColumns.read(row);
      case SWITCHES -> SwitchColumns.read(row);
      case QUOTAS -> QuotaColumns.read(row);
      case GRANTS -> QuotaColumns.readGrant(row);
      case UPGRADES -> UpgradeColumns.read(row);
      case ANOMALIES -> {}
      case TOKENS, SESSIONS ->
          throw new IllegalArgumentException("what was revoked doesn't come back");
    }
  }

  /** Begins to hold in an application. */
  void application(SourceContext application) {
    quotaParts.application(application.ticker());
    buckets.application(application);
    feed.application(new ApplicationRulebookContext(application));
  }

  /** The rulebook in force. */
  Rulebook rulebook() {
    return current.get();
  }

  /** What is known of callers. */
  CallerDirectory callers() {
    return callers;
  }

  /** What writes usage and the ledger of quotas. */
  UsageRoom usageRoom() {
    return usage;
  }

  /** Has somebody told after each change. */
  void onChange(Runnable listener) {
    current.onChange(listener);
  }

  @Override
  public RuleRepository rules() {
    return rules;
  }

  @Override
  public UserTierRepository users() {
    return users;
  }

  @Override
  public OperationCostRepository costs() {
    return costs;
  }

  @Override
  public SwitchRepository switches() {
    return switches;
  }

  @Override
  public TierUpgradeRepository upgrades() {
    return upgrades;
  }

  @Override
  public Buckets buckets() {
    return buckets;
  }

  @Override
  public AutoCloseable onEvent(Consumer<RuleEvent> listener) {
    return events.listen(listener);
  }

  @Override
  public boolean isOnDuty() {
    return housekeeping.duty().isMine();
  }

  @Override
  public Quotas quotas() {
    return quotas;
  }

  @Override
  public String userIdOfKey(String key) {
    return requests.userIdOfKey(key);
  }

  @Override
  public RuleHistory history() {
    return history;
  }

  @Override
  public Usage usage() {
    return usage.usage();
  }

  @Override
  public void forget(String userId) {
    housekeeping.forget(userId);
    feed.refreshQuietly();
  }

  @Override
  public Anomalies anomalies() {
    return anomalies.stored();
  }

  @Override
  public AccessTokens tokens() {
    return access.tokens();
  }

  @Override
  public Sessions sessions() {
    return access.sessions();
  }

  @Override
  public Nodes nodes() {
    return nodes;
  }

  @Override
  public Explanation explain(ExplainedRequest request) {
    return requests.explain(request);
  }

  @Override
  public List<PolicyInForce> policies() {
    return PolicyListing.of(current.get(), Instant.now());
  }

  @Override
  public RulebookYaml yaml() {
    return rulebookYaml;
  }

  @Override
  public List<RuleProblem> problems() {
    List<RuleProblem> all = new ArrayList<>(feed.problems());
    all.addAll(userProblems.all());
    return List.copyOf(all);
  }

  @Override
  public Optional<RulebookStatus> status() {
    return feed.status();
  }

  @Override
  public PolicySource policySource() {
    return source;
  }

  @Override
  public void refresh() {
    feed.refresh();
  }

  @Override
  public void close() {
    feed.close();
    access.close();
    anomalies.close();
    housekeeping.close();
    usage.close();
    callers.close();
    quotaParts.close();
    closeDatabase.run();
  }
}
