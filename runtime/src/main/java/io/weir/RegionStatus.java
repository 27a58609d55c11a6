package io.weir;

import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes a region, as a node of this one sees it.
 *
 * <p>Immutable.
 *
 * @param name {@code [a-z0-9-]{1,32}}
 * @param isOwn whether this node is in it
 * @param share the percentage of each limit that it counts, 1 to 100; empty unless regions have
 *     shares
 * @param reported how long ago its store last answered a report of this node; empty if it never
 *     has, for the own region, and where regions have shares
 * @param heard how long ago a node of it last reported to the store of this region, to about two
 *     seconds, or seven where regions have many nodes, at the usual interval of reports; empty if
 *     none has since this node started, for the own region, and where regions have shares
 * @param unreported permits that callers of this node have used and whose report it hasn't
 *     answered; 0 and more
 * @param dropped for the own region: permits that no other region hears of, because this node had
 *     no room to count them; 0 and more
 * @param isCutOff whether it needs attention: for 10 seconds, or three intervals of reports if that
 *     is more, it hasn't answered or hasn't reported; or its store isn't its own. A region that has
 *     never started is waited for, for 10 minutes: its store answers without a mark of its nodes,
 *     and none has reported here. Where regions have shares, only the own one's store is watched
 * @param trouble why nothing is reported to it or by it at the moment, or why others can't look at
 *     this region, where regions have shares; empty if all is well
 */
public record RegionStatus(
    String name,
    boolean isOwn,
    OptionalInt share,
    Optional<Duration> reported,
    Optional<Duration> heard,
    long unreported,
    long dropped,
    boolean isCutOff,
    Optional<String> trouble) {

  /**
   * Makes the status of a region that counts a fixed part of each limit, so that nothing is
   * reported to it or by it.
   *
   * @param name its name
   * @param isOwn whether this node is in it
   * @param share its percentage of each limit
   * @return the status, which never changes
   */
  public static RegionStatus ofShare(String name, boolean isOwn, int share) {
    return new RegionStatus(
        name,
        isOwn,
        OptionalInt.of(share),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        false,
        Optional.empty());
  }

  /**
   * Describes the region for people.
   *
   * @return its trouble if there is any, or else when the two regions last heard of each other, or
   *     its share
   */
  public String describe() {
    if (trouble.isPresent()) {
      return trouble.get();
    }
    if (share.isPresent()) {
      return "counts " + share.getAsInt() + " % of each limit";
    }
    if (isOwn) {
      return "the region of this node";
    }
    List<String> parts = new ArrayList<>(2);
    reported.ifPresent(age -> parts.add("answered " + ago(age)));
    heard.ifPresent(age -> parts.add("reported " + ago(age)));
    return parts.isEmpty() ? "not heard of yet" : String.join(", ", parts);
  }

  private static String ago(Duration age) {
    return DurationText.inWords(Duration.ofSeconds(age.toSeconds())) + " ago";
  }
}
