package io.weir.rules;

import io.weir.Weir;
import io.weir.internal.rules.assembly.DefaultRules;
import io.weir.internal.rules.assembly.RulesProvider;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.Sessions;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.history.RuleHistory;
import io.weir.rules.outcome.Outcomes;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.Quotas;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.tier.UserTierRepository;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.WhatIf;
import io.weir.spi.PolicySource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Opens the limits, tiers, costs and quotas of a database, and changes them.
 *
 * <p>In an application, {@code weir.rules=jdbc:…} opens them without any code. In code:
 *
 * <pre>{@code
 * Rules rules = Rules.builder(dataSource).build();
 * Weir.builder().policySource(rules.policySource()).build();
 * rules.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
 * }</pre>
 *
 * <p>Changes made here or by SQL are in force on every node within three seconds. No request waits
 * for SQL, except for the first look-up of its caller.
 *
 * <p>Safe for concurrent use.
 */
public interface Rules extends AutoCloseable {
  /**
   * Begins to open the rules in a database.
   *
   * @param database an H2 or PostgreSQL; stays open when the rules are closed
   * @return a builder with the defaults of the settings
   */
  static RulesBuilder builder(DataSource database) {
    return new RulesBuilder(database);
  }

  /**
   * Opens the rules that settings name, for a framework that manages data sources:
   *
   * <pre>{@code
   * Weir.builder().policySourceProvider(
   *     setting -> Rules.open(setting, name -> Optional.ofNullable(dataSources.get(name)))
   *         .map(Rules::policySource));
   * }</pre>
   *
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @param dataSources finds a data source by the name that follows {@code datasource:} in {@code
   *     weir.rules}, perhaps empty; JNDI is asked where it finds none. What it finds stays open
   *     when the rules are closed
   * @return open rules, which the caller closes; empty if {@code weir.rules} isn't set
   * @throws IllegalArgumentException if a setting is malformed, or there is no such data source
   * @throws RulesUnavailableException if the database is {@code weir.rules.required} and
   *     unavailable
   */
  static Optional<Rules> open(
      UnaryOperator<String> setting, Function<String, Optional<DataSource>> dataSources) {
    return RulesProvider.open(setting, dataSources);
  }

  /**
   * Returns the rules of an application, also if only {@code weir.rules} has switched them on.
   *
   * @param weir the application's, such as {@link Weir#application()}
   * @return empty if it has no rules in a database
   */
  static Optional<Rules> of(Weir weir) {
    return DefaultRules.of(weir);
  }

  /**
   * Returns the rules, to be read and changed.
   *
   * @return the rows of {@code rate_limit_rules}
   */
  RuleRepository rules();

  /**
   * Returns the tiers and own limits of users.
   *
   * @return the rows of {@code user_tiers}
   */
  UserTierRepository users();

  /**
   * Returns the costs of requests by endpoint and method.
   *
   * @return the rows of {@code operation_costs}
   */
  OperationCostRepository costs();

  /**
   * Returns the switches, which turn policies off or into shadow mode for a while.
   *
   * @return the rows of {@code switches}
   */
  SwitchRepository switches();

  /**
   * Returns the entries of the access list that stand in the database.
   *
   * @return the rows of {@code access_list}
   */
  AccessListRepository accessEntries();

  /**
   * Returns the requests of users for another tier.
   *
   * @return the rows of {@code tier_upgrade_requests}
   */
  TierUpgradeRepository upgrades();

  /**
   * Returns the buckets that callers are counted in.
   *
   * @return the buckets of the application that uses these rules
   */
  Buckets buckets();

  /**
   * Adds a listener to events of all nodes. It receives them within seconds, in their order;
   * earlier events aren't delivered.
   *
   * @param listener called by the thread that follows the database, so it must not block; what it
   *     throws is logged
   * @return removes the listener when it is closed
   */
  AutoCloseable onEvent(Consumer<RuleEvent> listener);

  /**
   * Returns whether this node is the leader of all nodes that share the database, which does the
   * work that one node does for all: it deletes old rows and notifies people. Doesn't read the
   * database.
   *
   * @return false as soon as another node may be the leader
   */
  boolean isOnDuty();

  /**
   * Returns the quotas of users.
   *
   * @return quotas with their grants and periods
   */
  Quotas quotas();

  /**
   * Returns the {@code userId} in tables of a caller that is identified by a key.
   *
   * @param key what the caller sent
   * @return {@code sha256:} and 64 hex digits; the key itself if {@code weir.rules.caller.plain} is
   *     set
   */
  String userIdOfKey(String key);

  /**
   * Returns the history of changes, which can be undone.
   *
   * @return the rows of {@code rule_changes}
   */
  RuleHistory history();

  /**
   * Returns the usage of callers, and their refused requests.
   *
   * @return usage and violations
   */
  Usage usage();

  /**
   * Returns the calculator that puts a limit which isn't in force against recorded usage.
   *
   * @return reads recorded usage; changes nothing
   */
  WhatIf whatIf();

  /**
   * Removes a user everywhere: tier, quota, grants, usage, violations, baselines, anomalies and
   * entries of the access list, and its rows in the history. Nodes drop what they know of the user
   * within three seconds, and don't write what they have collected. A minute later, rows that were
   * written meanwhile are removed too, with the history of the removal itself. Buckets don't
   * contain names, and expire by themselves. A row of a table that Weir didn't make is left.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return the tables that still have a row of the user, as in {@code public.user_tiers}: delete
   *     it there
   * @throws RulesUnavailableException if the database is unavailable; some rows may have been
   *     removed
   */
  List<String> forget(String userId);

  /**
   * Returns the callers that use an endpoint far more often than usual.
   *
   * @return the rows of {@code anomalies}
   */
  Anomalies anomalies();

  /**
   * Returns the access tokens of the decision service. From the first call on, they are kept in
   * memory.
   *
   * @return the rows of {@code weir_access_tokens}
   */
  AccessTokens tokens();

  /**
   * Returns the sessions of the decision service's pages. From the first call on, they are kept in
   * memory.
   *
   * @return the rows of {@code weir_sessions}
   */
  Sessions sessions();

  /**
   * Returns the nodes that share this database.
   *
   * @return the rows of {@code weir_nodes}
   */
  Nodes nodes();

  /**
   * Returns what the policies of all nodes decide.
   *
   * @return sums at present, and by hour
   */
  Outcomes outcomes();

  /**
   * Explains what limits a request, and why: annotations, settings, rules and switches together.
   *
   * @param request the request; nothing is charged
   * @return the policies that decide it, and those that don't and why not
   */
  Explanation explain(ExplainedRequest request);

  /**
   * Returns all policies in force: those of annotations and settings that were bound so far, and
   * those of rules, also in shadow mode.
   *
   * @return those of the application first, each by name
   */
  List<PolicyInForce> policies();

  /**
   * Exports and applies rules and costs as one file, which can be kept beside the source code.
   *
   * @return reads and writes files
   */
  RulebookYaml yaml();

  /**
   * Returns problems of rows, and warnings.
   *
   * @return for rules, costs, switches and the access list, those of the last time that all rows
   *     were read; for users, those of rows that were looked up since their last change, by digest,
   *     at most 1,000 rows
   */
  List<RuleProblem> problems();

  /**
   * Returns the version of the rules in force on this node.
   *
   * @return empty until the database has been reached for the first time
   */
  Optional<RulebookStatus> status();

  /**
   * Returns the policy source that applies the rules to requests.
   *
   * @return for {@code Weir.builder().policySource(…)}; closes these rules when it is closed
   */
  PolicySource policySource();

  /**
   * Reads changes now, instead of within a second.
   *
   * @throws RulesUnavailableException if the database is unavailable
   */
  void refresh();

  /** Stops following changes; the rules in force stay. Idempotent. */
  @Override
  void close();
}
