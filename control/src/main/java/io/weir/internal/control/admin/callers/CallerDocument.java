package io.weir.internal.control.admin.callers;

import io.weir.internal.control.decide.AccessMatch;
import io.weir.internal.control.decide.RegionsAnswer;
import io.weir.internal.control.json.OmittedIfNull;
import io.weir.internal.control.resource.Described;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A caller, its buckets and its recent refusals. */
record CallerDocument(
    @Described("The user, the key's digest, or the address") String caller,
    @Nullable String tier,
    @Described(
            "All requests that are recorded of the caller; those of addresses, and of keys without"
                + " a row, aren't")
        long requests,
    @Described(
            "The entries of access lists that are about the caller: the one that decides, if one"
                + " does, and one that would if it weren't in shadow mode. Without one that"
                + " decides, the caller's bans too")
        List<AccessMatch> access,
    @Described("Empty if an entry decides") List<CallerBucket> buckets,
    @Described("The refusals of the last day, newest first, at most 100") List<Refusal> refusals) {
  record CallerBucket(
      String policy,
      @Described("The bucket's name, as in the list of a policy's buckets") String bucket,
      @Described("The pattern that uses the bucket, or policy:NAME") String endpoint,
      long limit,
      @Described("Such as 60s, 1 MONTH or QUOTA") String window,
      @Described("Null if the store can't be reached") @Nullable Long remaining,
      @Described("In seconds since 1970; null if the store can't be reached")
          @Nullable Long resetTime,
      @Described("Whether a request would be admitted now") boolean allowed,
      @Described("Whether the bucket can be reset. A quota can't; grant permits instead")
          boolean resettable,
      @Described("Counts of each region; missing unless weir.region is set") @OmittedIfNull
          @Nullable RegionsAnswer regions) {}

  /** The refusals of a few seconds. */
  record Refusal(String endpoint, String policy, Instant at, long count) {}
}
