package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.channel.WaitingThread;
import io.weir.internal.writeback.clock.NodeClock;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Collects the answers to the bucket requests of one request, some of which wait for the store.
 *
 * <p>Permits of one may expire while another waits. A request is admitted when all are answered, so
 * permits of a slot that has ended by then don't count: they are acquired once more.
 *
 * <p>Safe for concurrent use; each index is answered once.
 */
final class Acquisition {
  private static final int MAX_ROUNDS = 6;

  private final List<BucketRequest> requests;
  private final Renewer renewer;
  private final @Nullable WaitingThread caller;
  private final List<Optional<Grant>> answers;
  private final long[] ends;
  private final AtomicInteger open;
  private int rounds;
  private final CompletableFuture<List<Optional<Grant>>> result = new CompletableFuture<>();

  /** Acquires expired permits once more. */
  interface Renewer {
    /** Returns this node's time. */
    long now();

    /** Gives back the permits of a bucket request, and answers it once more. */
    void renew(Acquisition acquisition, int index, Grant ended);
  }

  /**
   * Begins with nothing answered.
   *
   * @param caller the thread that waits for it and meanwhile talks to the store; null for none
   */
  Acquisition(List<BucketRequest> requests, Renewer renewer, @Nullable WaitingThread caller) {
    this.requests = requests;
    this.renewer = renewer;
    this.caller = caller;
    this.answers = new ArrayList<>(Collections.nCopies(requests.size(), Optional.empty()));
    this.ends = new long[requests.size()];
    this.open = new AtomicInteger(requests.size());
  }

  /** Returns whether answering a bucket request only wakes the thread that waits for it. */
  boolean onlyWakes() {
    return caller != null && requests.size() == 1;
  }

  List<BucketRequest> requests() {
    return requests;
  }

  BucketRequest request(int index) {
    return requests.get(index);
  }

  /** Answers a bucket request with something that doesn't expire. */
  void answer(int index, Optional<Grant> answer) {
    answer(index, answer, NodeClock.NEVER);
  }

  /** Answers a bucket request with permits that may be spent until a time. */
  void answer(int index, Optional<Grant> answer, long endsAt) {
    answers.set(index, answer);
    ends[index] = endsAt;
    // Each index is written by one thread; the counter publishes it to the thread that finishes.
    if (open.decrementAndGet() == 0) {
      finish();
    }
  }

  private void finish() {
    List<Integer> ended = requests.size() > 1 ? ended(renewer.now()) : List.of();
    boolean givesUp = ++rounds > MAX_ROUNDS; // slots are too short for this store
    if (givesUp) {
      ended.forEach(index -> answers.set(index, Optional.empty()));
    }
    if (ended.isEmpty() || givesUp) {
      result.complete(Collections.unmodifiableList(answers));
      if (caller != null) {
        caller.done();
      }
      return;
    }
    open.set(ended.size());
    ended.forEach(index -> renewer.renew(this, index, answers.get(index).orElseThrow()));
  }

  private List<Integer> ended(long now) {
    List<Integer> ended = new ArrayList<>(0);
    for (int i = 0; i < ends.length; i++) {
      if (now >= ends[i]) {
        ended.add(i);
      }
    }
    return ended;
  }

  CompletableFuture<List<Optional<Grant>>> result() {
    return result;
  }
}
