package io.weir.internal.writeback;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A store of one partition that grants nothing and answers when the test says so. */
public final class ToldStore implements LeasingStore {
  private static final Grant NOTHING = Grant.refused(0, 0, 0);

  private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final AtomicInteger epochs = new AtomicInteger();

  /** Answers the call that has waited longest; returns false if none waits. */
  public boolean answer() {
    Runnable first = asked.poll();
    if (first != null) {
      first.run();
    }
    return first != null;
  }

  /** The number of times that it was asked for its epoch, which differs each time. */
  public int epochs() {
    return epochs.get();
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    Epoch next = new Epoch("" + epochs.incrementAndGet(), 0, 0, false);
    return new Later<>(next);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return new Later<>(claims.stream().map(any -> Optional.of(NOTHING)).toList());
  }

  @Override
  public long minLifeMicros() {
    return HandStore.MIN_LIFE;
  }

  @Override
  public int partition(BucketId bucket) {
    return 0;
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<?> leave(String node) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}

  /** An answer, without all that is in a future: of which each step would be watched. */
  private final class Later<T> extends CompletableFuture<T> {
    private final T answer;

    Later(T answer) {
      this.answer = answer;
    }

    @Override
    public CompletableFuture<T> whenComplete(
        BiConsumer<? super T, ? super @Nullable Throwable> heard) {
      asked.add(() -> heard.accept(answer, null));
      return this;
    }
  }
}
