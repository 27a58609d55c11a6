package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.access.CredentialStore;
import io.weir.internal.rules.anomalies.AnomalyDetection;
import io.weir.internal.rules.bans.BanWriter;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.edit.StoredAccessList;
import io.weir.internal.rules.edit.StoredCosts;
import io.weir.internal.rules.edit.StoredHistory;
import io.weir.internal.rules.edit.StoredRules;
import io.weir.internal.rules.edit.StoredSwitches;
import io.weir.internal.rules.edit.StoredTierUpgrades;
import io.weir.internal.rules.edit.StoredUsers;
import io.weir.internal.rules.edit.UsersWithOwnTerms;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.feed.BanFeed;
import io.weir.internal.rules.feed.CurrentAccessList;
import io.weir.internal.rules.feed.CurrentRulebook;
import io.weir.internal.rules.feed.LateDatabase;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.feed.RulebookLoader;
import io.weir.internal.rules.foreign.ForeignTables;
import io.weir.internal.rules.nodes.NodeAssembly;
import io.weir.internal.rules.nodes.NodeFacts;
import io.weir.internal.rules.nodes.NodeName;
import io.weir.internal.rules.outcomes.HourlyOutcomeBuffer;
import io.weir.internal.rules.outcomes.OutcomeCounters;
import io.weir.internal.rules.request.RulePolicySource;
import io.weir.internal.rules.rulebook.ApplicationRulebookContext;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.internal.rules.whatif.WhatIfReader;
import io.weir.internal.rules.yaml.RulebookImportExport;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.RulebookStatus;
import io.weir.rules.RulebookYaml;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.quota.Quotas;
import io.weir.rules.usage.WhatIf;
import io.weir.spi.SourceContext;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** Makes the parts of the rules of one database, and starts and closes them together. */
final class RulesAssembly implements AutoCloseable {
  final Ticker ticker;
  final CurrentRulebook current = new CurrentRulebook(Rulebook.empty());
  final CurrentAccessList accessList = new CurrentAccessList();
  final BanWriter bans;
  final RuleEventDispatcher events;
  final UserProblems userProblems =
      new UserProblems(
          user -> current.get().check(user), user -> current.get().unknownPolicies(user));
  final CallerProfileCache callers;
  final Duration quotaTimeout;
  final RuleFeed feed;
  final RulePolicySource requests;

  final ForeignTables foreignTables;

  final ForeignFollower foreign;

  final StoredRules rules;
  final StoredUsers users;
  final StoredCosts costs;
  final StoredSwitches switches;
  final StoredAccessList accessEntries;
  final StoredTierUpgrades upgrades;
  final StoredHistory history;
  final RulebookYaml yaml;
  final Quotas quotas;
  final ApplicationBuckets buckets;

  final OutcomeCounters outcomes = new OutcomeCounters();

  final NodeAssembly nodes;
  final UsageRecorder usage;
  final WhatIf whatIf;
  final AnomalyDetection anomalies;
  final CredentialStore access;
  final Housekeeping housekeeping;
  private final QuotaAssembly quotaParts;
  private final Runnable closeDatabase;

  /**
   * Makes all parts, and starts none.
   *
   * @param opener opens the database, perhaps later
   * @param closeDatabase run when the rules are closed
   * @param ticker the time, until an application brings its own
   */
  RulesAssembly(
      Supplier<RuleDatabase> opener, Runnable closeDatabase, RulesOptions options, Ticker ticker) {
    this.closeDatabase = closeDatabase;
    this.ticker = ticker;
    LateDatabase late = new LateDatabase(opener);
    RuleDatabase database = late.rows();
    this.quotaParts = new QuotaAssembly(database, userProblems::log, ticker);
    ForeignTables tables = new ForeignTables(database, options.tables());
    UserReader userRows =
        new UserReader(database, current, quotaParts.accounts, userProblems, tables);
    this.callers =
        new CallerProfileCache(
            userRows, options.callers(), options.timeout(), options.quotaTimeout(), ticker);
    this.quotaTimeout = options.quotaTimeout();
    this.buckets = new ApplicationBuckets(database);
    this.events = new RuleEventDispatcher(buckets::heard);
    ThreadFactory banThreads = DaemonThreadFactory.ofApplication("weir-rules-bans");
    this.bans =
        new BanWriter(
            database,
            accessList::written,
            ticker,
            () -> DaemonThreadFactory.scheduler(banThreads, 1));
    this.feed = feed(late, options, new WrittenUserRows(userRows::check));
    this.foreignTables = tables;
    this.foreign = new ForeignFollower(tables, feed, callers, options.interval());

    UsageOptions kept = options.usage();
    this.usage =
        new UsageRecorder(database, kept.isOn(), kept.interval(), this::defaultTier, ticker);
    this.whatIf = new WhatIfReader(usage.largeQueries(), this::defaultTier, ticker);
    this.housekeeping = new Housekeeping(database, kept, ticker);
    this.anomalies =
        new AnomalyDetection(
            database, options.anomalies(), housekeeping.leadership(), ticker, feed::refreshQuietly);
    this.access = new CredentialStore(database, ticker, options.timeout());
    usage.addListener(quotaParts.ledger);
    usage.addPart(quotaParts.ledger);
    anomalies.countIn(usage);
    DatabaseClock databaseClock = new DatabaseClock(ticker);
    HourlyOutcomeBuffer hours = new HourlyOutcomeBuffer(outcomes, databaseClock);
    usage.addPart(hours);
    this.nodes =
        new NodeAssembly(
            database, outcomes, databaseClock, hours::isRejected, kept.reportPause(), ticker);

    this.requests =
        new RulePolicySource(
            current::get,
            callers,
            options.requests(),
            usage,
            quotaParts.requests(callers),
            anomalies.current());

    VersionedRowEditor rows = new VersionedRowEditor(database, tables, feed::refreshQuietly);
    this.rules = new StoredRules(rows, current::get);
    this.users =
        new StoredUsers(
            rows,
            new UsersWithOwnTerms(database, rows, this::defaultTier, ticker),
            user -> current.get().check(user));
    this.costs = new StoredCosts(rows);
    this.switches = new StoredSwitches(rows, ticker);
    this.accessEntries = new StoredAccessList(rows, accessList::rows, accessList::mistake, ticker);
    this.upgrades =
        new StoredTierUpgrades(database, rows, users, current::get, requests::defaultTier, ticker);
    this.quotas = quotaParts.stored(rows, requests, userRows);
    this.history = new StoredHistory(database, rows, rules::check, accessList::mistake);
    this.yaml = new RulebookImportExport(rows);
  }

  private RuleFeed feed(LateDatabase database, RulesOptions options, WrittenUserRows written) {
    ThreadFactory threads = DaemonThreadFactory.ofApplication("weir-rules");
    return new RuleFeed(
        database,
        new RulebookLoader(current, accessList, options.snapshot()),
        new CallerCacheInvalidator(
            callers,
            userProblems,
            this::anomaliesChanged,
            written,
            events::hasListeners,
            change -> events.report(new RuleEvent.Changed(change))),
        new BanFeed(
            database.rows(), accessList, made -> events.report(new RuleEvent.Banned(made)), ticker),
        (problem, isFixed) -> events.report(new RuleEvent.Problem(problem, isFixed)),
        options.interval(),
        ticker,
        () -> DaemonThreadFactory.scheduler(threads, 1));
  }

  private String defaultTier() {
    return requests.defaultTier();
  }

  private void anomaliesChanged() {
    anomalies.rowsChanged();
  }

  void start(boolean isRequired) {
    feed.start(isRequired);
    bans.look();
    foreign.start();
    callers.warmUp();
    usage.start();
    housekeeping.start();
    anomalies.start();
  }

  void application(SourceContext application) {
    BanWriter.most(application.setting(BanWriter.MOST)).ifPresent(bans::mostOfPolicy);
    quotaParts.application(application);
    buckets.application(application);
    feed.application(new ApplicationRulebookContext(application));
    nodes.start(
        new NodeFacts(
            RulesSettings.NODE.read(application::setting),
            NodeName.ofApplication(RulesSettings.APPLICATION.read(application::setting)),
            application.ticker(),
            application::isStoreAway,
            () -> usage.usage().dropped().requests(),
            () -> feed.status().map(RulebookStatus::version).orElse(0L)));
  }

  @Override
  public void close() {
    nodes.close();
    foreign.close();
    bans.close();
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
