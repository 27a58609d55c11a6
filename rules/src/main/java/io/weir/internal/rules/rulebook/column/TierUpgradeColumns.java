package io.weir.internal.rules.rulebook.column;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.UpgradeStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads rows of {@code tier_upgrade_requests} as {@link TierUpgrade}s, and writes them. */
public final class TierUpgradeColumns {
  private static final String STATUS = "status";
  private static final String ANSWER = "answer";
  private static final String PENDING_OF = "pending_of";
  private static final int MAX_TEXT_LENGTH = 1_000;

  private TierUpgradeColumns() {}

  /**
   * Reads a row.
   *
   * @throws InvalidRuleException if it can't be used; the message names all that is wrong
   */
  public static TierUpgrade read(StoredRow row) {
    RowProblems problems = problems(row.key());
    ColumnReader columns = new ColumnReader(row, problems);
    columns.required(STATUS);
    TierUpgrade read =
        new TierUpgrade(
            columns.id(),
            columns.required(RuleTable.USER_ID),
            columns.required("current_tier"),
            columns.required("requested_tier"),
            columns.text("reason").orElse(""),
            columns.word(STATUS, UpgradeStatus.class).orElse(UpgradeStatus.PENDING),
            columns.text("decided_by").orElse(""),
            columns.time("decided_at"),
            columns.text(ANSWER).orElse(""),
            columns.time("created_at"),
            row.version());
    problems.refuseAny();
    return read;
  }

  /**
   * Returns the columns of a new request.
   *
   * @return without key, version and times
   * @throws InvalidRuleException if the reason is too long
   */
  public static Map<String, String> request(
      String userId, String current, String requested, String reason) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put(RuleTable.USER_ID, userId);
    columns.put("current_tier", current);
    columns.put("requested_tier", requested);
    columns.put("reason", checked("reason", reason));
    columns.put(STATUS, UpgradeStatus.PENDING.name());
    columns.put(PENDING_OF, userId);
    return columns;
  }

  /**
   * Returns the columns of a request that is decided.
   *
   * @throws InvalidRuleException if the answer is too long
   */
  public static Map<String, String> decided(
      StoredRow row, UpgradeStatus status, String answer, String author, Instant now) {
    Map<String, String> columns = new HashMap<>(row.columns());
    columns.remove(PENDING_OF);
    columns.put(STATUS, status.name());
    columns.put(ANSWER, checked(ANSWER, answer));
    columns.put("decided_by", author);
    columns.put("decided_at", now.toString());
    return columns;
  }

  private static String checked(String column, String text) {
    RowProblems problems = problems("");
    if (text.codePointCount(0, text.length()) > MAX_TEXT_LENGTH) {
      problems.wrong(column, "must have at most 1,000 characters");
    }
    problems.refuseAny();
    return text;
  }

  private static RowProblems problems(String key) {
    return new RowProblems(RuleTable.UPGRADES, key.isEmpty() ? "a new request" : "request " + key);
  }
}
