package io.weir.internal.control.admin.rules;

import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.rules.Rule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    @Described("REGION: in each region by itself; default GLOBAL, all regions together")
        @Nullable String scope,
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

  static RuleDocument of(Rule rule, @Nullable List<String> warnings) {
    return of(rule, rule.name(), warnings);
  }

  /** Converts a rule to JSON that makes the same row: a generated name is left out. */
  static RuleDocument ofRow(Rule rule) {
    return of(rule, rule.givenName().orElse(null), null);
  }

  private static RuleDocument of(
      Rule rule, @Nullable String name, @Nullable List<String> warnings) {
    Map<String, Object> members = new HashMap<>();
    RuleColumns.values(rule)
        .forEach((column, value) -> members.put(JsonRecords.camelCase(column), value));
    members.put("id", rule.id());
    members.put("version", rule.version());
    members.put("name", name);
    rule.updatedAt().ifPresent(time -> members.put("updatedAt", time));
    if (!rule.updatedBy().isEmpty()) {
      members.put("updatedBy", rule.updatedBy());
    }
    rule.origin().ifPresent(row -> members.put("origin", row));
    if (warnings != null) {
      members.put("warnings", warnings);
    }
    return JsonRecords.of(RuleDocument.class, members);
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
    if (methods != null && methods.stream().anyMatch(each -> each == null || each.isBlank())) {
      throw new InvalidFieldException("methods", "must be HTTP methods");
    }
    Map<String, Object> members = JsonRecords.members(this);
    if (generatedName.equals(name)) {
      members.remove("name");
    }
    Map<String, String> columns = new HashMap<>();
    for (String column : RuleColumns.NAMES) {
      Object value = members.get(JsonRecords.camelCase(column));
      if (value != null) {
        columns.put(column, RuleColumns.text(value));
      }
    }
    columns.put("version", Long.toString(rowVersion));
    return RuleColumns.read(new StoredRow(RuleTable.RULES, Long.toString(rowId), columns));
  }
}
