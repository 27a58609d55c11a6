package io.weir.writeback;

import io.weir.store.Grant;
import io.weir.store.Wish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The wishes of one request, some of which wait for the store; answered together.
 *
 * <p>Safe for concurrent use; each wish is answered once.
 */
final class Taking {
  private final List<Wish> wishes;
  private final List<Optional<Grant>> answers;
  private final AtomicInteger open;
  private final CompletableFuture<List<Optional<Grant>>> result = new CompletableFuture<>();

  Taking(List<Wish> wishes) {
    this.wishes = wishes;
    this.answers = new ArrayList<>(Collections.nCopies(wishes.size(), Optional.empty()));
    this.open = new AtomicInteger(wishes.size());
  }

  List<Wish> wishes() {
    return wishes;
  }

  Wish wish(int index) {
    return wishes.get(index);
  }

  // Each index is written by one thread; the count passes what was written on to the last one.
  void answer(int index, Optional<Grant> answer) {
    answers.set(index, answer);
    if (open.decrementAndGet() == 0) {
      result.complete(Collections.unmodifiableList(answers));
    }
  }

  CompletableFuture<List<Optional<Grant>>> result() {
    return result;
  }
}
