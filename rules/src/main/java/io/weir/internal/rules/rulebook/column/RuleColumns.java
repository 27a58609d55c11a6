package io.weir.internal.rules.rulebook.column;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.InvalidRuleException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads rows of {@code rate_limit_rules} as {@link Rule}s, and writes them. A missing column has
 * its default, and a rule's defaults aren't written.
 *
 * <p>Beside a {@code period} the column {@code window_seconds} is neither read nor written.
 */
public final class RuleColumns {
  /** All columns that say something, without key, version, times and author. */
  public static final List<String> NAMES =
      List.of(
          "tier",
          "endpoint_pattern",
          "name",
          "methods",
          "limit_count",
          "window_seconds",
          "period",
          "zone",
          "algorithm",
          "mode",
          "exceed_by",
          "burst",
          "refill",
          "strict",
          "count_by",
          "per_endpoint",
          "counts",
          "clear_on",
          "cost",
          "cost_from",
          "condition",
          "overshoot",
          "max_rollover",
          "on_store_failure",
          "priority",
          "state",
          "valid_from",
          "valid_until");

  private static final String SECONDS = "window_seconds";
  private static final String PERIOD = "period";

  /** A rule with the defaults of all members. */
  private static final Rule DEFAULTS = Rule.builder("", "").build();

  private RuleColumns() {}

  /**
   * Reads a row.
   *
   * @param row of {@code rate_limit_rules}
   * @return the row's content; compiling determines whether it can be used
   * @throws InvalidRuleException if it can't be read; the message names all that is wrong
   */
  public static Rule read(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.RULES, name(row));
    ColumnReader columns = new ColumnReader(row, problems);
    RuleBuilder rule =
        Rule.builder(columns.required("tier"), columns.required("endpoint_pattern"))
            .row(columns.id(), row.version())
            .origin(row.column(ForeignRows.ORIGIN))
            .updated(columns.time("updated_at"), columns.text("updated_by").orElse(""));
    columns.required("limit_count");
    columns.number("limit_count", 1, Policy.MAX_LIMIT).ifPresent(rule::limit);
    window(columns, problems, rule);
    columns.text("name").ifPresent(rule::name);
    columns
        .text("methods")
        .filter(text -> !text.equals("*"))
        .ifPresent(text -> rule.methods(methods(text)));
    columns.text("zone").ifPresent(rule::zone);
    columns.word("algorithm", Algorithm.class).ifPresent(rule::algorithm);
    columns.word("mode", Mode.class).ifPresent(rule::mode);
    columns
        .number("exceed_by", 0, Policy.MAX_EXCEED_BY)
        .ifPresent(percent -> rule.exceedBy(percent.intValue()));
    columns.number("burst", 0, Policy.MAX_LIMIT).ifPresent(rule::burst);
    columns.number("refill", 0, Policy.MAX_LIMIT).ifPresent(rule::refill);
    columns.flag("strict").ifPresent(rule::strict);
    columns.text("count_by").ifPresent(text -> rule.countBy(countBy(text)));
    columns.flag("per_endpoint").ifPresent(rule::perEndpoint);
    columns.word("counts", Count.class).ifPresent(rule::counts);
    columns.word("clear_on", ClearOn.class).ifPresent(rule::clearOn);
    columns.number("cost", 1, Policy.MAX_LIMIT).ifPresent(rule::cost);
    columns.text("cost_from").ifPresent(rule::costFrom);
    columns.text("condition").ifPresent(rule::condition);
    columns
        .number("overshoot", 0, Policy.MAX_OVERSHOOT)
        .ifPresent(percent -> rule.overshoot(percent.intValue()));
    columns.number("max_rollover", 0, Long.MAX_VALUE).ifPresent(rule::maxRollover);
    columns
        .word("on_store_failure", OnStoreFailure.class)
        .filter(each -> each != OnStoreFailure.DEFAULT)
        .ifPresent(rule::onStoreFailure);
    columns.word("priority", Priority.class).ifPresent(rule::priority);
    columns.word("state", RuleState.class).ifPresent(rule::state);
    columns.time("valid_from").ifPresent(rule::validFrom);
    columns.time("valid_until").ifPresent(rule::validUntil);
    if (!problems.isEmpty()) {
      throw new InvalidRuleException(problems.all());
    }
    return rule.build();
  }

  /** Names a row, which may have no name of its own, in messages. */
  private static String name(StoredRow row) {
    String tier = row.column("tier").orElse("no tier");
    String rule =
        row.column("name")
            .or(() -> row.column("endpoint_pattern"))
            .orElse("a rule without pattern");
    return rule + " of " + tier + " (" + RowProblems.id(row) + ")";
  }

  private static void window(ColumnReader columns, RowProblems problems, RuleBuilder rule) {
    Optional<String> period = columns.text(PERIOD);
    if (period.isPresent()) {
      try {
        rule.window(RuleWindow.parsePeriod(period.get()));
      } catch (IllegalArgumentException none) {
        problems.wrong(PERIOD, String.valueOf(none.getMessage()));
      }
    } else {
      columns.required(SECONDS);
      columns
          .number(SECONDS, 1, RuleWindow.MAX_SECONDS)
          .ifPresent(seconds -> rule.window(RuleWindow.ofSeconds(seconds)));
    }
  }

  private static Set<String> methods(String text) {
    Set<String> methods = new LinkedHashSet<>();
    for (String each : text.split(",", -1)) {
      methods.add(each.strip().toUpperCase(Locale.ROOT));
    }
    return methods;
  }

  private static List<String> countBy(String text) {
    if (DEFAULTS.countBy().equals(List.of(text))) {
      return DEFAULTS.countBy();
    }
    List<String> all = new ArrayList<>();
    for (String each : text.split("\\+", -1)) {
      all.add(each.strip());
    }
    return all;
  }

  /**
   * Returns the columns of a row.
   *
   * @param rule the new content
   * @return without key, version, times and author
   */
  public static Map<String, String> write(Rule rule) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("tier", rule.tier());
    columns.put("endpoint_pattern", rule.pattern());
    columns.put("limit_count", Long.toString(rule.limit()));
    rule.window()
        .length()
        .ifPresentOrElse(
            length -> columns.put(SECONDS, Long.toString(length.toSeconds())),
            () -> columns.put(PERIOD, rule.window().toString()));
    Writer more = new Writer(columns);
    more.put("name", rule.givenName().orElse(""), "");
    more.put("methods", String.join(",", new TreeSet<>(rule.methods())), "");
    more.put("zone", rule.zone(), "");
    more.put("algorithm", rule.algorithm().map(Enum::name).orElse(""), "");
    more.put("mode", rule.mode(), DEFAULTS.mode());
    more.put("exceed_by", rule.exceedBy(), DEFAULTS.exceedBy());
    more.put("burst", rule.burst(), DEFAULTS.burst());
    more.put("refill", rule.refill(), DEFAULTS.refill());
    more.put("strict", rule.strict(), DEFAULTS.strict());
    more.put("count_by", String.join("+", rule.countBy()), String.join("+", DEFAULTS.countBy()));
    more.put("per_endpoint", rule.perEndpoint(), DEFAULTS.perEndpoint());
    more.put("counts", rule.counts(), DEFAULTS.counts());
    more.put("clear_on", rule.clearOn(), DEFAULTS.clearOn());
    more.put("cost", rule.cost(), DEFAULTS.cost());
    more.put("cost_from", rule.costFrom(), "");
    more.put("condition", rule.condition(), "");
    more.put("overshoot", rule.overshoot(), DEFAULTS.overshoot());
    more.put("max_rollover", rule.maxRollover(), DEFAULTS.maxRollover());
    more.put("on_store_failure", rule.onStoreFailure().map(Enum::name).orElse(""), "");
    more.put("priority", rule.priority(), DEFAULTS.priority());
    more.put("state", rule.state(), DEFAULTS.state());
    more.put("valid_from", rule.validFrom().map(Object::toString).orElse(""), "");
    more.put("valid_until", rule.validUntil().map(Object::toString).orElse(""), "");
    return columns;
  }

  /** Leaves out defaults. */
  private record Writer(Map<String, String> columns) {
    void put(String column, Object value, Object byDefault) {
      if (!value.equals(byDefault)) {
        columns.put(column, value.toString());
      }
    }
  }
}
