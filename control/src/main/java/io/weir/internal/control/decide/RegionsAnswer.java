package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counts that the regions of an application keep of one bucket.
 *
 * @param regions the own region first
 */
public record RegionsAnswer(
    @Described(
            "EVENTUAL: each region has the whole limit, and its count includes what the others have"
                + " reported to it. SHARES: each has a part of the limit. REGION: each has a limit"
                + " of its own, as those with scope REGION and quotas are")
        Counting counting,
    @Described("All parts together; null unless regions have SHARES, and all have answered")
        @Nullable SumAnswer sum,
    List<RegionAnswer> regions) {
  /** Tells how the counts belong together. */
  public enum Counting {
    EVENTUAL,
    SHARES,
    REGION
  }

  /** The sum over all regions. */
  public record SumAnswer(long limit, long used, long remaining) {}

  /** The count of one region, as its own store has it. */
  public record RegionAnswer(
      String name,
      @Described("Whether the node that answers is in it") boolean isOwn,
      @Described("The permits per window that the region has for the caller") long limit,
      @Described(
              "The permits that are used there, and those that its nodes hold as leases; may be"
                  + " more than the limit. Null if the region hasn't answered")
          @Nullable Long used,
      @Described("The permits left there; null like used") @Nullable Long remaining,
      @Described("When more are left there, in seconds since 1970; null like used")
          @Nullable Long resetTime,
      @Described("Why the region hasn't answered, in words for people; null if it has")
          @Nullable String unanswered) {}

  public RegionsAnswer {
    regions = List.copyOf(regions);
  }
}
