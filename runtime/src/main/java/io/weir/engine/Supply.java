package io.weir.engine;

import io.weir.annotation.OnStoreFailure;
import io.weir.store.Grant;
import io.weir.store.PermitSource;
import io.weir.store.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of this node: those of the shared store, and what to decide by while it is away.
 *
 * <p>Safe for concurrent use.
 *
 * @param shared where permits come from
 * @param local this node's own count, for policies that go on by it; always answers at once
 * @param onStoreFailure what a policy does that leaves it to the settings
 * @param outage tells about failures
 */
record Supply(
    PermitSource shared,
    PermitSource local,
    Supplier<OnStoreFailure> onStoreFailure,
    Outage outage) {

  CompletionStage<List<Optional<Grant>>> take(List<Wish> wishes) {
    try {
      return shared.take(wishes);
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  /** What the answers come to; where there is none, what is decided without the store. */
  List<Verdict> verdicts(List<Asked> all, List<Optional<Grant>> answers) {
    List<Verdict> verdicts = new ArrayList<>(all.size());
    int from = 0;
    for (Asked asked : all) {
      int to = from + asked.wishes().size();
      List<Grant> grants = grants(answers.subList(from, to));
      boolean answered = grants.size() == to - from;
      verdicts.add(answered ? asked.verdict(grants, Basis.STORE) : withoutStore(asked));
      from = to;
    }
    return verdicts;
  }

  private static List<Grant> grants(List<Optional<Grant>> answers) {
    List<Grant> grants = new ArrayList<>(answers.size());
    for (Optional<Grant> answer : answers) {
      answer.ifPresent(grants::add);
    }
    return grants;
  }

  Verdict withoutStore(Asked asked) {
    OnStoreFailure policys = asked.ask().policy().onStoreFailure();
    return switch (policys == OnStoreFailure.DEFAULT ? onStoreFailure.get() : policys) {
      case DEFAULT, LOCAL -> locally(asked);
      case OPEN -> asked.open();
      case CLOSED -> asked.closed();
    };
  }

  // A node that can't even count by itself lets the request pass: the limiter is no outage.
  private Verdict locally(Asked asked) {
    try {
      List<Grant> grants =
          grants(local.take(asked.wishes()).toCompletableFuture().getNow(List.of()));
      return grants.isEmpty() ? asked.open() : asked.verdict(grants, Basis.LOCAL);
    } catch (RuntimeException broken) {
      outage.failed(broken);
      return asked.open();
    }
  }

  /** Gives permits back; those that were counted here, here. */
  void giveBack(boolean degraded, Wish wish, long stamp, long permits) {
    try {
      (degraded ? local : shared)
          .giveBack(wish, stamp, permits)
          .whenComplete((done, failure) -> note(failure));
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
    }
  }

  /** Charges the store, or this node's own count if the store can't be reached. */
  void charge(Wish debt) {
    try {
      shared.charge(debt).whenComplete((done, failure) -> charged(debt, failure));
    } catch (RuntimeException | LinkageError broken) {
      charged(debt, broken);
    }
  }

  private void charged(Wish debt, @Nullable Throwable failure) {
    note(failure);
    if (failure != null) {
      local.charge(debt);
    }
  }

  private void note(@Nullable Throwable failure) {
    if (failure != null) {
      outage.failed(failure);
    }
  }

  void close() {
    local.close();
    shared.close();
  }
}
