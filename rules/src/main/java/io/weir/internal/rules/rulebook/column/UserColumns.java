package io.weir.internal.rules.rulebook.column;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.Policy;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.LineText;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads rows of {@code user_tiers} as {@link UserTier}s, and writes them. Messages name users by
 * digest only.
 *
 * <p>{@code custom_limits} is a JSON object: {@code {"api.posts-60s": 5000, "/api/*": {"limit":
 * 5000, "window": 60}}}.
 */
public final class UserColumns {
  private static final String LIMITS = "custom_limits";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private UserColumns() {}

  /**
   * A user, and the problems of its own limits.
   *
   * @param user with the own limits that can be read
   * @param problems one for each that can't
   */
  public record Read(UserTier user, List<RuleProblem> problems) {
    public Read {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads a row. An own limit that can't be read is reported, and the others are used.
   *
   * @throws InvalidRuleException if its tier, state or end can't be read
   */
  public static Read read(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.USERS, shown(row));
    ColumnReader columns = new ColumnReader(row, problems);
    String tier = columns.required("tier");
    checkTier(tier, problems);
    UserState state = columns.word("state", UserState.class).orElse(UserState.ENFORCED);
    Optional<Instant> validUntil = columns.time("valid_until");
    problems.refuseAny();
    List<OwnLimit> limits =
        columns.text(LIMITS).map(text -> limits(text, problems)).orElse(List.of());
    return new Read(
        new UserTier(
            row.key(),
            tier,
            limits,
            state,
            validUntil,
            row.version(),
            row.column(ForeignRows.ORIGIN)),
        problems.all());
  }

  private static String shown(StoredRow row) {
    String user = RuleTable.USERS.shown(row.key());
    return row.column(ForeignRows.ORIGIN).map(table -> user + " of " + table).orElse(user);
  }

  /** Every caller has the rules of everybody anyway; a user has a tier beside them. */
  public static void checkTier(String tier, RowProblems problems) {
    if (tier.equals(Rule.EVERYBODY)) {
      problems.wrong("tier", "must not be *, which stands for all tiers in rules");
    }
    if (tier.chars().anyMatch(LineText::isBreak)) {
      problems.wrong("tier", "must have no line break or other control character");
    }
  }

  private static List<OwnLimit> limits(String text, RowProblems problems) {
    JsonNode all;
    try {
      all = JSON.readTree(text);
    } catch (JsonProcessingException broken) {
      problems.wrong(LIMITS, "must be a JSON object without a name twice");
      return List.of();
    }
    if (all.isNull()) {
      return List.of();
    }
    if (!all.isObject()) {
      problems.wrong(LIMITS, "must be a JSON object of limits by name or pattern of rules");
      return List.of();
    }
    List<OwnLimit> limits = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : all.properties()) {
      limit(each.getKey(), each.getValue())
          .ifPresentOrElse(
              limits::add,
              () ->
                  problems.wrong(
                      LIMITS,
                      "'"
                          + RowProblems.shown(each.getKey())
                          + "' must be a whole number, 1 to 1,000,000,000, or an object of such a"
                          + " limit and a window in seconds: {\"limit\": 5000, \"window\": 60}"));
    }
    return limits;
  }

  private static Optional<OwnLimit> limit(String rule, JsonNode value) {
    if (!value.isObject()) {
      return whole(value, Policy.MAX_LIMIT)
          .map(limit -> new OwnLimit(rule, limit, Optional.empty()));
    }
    Set<String> names = fieldNames(value);
    Optional<Long> limit = whole(value.path("limit"), Policy.MAX_LIMIT);
    if (limit.isEmpty() || !Set.of("limit", "window").containsAll(names)) {
      return Optional.empty();
    }
    if (!value.has("window")) {
      return Optional.of(new OwnLimit(rule, limit.get(), Optional.empty()));
    }
    return whole(value.get("window"), RuleWindow.MAX_SECONDS)
        .map(window -> new OwnLimit(rule, limit.get(), Optional.of(Duration.ofSeconds(window))));
  }

  private static Set<String> fieldNames(JsonNode object) {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Optional<Long> whole(JsonNode number, long most) {
    boolean fits =
        number.isIntegralNumber()
            && number.canConvertToLong()
            && number.longValue() >= 1
            && number.longValue() <= most;
    return fits ? Optional.of(number.longValue()) : Optional.empty();
  }

  /**
   * Returns the columns of a row.
   *
   * @return with its key, without version and times
   * @throws InvalidRuleException if two own limits are for one name or pattern, which a JSON object
   *     can't say
   */
  public static Map<String, String> write(UserTier user) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("user_id", user.userId());
    columns.put("tier", user.tier());
    if (!user.ownLimits().isEmpty()) {
      columns.put(LIMITS, json(user));
    }
    if (user.state() != UserState.ENFORCED) {
      columns.put("state", user.state().name());
    }
    user.validUntil().ifPresent(end -> columns.put("valid_until", end.toString()));
    return columns;
  }

  private static String json(UserTier user) {
    RowProblems problems = new RowProblems(RuleTable.USERS, RuleTable.USERS.shown(user.userId()));
    ObjectNode all = JSON.createObjectNode();
    for (OwnLimit each : user.ownLimits()) {
      if (all.has(each.rule())) {
        problems.wrong(LIMITS, "'" + RowProblems.shown(each.rule()) + "' must have only one limit");
      } else if (each.window().isEmpty()) {
        all.put(each.rule(), each.limit());
      } else {
        all.putObject(each.rule())
            .put("limit", each.limit())
            .put("window", each.window().get().toSeconds());
      }
    }
    problems.refuseAny();
    return all.toString();
  }
}
