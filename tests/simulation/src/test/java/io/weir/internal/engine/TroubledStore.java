package io.weir.internal.engine;

import io.weir.Ticker;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store with a fault that the test switches on and off; counts correctly while healthy. */
final class TroubledStore implements PermitStore {
  enum Trouble {
    NONE,
    THROWS,
    ANSWERS_NULL,
    FAILS,
    ANSWERS_TOO_LITTLE,
    STALLS,
    STALLS_AFTER_EXECUTING
  }

  private final PermitStore healthy;
  private final List<Runnable> held = new ArrayList<>();
  volatile Trouble trouble = Trouble.NONE;
  volatile List<Claim> last = List.of();
  int closes;

  TroubledStore(Ticker ticker) {
    this.healthy = new InProcessStore(ticker, 1_000);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    last = claims;
    return switch (trouble) {
      case NONE -> healthy.execute(claims);
      case THROWS -> throw new IllegalStateException("thrown");
      case ANSWERS_NULL -> CompletableFuture.completedFuture(null);
      case FAILS -> CompletableFuture.failedFuture(new IllegalStateException("failed"));
      case ANSWERS_TOO_LITTLE ->
          healthy.execute(claims).thenApply(all -> all.subList(0, all.size() - 1));
      case STALLS -> new CompletableFuture<>();
      case STALLS_AFTER_EXECUTING -> hold(claims);
    };
  }

  private CompletionStage<List<Optional<Grant>>> hold(List<Claim> claims) {
    List<Optional<Grant>> grants = healthy.execute(claims).toCompletableFuture().join();
    CompletableFuture<List<Optional<Grant>>> answer = new CompletableFuture<>();
    held.add(() -> answer.complete(grants));
    return answer;
  }

  /** Lets the answers that were held through. */
  void release() {
    held.forEach(Runnable::run);
    held.clear();
  }

  @Override
  public long size() {
    return healthy.size();
  }

  @Override
  public void close() {
    closes++;
    healthy.close();
  }
}
