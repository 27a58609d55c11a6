package io.weir.internal.writeback;

import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done once no lock is held any more: others' code, which may come back at once.
 *
 * <p>Confine to one thread.
 */
final class AfterUnlock {
  private final List<Runnable> all = new ArrayList<>();

  void add(Runnable step) {
    all.add(step);
  }

  void answer(WaitingRequest waiter, Optional<Grant> answer) {
    answer(waiter, answer, NodeClock.NEVER);
  }

  /** Answers with permits that may be spent until a time. */
  void answer(WaitingRequest waiter, Optional<Grant> answer, long endsAt) {
    all.add(() -> waiter.answer(answer, endsAt));
  }

  /** Does it, in order. */
  void run() {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).run();
    }
    all.clear();
  }
}
