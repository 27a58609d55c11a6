package io.weir.testkit.cluster;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connects one node to the shared store through the network, with a time-out of twice what a
 * decision may wait.
 *
 * <p>Confine to one thread.
 */
final class StoreLink implements LeasingStore, Node.Link {
  private final Node node;
  private final SimulatedStore store;
  private final Network network;
  private final VirtualTime time;
  private final long timeout;
  private final Map<Integer, Epoch> epochs = new HashMap<>();
  private final Map<Integer, Integer> asked = new HashMap<>();
  private int open;
  private boolean direct;

  StoreLink(Node node, SimulatedStore store, Network network, VirtualTime time, long timeout) {
    this.node = node;
    this.store = store;
    this.network = network;
    this.time = time;
    this.timeout = timeout;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    claims.forEach(node.ledger()::sent);
    int partition = claims.isEmpty() ? 0 : partition(claims.get(0).bucket());
    long sent = time.now();
    long[] executed = {0};
    return call(
        partition,
        () -> {
          executed[0] = time.now();
          return executeAll(claims);
        },
        grants -> deliver(claims, grants, sent, executed[0]));
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    int number = asked.merge(partition, 1, Integer::sum);
    return call(
        partition,
        () -> store.epoch(partition, known).toCompletableFuture().join(),
        told -> learn(partition, told, number));
  }

  // A late answer counts no more when the node has asked again.
  private void learn(int partition, Epoch told, int number) {
    if (number == asked.getOrDefault(partition, 0)) {
      node.knows(partition, told.wiped(), time.now());
      epochs.put(partition, told);
    }
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    claims.forEach(node.ledger()::sent);
    long sent = time.now();
    long[] executed = {0};
    return call(
            partition,
            () -> {
              executed[0] = time.now();
              return executeIf(store.isOf(partition, epoch), claims);
            },
            grants -> {
              if (grants.isPresent() && epoch.is(epochs.getOrDefault(partition, epoch))) {
                deliver(claims, grants.get(), sent, executed[0]);
              }
            })
        .thenApply(grants -> grants.orElseThrow(DataLossException::new));
  }

  // As in a cluster, where nothing keeps claims from being executed by other data.
  private Optional<List<Optional<Grant>>> executeIf(boolean known, List<Claim> claims) {
    if (known || network.chance(0.5)) {
      List<Optional<Grant>> grants = executeAll(claims);
      return known ? Optional.of(grants) : Optional.empty();
    }
    return Optional.empty();
  }

  private List<Optional<Grant>> executeAll(List<Claim> claims) {
    List<Optional<Grant>> grants = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      boolean fails = network.claimFails();
      if (fails && network.chance(0.5)) {
        grants.add(Optional.empty());
      } else {
        Grant grant = store.execute(claim);
        grants.add(fails ? Optional.empty() : Optional.of(grant));
      }
    }
    return grants;
  }

  private void deliver(List<Claim> claims, List<Optional<Grant>> grants, long sent, long executed) {
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      grants
          .get(i)
          .ifPresent(
              grant -> {
                node.ledger().delivered(claim, grant, sent, executed);
                node.ledger().told(claim, time.now());
              });
    }
  }

  @Override
  public CompletionStage<Membership> heartbeat(String name) {
    return call(
        0,
        () -> store.heartbeat(name).toCompletableFuture().join(),
        membership -> node.knows(membership.live()));
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return call(partition(bucket), () -> store.forget(bucket), forgotten -> {});
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    return call(0, () -> store.mark(own).toCompletableFuture().join(), kept -> {});
  }

  @Override
  public CompletionStage<?> leave(String name) {
    return call(0, () -> store.leave(name), left -> {});
  }

  @Override
  public boolean isIdle() {
    return open == 0;
  }

  @Override
  public void answerAtOnce() {
    direct = true;
  }

  private <T> CompletionStage<T> call(int partition, Supplier<T> remote, Consumer<T> received) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    if (direct) {
      return directly(partition, reply, remote, received);
    }
    open++;
    if (network.refuses(node, partition)) {
      fails(reply, network.delay(), "connection refused");
      return reply;
    }
    fails(reply, timeout, "no answer");
    network.send(
        node,
        partition,
        () -> {
          T answer = remote.get();
          network.send(node, partition, () -> node.execute(() -> receive(reply, answer, received)));
        });
    return reply;
  }

  private <T> CompletionStage<T> directly(
      int partition, CompletableFuture<T> reply, Supplier<T> remote, Consumer<T> received) {
    if (network.reaches(node, partition)) {
      T answer = remote.get();
      received.accept(answer);
      reply.complete(answer);
    } else {
      reply.completeExceptionally(new IOException("no connection"));
    }
    return reply;
  }

  private <T> void receive(CompletableFuture<T> reply, T answer, Consumer<T> received) {
    if (!reply.isDone()) {
      open--;
      received.accept(answer);
      reply.complete(answer);
    }
  }

  private void fail(CompletableFuture<?> reply, String why) {
    if (!reply.isDone()) {
      open--;
      reply.completeExceptionally(new IOException(why));
    }
  }

  private void fails(CompletableFuture<?> reply, long micros, String why) {
    time.after(
        micros,
        () -> {
          if (!reply.isDone()) {
            node.execute(() -> fail(reply, why));
          }
        });
  }

  @Override
  public boolean grantsFarLeases() {
    return store.grantsFarLeases();
  }

  @Override
  public long minLifeMicros() {
    return store.minLifeMicros();
  }

  @Override
  public int partition(BucketId bucket) {
    return store.partition(bucket);
  }

  @Override
  public Set<Algorithm> algorithms() {
    return store.algorithms();
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return store.counts(spec);
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}
}
