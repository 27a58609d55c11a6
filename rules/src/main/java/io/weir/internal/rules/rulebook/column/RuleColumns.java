package io.weir.internal.rules.rulebook.column;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.Scope;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.InvalidRuleException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads rows of {@code rate_limit_rules} as {@link Rule}s, and writes them. A missing column has
 * its default, and a rule's defaults aren't written.
 *
 * <p>Beside a {@code period} the column {@code window_seconds} is neither read nor written.
 */
public final class RuleColumns {
  private static final String SECONDS = "window_seconds";
  private static final String PERIOD = "period";
  private static final String COUNT_BY = "count_by";

  /** All that a rule says, without key, version, times and author, in the order of files. */
  private static final List<RuleField<?>> FIELDS =
      List.of(
          RuleField.written("tier", Rule::tier),
          RuleField.written("endpoint_pattern", Rule::pattern),
          RuleField.text("name", RuleBuilder::name, rule -> rule.givenName().orElse("")),
          new RuleField<List<String>>(
              "methods",
              columns ->
                  columns
                      .text("methods")
                      .filter(text -> !text.equals("*"))
                      .map(RuleColumns::methods),
              (rule, methods) -> rule.methods(new LinkedHashSet<>(methods)),
              rule -> List.copyOf(new TreeSet<>(rule.methods()))),
          new RuleField<>(
              "limit_count",
              columns -> columns.requiredNumber("limit_count", 1, Policy.MAX_LIMIT),
              RuleBuilder::limit,
              Rule::limit),
          new RuleField<>(
              SECONDS,
              RuleColumns::seconds,
              (rule, seconds) -> rule.window(RuleWindow.ofSeconds(seconds)),
              rule -> rule.window().length().map(Duration::toSeconds).orElse(null)),
          new RuleField<>(
              PERIOD,
              columns -> columns.parsed(PERIOD, RuleWindow::parsePeriod),
              RuleBuilder::window,
              rule -> rule.window().length().isPresent() ? null : rule.window()),
          RuleField.text("zone", RuleBuilder::zone, Rule::zone),
          RuleField.word(
              "algorithm",
              Algorithm.class,
              RuleBuilder::algorithm,
              rule -> rule.algorithm().orElse(null)),
          RuleField.word("mode", Mode.class, RuleBuilder::mode, Rule::mode),
          RuleField.number(
              "exceed_by",
              0,
              Policy.MAX_EXCEED_BY,
              (rule, percent) -> rule.exceedBy(percent.intValue()),
              rule -> (long) rule.exceedBy()),
          RuleField.number(
              "burst",
              0,
              Policy.MAX_LIMIT,
              RuleBuilder::burst,
              rule -> RuleField.unless(0L, rule.burst())),
          RuleField.number(
              "refill",
              0,
              Policy.MAX_LIMIT,
              RuleBuilder::refill,
              rule -> RuleField.unless(0L, rule.refill())),
          RuleField.flag("strict", RuleBuilder::strict, Rule::strict),
          new RuleField<String>(
              COUNT_BY,
              columns -> columns.text(COUNT_BY).filter(RuleColumns::isOtherCountBy),
              (rule, keys) -> rule.countBy(countBy(keys)),
              rule -> String.join("+", rule.countBy())),
          RuleField.flag("per_endpoint", RuleBuilder::perEndpoint, Rule::perEndpoint),
          RuleField.word("counts", Count.class, RuleBuilder::counts, Rule::counts),
          RuleField.word(
              "clear_on",
              ClearOn.class,
              RuleBuilder::clearOn,
              rule -> RuleField.unless(ClearOn.NOTHING, rule.clearOn())),
          RuleField.word(
              "scope",
              Scope.class,
              RuleBuilder::scope,
              rule -> RuleField.unless(Scope.GLOBAL, rule.scope())),
          RuleField.number("cost", 1, Policy.MAX_LIMIT, RuleBuilder::cost, Rule::cost),
          RuleField.text("cost_from", RuleBuilder::costFrom, Rule::costFrom),
          RuleField.text("condition", RuleBuilder::condition, Rule::condition),
          RuleField.number(
              "overshoot",
              0,
              Policy.MAX_OVERSHOOT,
              (rule, percent) -> rule.overshoot(percent.intValue()),
              rule -> RuleField.unless(0L, (long) rule.overshoot())),
          RuleField.number(
              "max_rollover",
              0,
              Long.MAX_VALUE,
              RuleBuilder::maxRollover,
              rule -> RuleField.unless(0L, rule.maxRollover())),
          new RuleField<>(
              "on_store_failure",
              columns ->
                  columns
                      .word("on_store_failure", OnStoreFailure.class)
                      .filter(each -> each != OnStoreFailure.DEFAULT),
              RuleBuilder::onStoreFailure,
              rule -> rule.onStoreFailure().orElse(null)),
          RuleField.word("priority", Priority.class, RuleBuilder::priority, Rule::priority),
          RuleField.word("state", RuleState.class, RuleBuilder::state, Rule::state),
          RuleField.time("valid_from", RuleBuilder::validFrom, Rule::validFrom),
          RuleField.time("valid_until", RuleBuilder::validUntil, Rule::validUntil));

  /** All columns that say something, without key, version, times and author. */
  public static final List<String> NAMES = FIELDS.stream().map(RuleField::column).toList();

  /** Values that a row may leave out. */
  private static final Map<String, Object> DEFAULTS = defaults();

  private RuleColumns() {}

  private static Map<String, Object> defaults() {
    Map<String, Object> defaults = values(Rule.builder("", "").build());
    defaults.keySet().removeAll(List.of("tier", "endpoint_pattern", "limit_count", SECONDS));
    return defaults;
  }

  /**
   * Reads a row.
   *
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
    FIELDS.forEach(each -> each.read(columns, rule));
    problems.refuseAny();
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

  private static Optional<Long> seconds(ColumnReader columns) {
    return columns.text(PERIOD).isPresent()
        ? Optional.empty()
        : columns.requiredNumber(SECONDS, 1, RuleWindow.MAX_SECONDS);
  }

  private static List<String> methods(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(each -> each.strip().toUpperCase(Locale.ROOT))
        .toList();
  }

  /** Rules with the default share one list. */
  private static boolean isOtherCountBy(String text) {
    return !text.equals(DEFAULTS.get(COUNT_BY));
  }

  private static List<String> countBy(String text) {
    return Arrays.stream(text.split("\\+", -1)).map(String::strip).toList();
  }

  /**
   * Returns what a rule says, defaults included.
   *
   * @return texts, whole numbers, flags, instants, constants and lists by column; a column that
   *     says nothing isn't there
   */
  public static Map<String, Object> values(Rule rule) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (RuleField<?> each : FIELDS) {
      Object value = each.getter().apply(rule);
      if (value != null) {
        values.put(each.column(), value);
      }
    }
    return values;
  }

  /** Returns the columns of a row, without key, version, times and author. */
  public static Map<String, String> write(Rule rule) {
    Map<String, String> columns = new LinkedHashMap<>();
    values(rule)
        .forEach(
            (column, value) -> {
              if (!value.equals(DEFAULTS.get(column))) {
                columns.put(column, text(value));
              }
            });
    return columns;
  }

  /**
   * Returns a value as its column has it.
   *
   * @param value one of {@link #values}
   */
  public static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : value.toString();
  }
}
