package io.weir.redis;

import io.weir.Ticker;
import io.weir.redis.link.Call;
import io.weir.redis.link.Failure;
import io.weir.redis.link.Links;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The store in a Redis that several nodes share: alone, behind sentinels, or a cluster.
 *
 * <p>Claims are sent as calls of scripts, many at a time, from threads of its own; a lane is a
 * master. What may have been executed is never sent again. A settle fails as a whole where Redis
 * isn't reached, or refuses everything; a claim fails alone where its key is at fault or its master
 * is away. What somebody has to mend is said in the log, once.
 *
 * <p>Safe for concurrent use.
 */
final class RedisStore implements LeasingStore {
  /** So that others who ask Redis needn't wait long for a script to end. */
  private static final int MOST_CLAIMS = 64;

  private final Links links;
  private final BucketKeys keys;
  private final Scripts scripts;
  private final Alarms alarms;
  private final Nodes nodes;
  private final Eviction eviction;

  RedisStore(Links links, BucketKeys keys, Scripts scripts, Alarms alarms, Ticker ticker) {
    this.links = links;
    this.keys = keys;
    this.scripts = scripts;
    this.alarms = alarms;
    this.nodes = new Nodes(links, keys.named("nodes"), ticker);
    this.eviction = new Eviction(links);
  }

  @Override
  public long minLifeMicros() {
    return Scripts.MIN_LIFE_MICROS;
  }

  @Override
  public int lane(Bucket bucket) {
    return links.spread() ? links.lane(keys.of(bucket)) : 0;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    Map<Integer, List<ScriptCall>> byLane = new LinkedHashMap<>();
    for (ScriptCall call : ScriptCall.of(claims, keys, links.spread() ? 1 : MOST_CLAIMS)) {
      int lane = links.lane(call.keys().get(0));
      byLane.computeIfAbsent(lane, any -> new ArrayList<>()).add(call);
    }
    Settlement settlement = new Settlement(claims.size());
    List<CompletableFuture<?>> parts = new ArrayList<>();
    byLane.forEach((lane, calls) -> parts.add(send(lane, calls, settlement).toCompletableFuture()));
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(any -> settlement.answers());
  }

  private CompletionStage<?> send(int lane, List<ScriptCall> calls, Settlement settlement) {
    List<Call> sent =
        calls.stream().map(each -> call(each.script(), each.keys(), each.args())).toList();
    return links
        .send(lane, sent)
        .thenRun(
            () -> {
              for (int i = 0; i < sent.size(); i++) {
                read(lane, calls.get(i), sent.get(i), settlement);
              }
            });
  }

  private Call call(Script script, List<byte[]> keyNames, List<byte[]> args) {
    return new Call(scripts.sha(script), scripts.text(script), keyNames, args);
  }

  private void read(int lane, ScriptCall call, Call sent, Settlement settlement) {
    if (sent.failure().isPresent()) {
      settlement.whole = sent.failure(); // whatever it is, it wasn't about one key
      failed(lane, sent.failure().get());
      return;
    }
    call.read(
        sent.reply(),
        settlement.grants,
        error -> {
          settlement.failed(Failure.of(error));
          failed(lane, Failure.of(error));
        });
  }

  private void failed(int lane, Failure why) {
    links.met(lane, why.trouble());
    alarms.failed(why);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    links.poll();
    return nodes
        .heartbeat(node, this::failed)
        .thenApply(
            membership -> {
              eviction.beat();
              return membership;
            });
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return nodes.leave(node, this::failed);
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {
    links.close();
  }

  /** What comes of one settle. Lanes write to places of their own. */
  private final class Settlement {
    private final List<Optional<Grant>> grants;
    private volatile Optional<Failure> whole = Optional.empty();

    Settlement(int claims) {
      grants = new ArrayList<>(java.util.Collections.nCopies(claims, Optional.empty()));
    }

    void failed(Failure why) {
      if (!why.trouble().ofOneKey()) {
        whole = Optional.of(why);
      }
    }

    List<Optional<Grant>> answers() {
      boolean granted = grants.stream().anyMatch(Optional::isPresent);
      if (granted) {
        alarms.answered();
      } else if (whole.isPresent()) {
        throw new StoreAwayException(whole.get());
      }
      return grants;
    }
  }
}
