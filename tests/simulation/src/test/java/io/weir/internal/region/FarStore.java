package io.weir.internal.region;

import io.weir.simulation.ForwardingStore;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Reaches a store over a link of some length, which may lose calls, lose answers, or refuse. A call
 * that isn't answered fails after two seconds, as real ones do.
 */
final class FarStore extends ForwardingStore {
  private static final long COMMAND_TIMEOUT = 2_000_000;

  private final VirtualTime time;
  final List<List<Claim>> batches = new ArrayList<>();
  int lookUps;
  long delay = 50_000;
  long batchTakesLonger;
  boolean losesCalls;
  boolean losesAnswers;
  boolean refuses;
  Throwable failure = new IOException("connection refused");
  boolean isClosed;

  /** The batches that fail although the store answers others. */
  Predicate<List<Claim>> fails = any -> false;

  /** The claims that are executed, but alone not answered. */
  Predicate<Claim> unsure = any -> false;

  /** The buckets of a part that stands still, so that only the end of a call says so. */
  Predicate<BucketId> still = any -> false;

  FarStore(LeasingStore store, VirtualTime time) {
    super(store);
    this.time = time;
  }

  /** Returns the debts that were sent, batch by batch; 0 where one was a sign of life. */
  List<Long> debts() {
    return batches.stream().map(each -> each.stream().mapToLong(Claim::debt).sum()).toList();
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    batches.add(claims);
    if (fails.test(claims)) {
      return CompletableFuture.failedStage(failure);
    }
    Supplier<CompletionStage<List<Optional<Grant>>>> executed =
        () ->
            claims.stream().noneMatch(each -> still.test(each.bucket()))
                ? super.execute(claims).thenApply(grants -> sure(claims, grants))
                : executeSome(claims);
    boolean waits = claims.stream().anyMatch(each -> still.test(each.bucket()));
    return call(executed, delay + (waits ? COMMAND_TIMEOUT - 2 * delay - 1 : batchTakesLonger));
  }

  @Override
  public int partition(BucketId bucket) {
    return still.test(bucket) ? 1 : 0;
  }

  private CompletionStage<List<Optional<Grant>>> executeSome(List<Claim> claims) {
    List<Optional<Grant>> grants = new ArrayList<>();
    for (Claim each : claims) {
      grants.add(
          still.test(each.bucket())
              ? Optional.empty()
              : super.execute(List.of(each)).toCompletableFuture().join().get(0));
    }
    return CompletableFuture.completedStage(grants);
  }

  private List<Optional<Grant>> sure(List<Claim> claims, List<Optional<Grant>> grants) {
    List<Optional<Grant>> sure = new ArrayList<>();
    for (int at = 0; at < claims.size(); at++) {
      sure.add(unsure.test(claims.get(at)) ? Optional.empty() : grants.get(at));
    }
    return sure;
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    lookUps++;
    return call(() -> super.mark(own), delay);
  }

  private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> remote, long back) {
    if (refuses) {
      return CompletableFuture.failedStage(failure);
    }
    CompletableFuture<T> reply = new CompletableFuture<>();
    if (!losesCalls) {
      time.after(delay, () -> answer(reply, remote.get(), back));
    }
    time.after(COMMAND_TIMEOUT, () -> reply.completeExceptionally(new IOException("no answer")));
    return reply;
  }

  private <T> void answer(CompletableFuture<T> reply, CompletionStage<T> answer, long back) {
    if (!losesAnswers) {
      time.after(back, () -> reply.complete(answer.toCompletableFuture().join()));
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
