package io.weir.internal.rules.rulebook.column;

import io.weir.Policy;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads rows of {@code user_quotas} and {@code quota_grants} as {@link UserQuota}s and {@link
 * QuotaGrant}s, and writes them. Messages name users by digest only.
 */
public final class QuotaColumns {
  private static final String LIMIT = "monthly_limit";
  private static final String AMOUNT = "rollover_amount";
  private static final String MAX_ROLLOVER = "max_rollover";
  private static final String DAY = "billing_day";
  private static final String ZONE = "zone";
  private static final String PERMITS = "permits";
  private static final int LAST_DAY = 31;
  private static final int LONGEST_REASON = 1_000;

  private QuotaColumns() {}

  /**
   * Reads a row of {@code user_quotas}.
   *
   * @throws InvalidRuleException if a column can't be used; the message names all that is wrong
   */
  public static UserQuota read(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.QUOTAS, RuleTable.QUOTAS.shown(row.key()));
    ColumnReader columns = new ColumnReader(row, problems);
    OptionalLong limit = number(columns, LIMIT, 1);
    OptionalLong amount = number(columns, AMOUNT, 0);
    OptionalLong most = number(columns, MAX_ROLLOVER, 0);
    int day = columns.number(DAY, 1, LAST_DAY).map(Long::intValue).orElse(1);
    ZoneId zone = zone(columns, problems);
    problems.refuseAny();
    return new UserQuota(row.key(), limit, amount.orElse(0), most, day, zone, row.version());
  }

  private static OptionalLong number(ColumnReader columns, String name, long least) {
    return columns
        .number(name, least, Policy.MAX_LIMIT)
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private static ZoneId zone(ColumnReader columns, RowProblems problems) {
    String zone = columns.text(ZONE).orElse("");
    try {
      return zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone);
    } catch (DateTimeException none) {
      problems.wrong(ZONE, "must be a time zone such as Europe/Berlin, not '" + zone + "'");
      return ZoneOffset.UTC;
    }
  }

  /**
   * Returns the columns of a row of {@code user_quotas}; defaults aren't written.
   *
   * @return with its key, without version and times
   * @throws InvalidRuleException if a number is out of range; the message names all that is wrong
   */
  public static Map<String, String> write(UserQuota quota) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put(RuleTable.USER_ID, quota.userId());
    quota.monthlyLimit().ifPresent(limit -> columns.put(LIMIT, Long.toString(limit)));
    columns.put(AMOUNT, Long.toString(quota.rolloverAmount()));
    quota.maxRollover().ifPresent(most -> columns.put(MAX_ROLLOVER, Long.toString(most)));
    if (quota.billingDay() != 1) {
      columns.put(DAY, Integer.toString(quota.billingDay()));
    }
    if (!quota.zone().equals(ZoneOffset.UTC)) {
      columns.put(ZONE, quota.zone().getId());
    }
    var checked = read(new StoredRow(RuleTable.QUOTAS, quota.userId(), columns));
    return checked.userId().isBlank() ? noUser(RuleTable.QUOTAS) : columns;
  }

  private static Map<String, String> noUser(RuleTable table) {
    RowProblems problems = new RowProblems(table, "a row without user");
    problems.wrong(RuleTable.USER_ID, "must be given");
    throw new InvalidRuleException(problems.all());
  }

  /**
   * Reads a row of {@code quota_grants}.
   *
   * @param row the row; without {@code remaining} it is whole
   * @throws InvalidRuleException if a column can't be used; the message names all that is wrong
   */
  public static QuotaGrant readGrant(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.GRANTS, "grant " + row.key());
    ColumnReader columns = new ColumnReader(row, problems);
    String userId = columns.required(RuleTable.USER_ID);
    columns.required(PERMITS);
    long permits = columns.number(PERMITS, 1, Policy.MAX_LIMIT).orElse(0L);
    QuotaGrant grant =
        new QuotaGrant(
            columns.id(),
            userId,
            permits,
            columns.number("remaining", 0, Policy.MAX_LIMIT).orElse(permits),
            columns.text("reason").orElse(""),
            columns.text("granted_by").orElse(""),
            columns.time("valid_until"),
            columns.time("created_at"),
            row.version());
    if (grant.remaining() > permits) {
      problems.wrong("remaining", "must be at most " + permits + ", the permits granted");
    }
    problems.refuseAny();
    return grant;
  }

  /**
   * Returns the columns of a new row of {@code quota_grants}.
   *
   * @return without key, version and times
   * @throws InvalidRuleException if it can't be granted so; the message names all that is wrong
   */
  public static Map<String, String> write(QuotaGrant grant, String author) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put(RuleTable.USER_ID, grant.userId());
    columns.put(PERMITS, Long.toString(grant.permits()));
    columns.put("remaining", Long.toString(grant.permits()));
    columns.put("reason", grant.reason());
    columns.put("granted_by", author);
    grant.validUntil().ifPresent(end -> columns.put("valid_until", end.toString()));
    RowProblems problems = new RowProblems(RuleTable.GRANTS, "a new grant");
    if (grant.reason().length() > LONGEST_REASON) {
      problems.wrong("reason", "must have at most 1,000 characters");
      throw new InvalidRuleException(problems.all());
    }
    var checked = readGrant(new StoredRow(RuleTable.GRANTS, "", columns));
    return checked.userId().isBlank() ? noUser(RuleTable.GRANTS) : columns;
  }
}
