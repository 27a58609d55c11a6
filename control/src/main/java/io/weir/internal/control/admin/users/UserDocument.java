package io.weir.internal.control.admin.users;

import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.Json;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserTier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tier of a user, with limits of its own. */
record UserDocument(
    @Described("Ignored in requests, which name the user in the path or the query")
        @Nullable String userId,
    @Described("As in ETag and If-Match; ignored in requests") @Nullable Long version,
    @Nullable String tier,
    @Described(
            "By the name or pattern of a rule: a limit, or {limit, window} with window in seconds")
        @Nullable Map<String, Object> customLimits,
    @Described("ENFORCED, or EVALUATION: rules measure this user but never refuse")
        @Nullable String state,
    @Nullable Instant validUntil,
    @Described("The table that Weir only reads, such as public.user_tiers; ignored in requests")
        @Nullable String origin,
    @Described("Warnings for its author; ignored in requests") @Nullable List<String> warnings) {
  private static final int MAX_TIER = 50;

  static UserDocument of(UserTier user) {
    return of(user, null);
  }

  static UserDocument of(UserTier user, @Nullable List<String> warnings) {
    Map<String, Object> limits = new LinkedHashMap<>();
    for (OwnLimit each : user.ownLimits()) {
      limits.put(
          each.rule(),
          each.window().isEmpty()
              ? (Object) each.limit()
              : Map.of("limit", each.limit(), "window", each.window().get().toSeconds()));
    }
    Map<String, Object> members = JsonRecords.members(user);
    members.put("customLimits", limits);
    if (warnings != null) {
      members.put("warnings", warnings);
    }
    return JsonRecords.of(UserDocument.class, members);
  }

  /**
   * Converts the request's document to a row.
   *
   * @throws InvalidRuleException if it is invalid; lists all mistakes
   */
  UserTier user(String userId, long seen) {
    Map<String, String> columns = new HashMap<>();
    columns.put("tier", FieldReader.required("tier", tier, MAX_TIER));
    if (customLimits != null) {
      columns.put("custom_limits", new String(Json.bytes(customLimits), StandardCharsets.UTF_8));
    }
    if (state != null) {
      columns.put("state", state);
    }
    if (validUntil != null) {
      columns.put("valid_until", validUntil.toString());
    }
    columns.put("version", Long.toString(seen));
    UserColumns.Read read = UserColumns.read(new StoredRow(RuleTable.USERS, userId, columns));
    if (!read.problems().isEmpty()) {
      throw new InvalidRuleException(read.problems());
    }
    return read.user();
  }
}
