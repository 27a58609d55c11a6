package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.store.Grant;
import java.util.Optional;

/**
 * A request that waits for the store.
 *
 * <p>Needs the lock of the bucket that it waits for.
 */
final class WaitingRequest {
  private final Acquisition acquisition;
  private final int index;
  private final BucketRequest request;
  private final long since;
  private int tries;
  private long claim;

  WaitingRequest(Acquisition acquisition, int index, long since) {
    this.acquisition = acquisition;
    this.index = index;
    this.request = acquisition.request(index);
    this.since = since;
  }

  BucketRequest request() {
    return request;
  }

  long since() {
    return since;
  }

  void noteClaim(long number) {
    tries++;
    claim = number;
  }

  /** Returns the number of the last claim that was sent for it; 0 if none was. */
  long claim() {
    return claim;
  }

  /** Returns the number of claims that it has been part of. */
  int tries() {
    return tries;
  }

  void answer(Grant grant, AfterUnlock after) {
    add(() -> acquisition.answer(index, Optional.of(grant)), after);
  }

  void fail(AfterUnlock after) {
    add(() -> acquisition.answer(index, Optional.empty()), after);
  }

  private void add(Runnable answer, AfterUnlock after) {
    if (acquisition.onlyWakes()) {
      after.addWake(answer);
    } else {
      after.add(answer);
    }
  }
}
