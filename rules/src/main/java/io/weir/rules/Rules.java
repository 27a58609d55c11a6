package io.weir.rules;

import io.weir.Weir;
import io.weir.internal.rules.assembly.DefaultRules;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.Sessions;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.history.RuleHistory;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.Quotas;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.tier.UserTierRepository;
import io.weir.rules.usage.Usage;
import io.weir.spi.PolicySource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Limits, tiers, costs and quotas in a database, and what changes them.
 *
 * <p>In an application {@code weir.rules=jdbc:…} opens one, and nothing has to be written. By hand:
 *
 * <pre>{@code
 * Rules rules = Rules.builder(dataSource).build();
 * Weir.builder().policySource(rules.policySource()).build();
 * rules.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
 * }</pre>
 *
 * <p>What is changed here or by SQL is in force on every node within three seconds; no request
 * waits for SQL, except for the first look-up of its caller.
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
   * The rules of an application, also where only {@code weir.rules} has switched them on.
   *
   * @param weir the application's, such as {@link Weir#application()}
   * @return nothing if it has no rules in a database
   */
  static Optional<Rules> of(Weir weir) {
    return DefaultRules.of(weir);
  }

  /**
   * The rules, and how they change.
   *
   * @return always the same
   */
  RuleRepository rules();

  /**
   * The tiers and own limits of users.
   *
   * @return always the same
   */
  UserTierRepository users();

  /**
   * What requests cost by endpoint and method.
   *
   * @return always the same
   */
  OperationCostRepository costs();

  /**
   * What is switched off, or only measures, for a while.
   *
   * @return always the same
   */
  SwitchRepository switches();

  /**
   * Who asks for another tier.
   *
   * @return always the same
   */
  TierUpgradeRepository upgrades();

  /**
   * The buckets that callers are counted in.
   *
   * @return always the same
   */
  Buckets buckets();

  /**
   * Has somebody told what happens, on whatever node: within seconds of it, in its order. What has
   * happened before isn't told.
   *
   * @param listener called by the thread that follows the database, which must not wait; what it
   *     throws is logged
   * @return ends it when it is closed
   */
  AutoCloseable onEvent(Consumer<RuleEvent> listener);

  /**
   * Whether this node does what one of all nodes that share the database does for all: deletes what
   * is old, tells people.
   *
   * @return false as soon as it may have passed on to another node; asks no database
   */
  boolean isOnDuty();

  /**
   * The quotas of users.
   *
   * @return always the same
   */
  Quotas quotas();

  /**
   * By which {@code userId} tables have a caller who is known by a key.
   *
   * @param key what the caller sent
   * @return {@code sha256:} and 64 hex digits; the key itself if {@code weir.rules.caller.plain} is
   *     set
   */
  String userIdOfKey(String key);

  /**
   * Who changed what, and the way back.
   *
   * @return always the same
   */
  RuleHistory history();

  /**
   * What requests have taken, and what was refused.
   *
   * @return always the same
   */
  Usage usage();

  /**
   * Removes a user everywhere: tier, quota, grants, usage, violations, what is usual for it and
   * what wasn't, and its rows in the history. Nodes drop what they know of it within three seconds,
   * and write nothing of what they have collected. A minute later, whatever was written meanwhile
   * is removed too, with the history of the removal itself. Buckets have no names, and end by
   * themselves.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @throws RulesUnavailableException if the database can't be reached; part of it may be done
   */
  void forget(String userId);

  /**
   * Who calls far more often than usual, and what is done about it.
   *
   * @return always the same
   */
  Anomalies anomalies();

  /**
   * The bearer tokens of the service. Once this was called, they are followed.
   *
   * @return always the same
   */
  AccessTokens tokens();

  /**
   * Who is signed in to the service's pages. Once this was called, they are followed.
   *
   * @return always the same
   */
  Sessions sessions();

  /**
   * The servers of the service.
   *
   * @return always the same
   */
  Nodes nodes();

  /**
   * What limits a request, and why: annotations, settings, rules and switches together.
   *
   * @param request the request; nothing is charged
   * @return what decides it, and what doesn't and why not
   */
  Explanation explain(ExplainedRequest request);

  /**
   * All policies in force: those of annotations and settings that were bound so far, and those of
   * rules, in force or only measuring.
   *
   * @return those of the application first, each by name
   */
  List<PolicyInForce> policies();

  /**
   * Rules and costs as one file, so that they may live beside the source code.
   *
   * @return always the same
   */
  RulebookYaml yaml();

  /**
   * The rows that can't be used as they are, and what should be looked at.
   *
   * @return of rules, costs and switches those of the last time that all rows were read; of users
   *     those of rows that were looked up since they have changed, by digest, at most 1,000 rows;
   *     none if all is well
   */
  List<RuleProblem> problems();

  /**
   * How new the rules are that this node has in force.
   *
   * @return nothing until the database has been reached for the first time
   */
  Optional<RulebookStatus> status();

  /**
   * What brings the rules to requests.
   *
   * @return always the same, for {@code Weir.builder().policySource(…)}; closes these rules when it
   *     is closed
   */
  PolicySource policySource();

  /**
   * Reads what has changed now, instead of within a second.
   *
   * @throws RulesUnavailableException if the database can't be reached
   */
  void refresh();

  /** Ends the reading of changes; what is in force stays as it is. Idempotent. */
  @Override
  void close();
}
