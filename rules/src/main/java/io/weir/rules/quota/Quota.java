package io.weir.rules.quota;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.time.Instant;
import java.util.Locale;

/**
 * What a caller may use in its running billing period, and what is left of it.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param limit permits of each period, 1 to 1,000,000,000
 * @param used permits used in this period, 0 and more; more than there were if a limit was lowered
 * @param available permits left: limit, rollover and grants without what was used; 0 and more
 * @param rollover permits that the last period left over; 0 until that one is closed, which is some
 *     seconds after its end
 * @param granted permits of grants: what was left of them when the period began, and those granted
 *     since
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
   * The document that {@code /api/quota} and the admin API answer.
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
