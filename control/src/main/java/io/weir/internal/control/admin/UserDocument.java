package io.weir.internal.control.admin;

import io.weir.internal.control.json.Json;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.OwnLimit;
import io.weir.rules.UserTier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tier of a user in JSON, with limits of its own. */
record UserDocument(
    @Described("As in the path; ignored in what is sent") @Nullable String userId,
    @Described("As ETag and If-Match have it; ignored in what is sent") @Nullable Long version,
    @Nullable String tier,
    @Described("By name or pattern of rules: a number, or {limit, window} with window in seconds")
        @Nullable Map<String, Object> customLimits,
    @Described("ENFORCED, or EVALUATION: rules measure this user and never refuse")
        @Nullable String state,
    @Nullable Instant validUntil) {
  private static final int LONGEST_TIER = 50;

  static UserDocument of(UserTier user) {
    Map<String, Object> limits = new LinkedHashMap<>();
    for (OwnLimit each : user.ownLimits()) {
      limits.put(
          each.rule(),
          each.window().isEmpty()
              ? (Object) each.limit()
              : Map.of("limit", each.limit(), "window", each.window().get().toSeconds()));
    }
    return new UserDocument(
        user.userId(),
        user.version(),
        user.tier(),
        limits,
        user.state().name(),
        user.validUntil().orElse(null));
  }

  /**
   * What was sent, as a row.
   *
   * @throws InvalidRuleException if it can't be read; names all that is wrong
   */
  UserTier user(String named, long seen) {
    Map<String, String> columns = new HashMap<>();
    columns.put("tier", Words.required("tier", tier, LONGEST_TIER));
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
    UserColumns.Read read = UserColumns.read(new StoredRow(RuleTable.USERS, named, columns));
    if (!read.problems().isEmpty()) {
      throw new InvalidRuleException(read.problems());
    }
    return read.user();
  }
}
