package io.weir.testkit.mutants;

import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store that can be switched for one node, the first one: on, away, or to answer oddly.
 *
 * <p>Confine to one thread.
 */
final class Switch {
  /** The behaviours of the store. */
  enum Position {
    ON,
    /** No message arrives there, and no error is returned. */
    AWAY,
    /** Executes everything, but no answer comes back. */
    SILENT,
    /** Throws at once what no store should throw. */
    ODD,
    /** Claims don't arrive before {@link #release}. */
    CALLS_HELD,
    /** Answers don't come back before {@link #release}. */
    ANSWERS_HELD,
    /** The same, but only for claims. */
    GRANTS_HELD
  }

  private Position position = Position.ON;
  private final List<Runnable> held = new ArrayList<>();
  private boolean first = true;

  /** Stands between a node and the store. */
  LeasingStore before(LeasingStore store) {
    boolean switched = first;
    first = false;
    return switched ? new Switched(store) : store;
  }

  void to(Position next) {
    position = next;
  }

  /** Switches on, and lets go what was held. */
  void release() {
    position = Position.ON;
    List<Runnable> all = List.copyOf(held);
    held.clear();
    all.forEach(Runnable::run);
  }

  private final class Switched extends ForwardingStore {
    Switched(LeasingStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return call(() -> super.execute(claims), true);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      return call(() -> super.execute(partition, epoch, claims), true);
    }

    @Override
    public CompletionStage<Epoch> epoch(int partition, Epoch known) {
      return call(() -> super.epoch(partition, known), false);
    }

    @Override
    public CompletionStage<Membership> heartbeat(String node) {
      return call(() -> super.heartbeat(node), false);
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> real, boolean claims) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      switch (position) {
        case ON -> pass(real.get(), answer);
        case AWAY -> {}
        case SILENT -> real.get();
        case ODD -> throw new UnsupportedOperationException("an odd error");
        case CALLS_HELD -> held.add(() -> pass(real.get(), answer));
        case GRANTS_HELD -> {
          if (claims) {
            real.get().whenComplete((value, failure) -> hold(value, answer));
          } else {
            pass(real.get(), answer);
          }
        }
        case ANSWERS_HELD -> real.get().whenComplete((value, failure) -> hold(value, answer));
      }
      return answer;
    }

    private <T> void hold(T value, CompletableFuture<T> answer) {
      held.add(() -> answer.complete(value));
    }

    private <T> void pass(CompletionStage<T> from, CompletableFuture<T> to) {
      from.whenComplete(
          (value, failure) -> {
            if (failure == null) {
              to.complete(value);
            } else {
              to.completeExceptionally(failure);
            }
          });
    }
  }
}
