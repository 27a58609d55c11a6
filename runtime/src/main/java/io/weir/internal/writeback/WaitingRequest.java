package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.store.Grant;
import java.util.Optional;

/**
 * A wish that waits for the store.
 *
 * <p>Needs the lock of the entry that it waits at.
 */
final class WaitingRequest {
  private final Acquisition taking;
  private final int index;
  private final BucketRequest wish;
  private final long since;
  private int tries;

  WaitingRequest(Acquisition taking, int index, long since) {
    this.taking = taking;
    this.index = index;
    this.wish = taking.wish(index);
    this.since = since;
  }

  BucketRequest wish() {
    return wish;
  }

  long since() {
    return since;
  }

  void tried() {
    tries++;
  }

  int tries() {
    return tries;
  }

  /** Must be called without a lock, since whoever waits goes on in here. */
  void answer(Optional<Grant> answer, long endsAt) {
    taking.answer(index, answer, endsAt);
  }
}
