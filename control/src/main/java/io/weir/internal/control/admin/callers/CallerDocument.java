package io.weir.internal.control.admin.callers;

import io.weir.internal.control.resource.Described;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A caller, and what counts it. */
record CallerDocument(
    @Described("The user, the key's digest, or the address") String caller,
    @Nullable String tier,
    List<CallerBucket> buckets,
    @Described("Those of the last day, the newest first, at most 100") List<Refusal> refusals) {
  /** A bucket of a caller. */
  record CallerBucket(
      String policy,
      @Described("Its name, as the buckets of a policy are listed") String bucket,
      @Described("The pattern that leads to it, or policy:NAME") String endpoint,
      long limit,
      @Described("Null if the store doesn't answer") @Nullable Long remaining,
      @Described("Seconds since the epoch; null if the store doesn't answer")
          @Nullable Long resetTime,
      @Described("Whether a request would be admitted now") boolean allowed,
      @Described("Whether it can be made full; a quota can't, grant permits instead")
          boolean resettable) {}

  /** Refusals of a few seconds. */
  record Refusal(String endpoint, String policy, Instant at, long count) {}
}
