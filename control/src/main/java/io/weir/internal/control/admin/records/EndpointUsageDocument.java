package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.usage.EndpointUsage;
import java.time.Instant;

/** A user's usage of an endpoint in an hour or a day. */
@SchemaName("EndpointDocument")
public record EndpointUsageDocument(
    String endpoint, Instant startsAt, long requests, long refused, long permits, long peakMinute) {
  /**
   * Converts an hour or a day.
   *
   * @param each the hour or day
   * @return its document
   */
  public static EndpointUsageDocument of(EndpointUsage each) {
    return new EndpointUsageDocument(
        each.endpoint(),
        each.startsAt(),
        each.requests(),
        each.refused(),
        each.permits(),
        each.peakMinute());
  }
}
