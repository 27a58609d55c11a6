package io.weir.writeback;

import io.weir.store.GiveBack;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Permits on their way back to the store, by the slots that they were charged to: of the last two
 * slots, since older ones are hardly credited any more.
 *
 * <p>What is taken out to be sent is never put in again: a give-back that is sent twice would be
 * credited twice. Confine to one thread.
 */
final class Backs {
  private static final int MOST = 2;

  private final ArrayDeque<GiveBack> backs = new ArrayDeque<>(MOST + 1);

  /** Adds permits; how many of an older slot are lost by that. */
  long add(long stamp, long permits) {
    if (permits <= 0) {
      return 0;
    }
    long together = permits;
    for (GiveBack each : backs) {
      together += each.stamp() == stamp ? each.permits() : 0;
    }
    backs.removeIf(each -> each.stamp() == stamp);
    backs.addLast(new GiveBack(stamp, together));
    return backs.size() > MOST ? backs.removeFirst().permits() : 0;
  }

  boolean isEmpty() {
    return backs.isEmpty();
  }

  /** All of it, to be sent once. */
  List<GiveBack> take() {
    if (backs.isEmpty()) {
      return List.of();
    }
    List<GiveBack> all = List.copyOf(backs);
    backs.clear();
    return all;
  }
}
