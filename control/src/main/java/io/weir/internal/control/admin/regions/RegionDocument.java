package io.weir.internal.control.admin.regions;

import io.weir.RegionStatus;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A region, as the node that answers sees it. */
record RegionDocument(
    String name,
    @Described("Whether the node that answers is in it") boolean isOwn,
    @Described("The percentage of each limit that it counts; null unless regions have shares")
        @Nullable Integer share,
    @Described(
            "The age of its store's last answer to a report of this node, in seconds; null if there"
                + " is none, for the own region, and where regions have shares")
        @Nullable Double reportedSecondsAgo,
    @Described(
            "The age of the last report of its nodes to the own region's store, in seconds, to"
                + " about two, or seven where regions have many nodes; null if there is none since"
                + " this node started, for the own region, and where regions have shares")
        @Nullable Double heardSecondsAgo,
    @Described("Permits that callers of this node have used and whose report it hasn't answered")
        long unreported,
    @Described(
            "Of the own region: permits that no other one hears of, because this node had no room"
                + " to count them")
        long dropped,
    @Described(
            "Whether it needs attention: for 10 seconds, or three intervals of reports if that is"
                + " more, it hasn't answered or hasn't reported; or its store isn't its own, which"
                + " is all that is watched where regions have shares")
        boolean isCutOff,
    @Described(
            "Why reports don't arrive, or, where regions have shares, why others can't look at this"
                + " one; in words for people; null if all is well")
        @Nullable String trouble) {
  static RegionDocument of(RegionStatus region) {
    Map<String, Object> members = JsonRecords.members(region);
    put(members, "reportedSecondsAgo", region.reported());
    put(members, "heardSecondsAgo", region.heard());
    return JsonRecords.of(RegionDocument.class, members);
  }

  private static void put(Map<String, Object> members, String name, Optional<Duration> age) {
    age.ifPresent(known -> members.put(name, RoundedNumber.thousandths(known.toMillis() / 1e3)));
  }
}
