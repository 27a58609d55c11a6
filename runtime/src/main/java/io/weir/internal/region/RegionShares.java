package io.weir.internal.region;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Scope;
import io.weir.internal.permits.RegionPart;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * Divides limits among regions, each of which counts its part alone.
 *
 * <p><b>Why the parts add up.</b> The regions, in the order of their names, cut the range of 0 to
 * 100 percent into pieces without gaps. A limit of C permits lies on it as C points at equal
 * distances, and a region has those on its piece: from {@code a} to {@code b} percent {@code ⌊(C·b
 * + h) ÷ 100⌋ − ⌊(C·a + h) ÷ 100⌋}. In the sum over all regions everything but the ends cancels
 * out, so it is C. The remainder h moves the points by up to one permit. It is the hash of the
 * bucket, the same on all nodes of all regions, so that a limit of two isn't always the same
 * region's.
 *
 * <p>A part is at most one permit more or less than {@code C × share}. So regions whose shares add
 * up to less than 100 while they are changed exceed C by less than one permit each.
 *
 * <p>Immutable.
 */
public final class RegionShares {
  private static final int WHOLE = 100;

  /** Leaves each limit whole. */
  public static final RegionShares NONE = new RegionShares("", 0, WHOLE, 1, WHOLE);

  private final String region;
  private final int from;
  private final int to;
  private final int regions;
  private final int least;

  private RegionShares(String region, int from, int to, int regions, int least) {
    this.region = region;
    this.from = from;
    this.to = to;
    this.regions = regions;
    this.least = least;
  }

  /**
   * Divides limits for one region.
   *
   * @param region one of {@code shares}
   * @param shares the percentage of each region, at least 1; 100 in all
   */
  public static RegionShares of(String region, Map<String, Integer> shares) {
    int before =
        shares.entrySet().stream()
            .filter(each -> each.getKey().compareTo(region) < 0)
            .mapToInt(Map.Entry::getValue)
            .sum();
    int own = shares.getOrDefault(region, 0);
    return new RegionShares(
        region, before, before + own, shares.size(), Collections.min(shares.values()));
  }

  /** Divides limits as the settings say; in mode EVENTUAL not at all. */
  public static RegionShares of(RegionSettings settings) {
    return settings.mode() == RegionMode.SHARES ? of(settings.own(), settings.shares()) : NONE;
  }

  /** Returns the name of this region; empty if limits are whole. */
  public String region() {
    return region;
  }

  /** Says for the log what this region counts; empty if limits are whole. */
  public Optional<String> describe() {
    return regions == 1
        ? Optional.empty()
        : Optional.of(
            "Region "
                + region
                + ", one of "
                + regions
                + ", counts "
                + (to - from)
                + " % of each limit alone (weir.regions.shares). Limits with scope REGION and quotas"
                + " aren't divided: quotas are one over all regions only with one rules' database");
  }

  /**
   * Returns whether a policy's limit is divided: not if it is each region's own, nor if it is a
   * quota, whose use the rules' database keeps.
   */
  public boolean divides(Policy policy) {
    return regions > 1 && policy.scope() == Scope.GLOBAL && !policy.spec().isOfPeriod();
  }

  /**
   * Returns the remainder of a bucket, which decides for permits that can't be divided evenly.
   *
   * @return 0 to 99, the same in every process
   */
  public static int remainder(BucketSpec spec, Key key) {
    // Keys that differ at their ends have hashes that differ by little, so they are mixed.
    int hash = BucketId.hash(spec, key);
    hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
    hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
    return Integer.remainderUnsigned(hash ^ hash >>> 16, WHOLE);
  }

  /**
   * Returns this region's part of some permits.
   *
   * @param permits 0 to 11,000,000,000
   * @param remainder 0 to 99
   */
  public long part(long permits, int remainder) {
    return (permits * to + remainder) / WHOLE - (permits * from + remainder) / WHOLE;
  }

  /** Returns the least part that any region has of some permits, whatever the remainder. */
  public long leastPart(long permits) {
    return permits * least / WHOLE;
  }

  /** Returns the fewest permits of which every region has a part, whatever the remainder. */
  public long leastDivided() {
    return (WHOLE + least - 1L) / least;
  }

  /**
   * Returns this region's part of a caller's limit.
   *
   * @param limit the caller's limit over all regions, 1 to 1,000,000,000
   * @param kept the same limit within what the policy's buckets can count
   * @param remainder that of the bucket, 0 to 99
   */
  public RegionPart partOf(Policy policy, long limit, long kept, int remainder) {
    long part = part(kept, remainder);
    long burst = part(policy.burstFor(kept), remainder);
    long refill = part(policy.refillFor(kept), remainder);
    boolean lacksRefill = policy.refill() > 0 && refill == 0;
    return new RegionPart(limit, part, burst, refill, part == 0 || burst == 0 || lacksRefill);
  }
}
