package io.weir.rules;

import io.weir.spi.PolicySource;
import java.util.List;
import javax.sql.DataSource;

/**
 * Limits, tiers and costs in a database, and what changes them.
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
   * Who changed what, and the way back.
   *
   * @return always the same
   */
  RuleHistory history();

  /**
   * Who calls far more often than usual, and what is done about it.
   *
   * @return always the same
   */
  Anomalies anomalies();

  /**
   * What limits a request, and why: annotations, settings, rules and switches together.
   *
   * @param request the request; nothing is charged
   * @return what decides it, and what doesn't and why not
   */
  Explanation explain(ExplainedRequest request);

  /**
   * The rows that can't be used as they are, and what should be looked at.
   *
   * @return those of the last time that all rows were read; none if all is well
   */
  List<RuleProblem> problems();

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
