package io.weir.rules.quota;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.time.Instant;
import java.util.Locale;

/**
 * Describes the permits of a user in the current billing period.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param limit permits of each period, 1 to 1,000,000,000
 * @param used permits used in this period, at least 0; more than all permits if a limit was lowered
 * @param available permits left of limit, rollover and grants; at least 0
 * @param rollover permits from the last period; 0 until that period is closed, some seconds after
 *     its end
 * @param granted permits of grants: those left when the period began, and those granted since
 * @param resetsAt when the period ends, exclusive
 */
public record Quota(
    String userId,
    long limit,
    long used,
    long available,
    long rollover,
    long granted,
    Instant resetsAt) {
  /**
   * Returns the document of {@code /api/quota} and the admin API.
   *
   * @return a JSON object with the members of this record, the time in ISO 8601
   */
  public String toJson() {
    return String.format(
        Locale.ROOT,
        "{\"userId\":\"%s\",\"limit\":%d,\"used\":%d,\"available\":%d,\"rollover\":%d,"
            + "\"granted\":%d,\"resetsAt\":\"%s\"}",
        new String(JsonStringEncoder.getInstance().quoteAsString(userId)),
        limit,
        used,
        available,
        rollover,
        granted,
        resetsAt);
  }
}
