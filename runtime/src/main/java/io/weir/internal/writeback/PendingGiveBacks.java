package io.weir.internal.writeback;

import io.weir.store.GiveBack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Permits on their way back to the store, by the slots that they were charged to: of the last two
 * slots, since older ones are hardly credited any more.
 *
 * <p>What is taken out to be sent is never put in again: a give-back that is sent twice would be
 * credited twice. Confine to one thread.
 */
final class PendingGiveBacks {
  private @Nullable GiveBack older;
  private @Nullable GiveBack newer;

  /** Adds permits; what is of a third slot, the oldest, is lost. */
  void add(long stamp, long permits) {
    if (permits <= 0) {
      return;
    }
    GiveBack back = new GiveBack(stamp, permits);
    if (newer == null || stamp > newer.stamp()) {
      older = newer;
      newer = back;
    } else if (stamp == newer.stamp()) {
      newer = together(newer, back);
    } else if (older == null || stamp > older.stamp()) {
      older = back;
    } else if (stamp == older.stamp()) {
      older = together(older, back);
    }
  }

  private static GiveBack together(GiveBack one, GiveBack other) {
    return new GiveBack(one.stamp(), one.permits() + other.permits());
  }

  boolean isEmpty() {
    return newer == null;
  }

  /** All of it, to be sent once. */
  List<GiveBack> take() {
    GiveBack first = older;
    GiveBack second = newer;
    older = null;
    newer = null;
    if (second == null) {
      return List.of();
    }
    return first == null ? List.of(second) : List.of(first, second);
  }
}
