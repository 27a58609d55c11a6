package io.weir.internal.server.envoy;

import io.grpc.Status;
import io.weir.internal.server.envoy.config.RateUnit;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import org.jspecify.annotations.Nullable;

/** Validates requests to the rate limit service. */
final class RequestValidator {
  private static final int MAX_DESCRIPTORS = 1_000;

  private RequestValidator() {}

  /** Returns the first mistake in a request; null if it is valid. */
  static @Nullable Status mistake(RateLimitRequest request) {
    if (request.getDomain().isEmpty()) {
      return invalid("domain must not be empty");
    }
    int count = request.getDescriptorsCount();
    if (count == 0 || count > MAX_DESCRIPTORS) {
      return invalid("descriptors must be 1 to 1,000, not " + count);
    }
    for (int i = 0; i < count; i++) {
      Status mistake = mistake(request.getDescriptors(i), i);
      if (mistake != null) {
        return mistake;
      }
    }
    return null;
  }

  private static @Nullable Status mistake(RateLimitDescriptor descriptor, int index) {
    if (descriptor.hasLimit() && RateUnit.of(descriptor.getLimit().getUnitValue()).isEmpty()) {
      return invalid("descriptors[" + index + "].limit.unit isn't a unit of time");
    }
    if (descriptor.getIsNegativeHits()) {
      return Status.UNIMPLEMENTED.withDescription(
          "descriptors[" + index + "].is_negative_hits: hits can't be given back");
    }
    return null;
  }

  private static Status invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text);
  }
}
