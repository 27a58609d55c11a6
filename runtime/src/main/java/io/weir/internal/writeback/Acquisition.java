package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The wishes of one request, some of which wait for the store; answered together.
 *
 * <p>What one wish got may end while another still waits. A request is admitted when all of its
 * wishes are answered, so permits of a slot that has ended by then don't count: they are taken
 * anew.
 *
 * <p>Safe for concurrent use; each wish is answered once.
 */
final class Acquisition {
  private static final int MOST_ROUNDS = 6;

  private final List<BucketRequest> wishes;
  private final Again again;
  private final List<Optional<Grant>> answers;
  private final long[] ends;
  private final AtomicInteger open;
  private int rounds;
  private final CompletableFuture<List<Optional<Grant>>> result = new CompletableFuture<>();

  /** Takes anew what has ended. */
  interface Again {
    /** The time. */
    long now();

    /** Gives back what a wish got, and answers it once more. */
    void take(Acquisition taking, int index, Grant ended);
  }

  Acquisition(List<BucketRequest> wishes, Again again) {
    this.wishes = wishes;
    this.again = again;
    this.answers = new ArrayList<>(Collections.nCopies(wishes.size(), Optional.empty()));
    this.ends = new long[wishes.size()];
    this.open = new AtomicInteger(wishes.size());
  }

  List<BucketRequest> wishes() {
    return wishes;
  }

  BucketRequest wish(int index) {
    return wishes.get(index);
  }

  /** Answers a wish, by something that doesn't end. */
  void answer(int index, Optional<Grant> answer) {
    answer(index, answer, NodeClock.NEVER);
  }

  /** Answers a wish, by permits that may be spent until a time. */
  void answer(int index, Optional<Grant> answer, long endsAt) {
    answers.set(index, answer);
    ends[index] = endsAt;
    // Each index is written by one thread; the count passes what was written on to the last one.
    if (open.decrementAndGet() == 0) {
      finish();
    }
  }

  private void finish() {
    List<Integer> ended = wishes.size() > 1 ? ended(again.now()) : List.of();
    boolean givesUp = ++rounds > MOST_ROUNDS; // slots are too short for this store
    if (givesUp) {
      ended.forEach(index -> answers.set(index, Optional.empty()));
    }
    if (ended.isEmpty() || givesUp) {
      result.complete(Collections.unmodifiableList(answers));
      return;
    }
    open.set(ended.size());
    ended.forEach(index -> again.take(this, index, answers.get(index).orElseThrow()));
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
