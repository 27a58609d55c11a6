package io.weir.benchmarks.http;

import io.weir.Weir;
import io.weir.benchmarks.rules.Tables;
import io.weir.rules.Rules;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;

/**
 * What limits the paths of a server.
 *
 * @param both writes both families of header fields; its limits are annotations
 * @param ietf writes those of the standard; its limits are annotations
 * @param rules has one rule among many, and keeps what each user used; no annotations
 */
record Limits(Weir both, Weir ietf, Weir rules) {
  private static final int RULES = 1_000;

  /** Opens all of them, for as long as the process lives. */
  static Limits open() throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:rules;DB_CLOSE_DELAY=-1");
    database.setUser("sa");
    Rules rules = Rules.builder(database).usage(true).build();
    Tables.addRules(database, RULES);
    Tables.addRule(database, "*", "*", Hello.MORE_THAN_ASKED);
    rules.refresh();
    return new Limits(
        Weir.builder().build(),
        Weir.builder().settings(Map.of("weir.headers", "ietf")).build(),
        Weir.builder().policySource(rules.policySource()).build());
  }
}
