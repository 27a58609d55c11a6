package io.weir.internal.server.envoy;

import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.weir.internal.server.envoy.config.EnvoyLimit;
import io.weir.internal.server.envoy.proto.HeaderValue;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.internal.server.envoy.proto.RateLimitResponse.DescriptorStatus;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes responses. Like Envoy's own service by default, it adds no header fields to those of
 * requests that may be repeated: Envoy makes them from the statuses, according to {@code
 * enable_x_ratelimit_headers}. No field of Envoy's says that a request is never admitted, so the
 * client gets a header field of Weir's that does. The time until the window ends stays in the
 * status, as Envoy would otherwise write a reset of 0 s, which says to retry at once.
 *
 * <p>The {@code metadata} of limits that aren't used up is merged into {@code dynamic_metadata}
 * under {@code metadata}, beside the {@code domain}.
 */
final class ResponseWriter {
  private static final int UNLIMITED = -1; // the largest unsigned number
  private static final DescriptorStatus NO_LIMIT =
      DescriptorStatus.newBuilder().setCode(Code.OK).build();
  private static final DescriptorStatus NO_END =
      DescriptorStatus.newBuilder().setCode(Code.OK).setLimitRemaining(UNLIMITED).build();

  /** More hits than the limit has, or a limit of 0. */
  private static final HeaderValue NEVER =
      HeaderValue.newBuilder().setKey("x-weir-never-admitted").setValue("true").build();

  /** An access list denies the caller; only a change of the list helps. */
  private static final HeaderValue DENIED =
      HeaderValue.newBuilder().setKey("x-weir-denied").setValue("true").build();

  private static final DescriptorStatus REFUSED =
      DescriptorStatus.newBuilder().setCode(Code.OVER_LIMIT).build();

  private ResponseWriter() {}

  static RateLimitResponse denied(RateLimitRequest request) {
    return same(request, REFUSED).addResponseHeadersToAdd(DENIED).build();
  }

  /**
   * Refuses a banned caller. Envoy makes a reset of the status alone, so the client gets the time
   * to retry after as a header field.
   *
   * @param left the rest of the ban
   */
  static RateLimitResponse banned(RateLimitRequest request, java.time.Duration left) {
    long seconds = Math.max(1, left.plusNanos(999_999_999).toSeconds());
    DescriptorStatus status =
        REFUSED.toBuilder()
            .setDurationUntilReset(Duration.newBuilder().setSeconds(seconds))
            .build();
    return same(request, status)
        .addResponseHeadersToAdd(
            HeaderValue.newBuilder().setKey("retry-after").setValue(Long.toString(seconds)))
        .build();
  }

  static RateLimitResponse unlimited(RateLimitRequest request) {
    return same(request, NO_LIMIT).build();
  }

  private static RateLimitResponse.Builder same(RateLimitRequest request, DescriptorStatus status) {
    return RateLimitResponse.newBuilder()
        .setOverallCode(status.getCode())
        .addAllStatuses(Collections.nCopies(request.getDescriptorsCount(), status));
  }

  static RateLimitResponse of(
      RateLimitRequest request,
      RequestDescriptor[] descriptors,
      boolean refused,
      boolean never,
      long epochMicros) {
    RateLimitResponse.Builder response =
        RateLimitResponse.newBuilder().setOverallCode(refused ? Code.OVER_LIMIT : Code.OK);
    Struct.Builder metadata = null;
    for (RequestDescriptor each : descriptors) {
      response.addStatuses(status(each, epochMicros));
      Struct own = each.limit() == null || each.isOver() ? null : each.limit().metadata();
      if (own != null) {
        metadata = metadata == null ? Struct.newBuilder() : metadata;
        merge(metadata, own);
      }
    }
    if (never) {
      response.addResponseHeadersToAdd(NEVER);
    }
    if (metadata != null) {
      response.setDynamicMetadata(dynamic(request.getDomain(), metadata));
    }
    return response.build();
  }

  private static DescriptorStatus status(RequestDescriptor descriptor, long epochMicros) {
    EnvoyLimit limit = descriptor.limit();
    if (limit == null) {
      return NO_LIMIT;
    }
    if (limit.isUnlimited()) {
      return NO_END;
    }
    DescriptorStatus.Builder status =
        DescriptorStatus.newBuilder()
            .setCode(descriptor.isOver() ? Code.OVER_LIMIT : Code.OK)
            .setCurrentLimit(limit.current());
    java.time.Duration reset = java.time.Duration.ZERO;
    BucketUse use = descriptor.use();
    if (use != null) {
      status.setLimitRemaining((int) use.remaining());
      reset = use.reset();
    }
    if (reset.isZero()) { // a bucket from which nothing was taken has no window of its own
      reset = limit.restOfWindow(epochMicros);
    }
    return status
        .setDurationUntilReset(
            Duration.newBuilder().setSeconds(reset.toSeconds()).setNanos(reset.getNano()))
        .build();
  }

  private static Struct dynamic(String domain, Struct.Builder metadata) {
    return Struct.newBuilder()
        .putFields("domain", Value.newBuilder().setStringValue(domain).build())
        .putFields("metadata", Value.newBuilder().setStructValue(metadata).build())
        .build();
  }

  // Existing values stay, and mappings are merged.
  private static void merge(Struct.Builder all, Struct more) {
    for (Map.Entry<String, Value> each : more.getFieldsMap().entrySet()) {
      @Nullable Value known = all.getFieldsMap().get(each.getKey());
      if (known == null) {
        all.putFields(each.getKey(), each.getValue());
      } else if (known.hasStructValue() && each.getValue().hasStructValue()) {
        Struct.Builder both = known.getStructValue().toBuilder();
        merge(both, each.getValue().getStructValue());
        all.putFields(each.getKey(), Value.newBuilder().setStructValue(both).build());
      }
    }
  }
}
