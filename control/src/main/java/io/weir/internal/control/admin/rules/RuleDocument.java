package io.weir.internal.control.admin.rules;

import io.weir.annotation.ClearOn;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.rules.Rule;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A rule: the columns of its row, in camel case. Requests may leave out members that have a
 * default; responses have all members that aren't empty.
 */
record RuleDocument(
    @Described("Assigned by the database; ignored in requests") @Nullable Long id,
    @Described("As in ETag and If-Match; ignored in requests") @Nullable Long version,
    @Described("The tier; * for all tiers") @Nullable String tier,
    @Described("/api/posts, /api/posts/{id}, /api/*, * or policy:NAME")
        @Nullable String endpointPattern,
    @Described("Derived from pattern and window by default") @Nullable String name,
    @Described("HTTP methods; default all") @Nullable List<String> methods,
    @Described("Permits per window, 1 to 1000000000") @Nullable Long limitCount,
    @Described("The window, 1 to 31622400 seconds") @Nullable Long windowSeconds,
    @Described("Instead of windowSeconds: 1 DAY, 1 WEEK, 1 MONTH, 1 YEAR, QUOTA and so on")
        @Nullable String period,
    @Described("The time zone of a period") @Nullable String zone,
    @Nullable String algorithm,
    @Nullable String mode,
    @Described("Percent") @Nullable Long exceedBy,
    @Nullable Long burst,
    @Nullable Long refill,
    @Nullable Boolean strict,
    @Described("USER, IP, ENDPOINT or key expressions, joined by +") @Nullable String countBy,
    @Nullable Boolean perEndpoint,
    @Nullable String counts,
    @Described("SUCCESS: a success clears the failures before it; default NOTHING")
        @Nullable String clearOn,
    @Nullable Long cost,
    @Nullable String costFrom,
    @Nullable String condition,
    @Described("Percent") @Nullable Long overshoot,
    @Nullable Long maxRollover,
    @Nullable String onStoreFailure,
    @Nullable String priority,
    @Described("DRAFT, SHADOW or ENFORCED") @Nullable String state,
    @Nullable Instant validFrom,
    @Nullable Instant validUntil,
    @Described("Ignored in requests") @Nullable Instant updatedAt,
    @Described("Ignored in requests") @Nullable String updatedBy,
    @Described(
            "The row of a table that Weir only reads, such as public.rate_limit_rules 17; ignored in"
                + " requests")
        @Nullable String origin,
    @Described("Warnings for its author; ignored in requests") @Nullable List<String> warnings) {
  private static final int MAX_TIER = 50;
  private static final int MAX_PATTERN = 255;

  /** Converts a rule to JSON. */
  static RuleDocument of(Rule rule, @Nullable List<String> warnings) {
    return of(rule, rule.name(), warnings);
  }

  /** Converts a rule to JSON that makes the same row: a generated name is left out. */
  static RuleDocument ofRow(Rule rule) {
    return of(rule, rule.givenName().orElse(null), null);
  }

  private static RuleDocument of(
      Rule rule, @Nullable String name, @Nullable List<String> warnings) {
    boolean hasLength = rule.window().length().isPresent();
    return new RuleDocument(
        rule.id(),
        rule.version(),
        rule.tier(),
        rule.pattern(),
        name,
        List.copyOf(new TreeSet<>(rule.methods())),
        rule.limit(),
        hasLength ? rule.window().length().get().toSeconds() : null,
        hasLength ? null : rule.window().toString(),
        text(rule.zone()),
        rule.algorithm().map(Enum::name).orElse(null),
        rule.mode().name(),
        (long) rule.exceedBy(),
        number(rule.burst()),
        number(rule.refill()),
        rule.strict(),
        String.join("+", rule.countBy()),
        rule.perEndpoint(),
        rule.counts().name(),
        rule.clearOn() == ClearOn.NOTHING ? null : rule.clearOn().name(),
        rule.cost(),
        text(rule.costFrom()),
        text(rule.condition()),
        number(rule.overshoot()),
        number(rule.maxRollover()),
        rule.onStoreFailure().map(Enum::name).orElse(null),
        rule.priority().name(),
        rule.state().name(),
        rule.validFrom().orElse(null),
        rule.validUntil().orElse(null),
        rule.updatedAt().orElse(null),
        text(rule.updatedBy()),
        rule.origin().orElse(null),
        warnings);
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable Long number(long number) {
    return number == 0 ? null : Long.valueOf(number);
  }

  /**
   * Converts the request's document to a rule.
   *
   * @param rowId the row that it replaces; 0 for a new row
   * @param rowVersion the version that it is based on
   * @param generatedName the generated name of the row, which is then generated again; empty if the
   *     row has a given name
   * @throws InvalidFieldException if a text is blank or too long
   * @throws io.weir.rules.problem.InvalidRuleException if anything else is invalid; lists all
   *     mistakes
   */
  Rule rule(long rowId, long rowVersion, String generatedName) {
    FieldReader.required("tier", tier, MAX_TIER);
    FieldReader.required("endpointPattern", endpointPattern, MAX_PATTERN);
    Map<String, String> columns = new LinkedHashMap<>();
    put(columns, "tier", tier);
    put(columns, "endpoint_pattern", endpointPattern);
    put(columns, "name", generatedName.equals(name) ? null : name);
    put(columns, "methods", methods == null ? null : String.join(",", methods));
    put(columns, "limit_count", limitCount);
    put(columns, "window_seconds", windowSeconds);
    put(columns, "period", period);
    put(columns, "zone", zone);
    put(columns, "algorithm", algorithm);
    put(columns, "mode", mode);
    put(columns, "exceed_by", exceedBy);
    put(columns, "burst", burst);
    put(columns, "refill", refill);
    put(columns, "strict", strict);
    put(columns, "count_by", countBy);
    put(columns, "per_endpoint", perEndpoint);
    put(columns, "counts", counts);
    put(columns, "clear_on", clearOn);
    put(columns, "cost", cost);
    put(columns, "cost_from", costFrom);
    put(columns, "condition", condition);
    put(columns, "overshoot", overshoot);
    put(columns, "max_rollover", maxRollover);
    put(columns, "on_store_failure", onStoreFailure);
    put(columns, "priority", priority);
    put(columns, "state", state);
    put(columns, "valid_from", validFrom);
    put(columns, "valid_until", validUntil);
    put(columns, "version", rowVersion);
    if (methods != null && methods.stream().anyMatch(each -> each == null || each.isBlank())) {
      throw new InvalidFieldException("methods", "must be HTTP methods");
    }
    return RuleColumns.read(new StoredRow(RuleTable.RULES, Long.toString(rowId), columns));
  }

  private static void put(Map<String, String> columns, String name, @Nullable Object value) {
    if (value != null) {
      columns.put(name, value.toString());
    }
  }
}
