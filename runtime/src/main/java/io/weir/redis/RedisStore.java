package io.weir.redis;

import io.weir.Ticker;
import io.weir.redis.link.Call;
import io.weir.redis.link.Failure;
import io.weir.redis.link.Links;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.store.OtherEpochException;
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
  private final Neighbours neighbours;
  private final Epochs epochs;

  RedisStore(Links links, BucketKeys keys, Scripts scripts, Alarms alarms, Ticker ticker) {
    this.links = links;
    this.keys = keys;
    this.scripts = scripts;
    this.alarms = alarms;
    this.nodes = new Nodes(links, keys.named("nodes"), ticker);
    this.eviction = new Eviction(links);
    this.neighbours = new Neighbours(links, keys);
    this.epochs = new Epochs(links, keys);
  }

  @Override
  public String describe() {
    return links.describe();
  }

  @Override
  public long minLifeMicros() {
    return Scripts.MIN_LIFE_MICROS;
  }

  @Override
  public CompletionStage<?> connect() {
    return links
        .connect(this::failed)
        .thenAccept(
            failure -> {
              if (failure.isPresent()) {
                throw new StoreAwayException(failure.get());
              }
            });
  }

  @Override
  public int lane(Bucket bucket) {
    return links.spread() ? links.lane(keys.of(bucket)) : 0;
  }

  @Override
  public CompletionStage<Epoch> epoch(int lane, Epoch known) {
    Epochs.Question asked = epochs.ask(lane, known);
    return links
        .send(lane, List.of(asked.call()))
        .thenApply(
            any -> {
              Optional<Failure> failure = asked.call().failure();
              if (failure.isPresent()) {
                failed(lane, failure.get());
                throw new StoreAwayException(failure.get());
              }
              return asked.answer();
            });
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    return settle(claims, Optional.empty(), Map.of());
  }

  /**
   * A Redis that is alone looks at its epoch in the very call that executes the claims. In a
   * cluster a call can only have keys of one slot, so the epoch is asked for in the end, over the
   * same connection: if it is the same one then, it was while the claims were executed.
   */
  @Override
  public CompletionStage<List<Optional<Grant>>> settle(int lane, Epoch epoch, List<Claim> claims) {
    Optional<EpochToken> token = epochs.token(lane, epoch);
    return token.isPresent() && links.spread()
        ? settle(claims, Optional.empty(), Map.of(lane, epoch))
        : settle(claims, token, Map.of());
  }

  private CompletionStage<List<Optional<Grant>>> settle(
      List<Claim> claims, Optional<EpochToken> named, Map<Integer, Epoch> asked) {
    Map<Integer, List<ScriptCall>> byLane = new LinkedHashMap<>();
    int mostKeys = links.spread() ? 1 : MOST_CLAIMS;
    for (ScriptCall call : ScriptCall.of(claims, keys, mostKeys, named)) {
      int lane = links.lane(call.keys().get(0));
      byLane.computeIfAbsent(lane, any -> new ArrayList<>()).add(call);
    }
    Settlement settlement = new Settlement(claims.size());
    List<CompletableFuture<?>> parts = new ArrayList<>();
    byLane.forEach(
        (lane, calls) -> {
          Optional<Epoch> known = Optional.ofNullable(asked.get(lane));
          parts.add(send(lane, calls, known, settlement).toCompletableFuture());
        });
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(any -> settlement.answers());
  }

  private CompletionStage<?> send(
      int lane, List<ScriptCall> calls, Optional<Epoch> known, Settlement settlement) {
    Optional<Epochs.Question> last = known.map(epoch -> epochs.ask(lane, epoch));
    List<Call> sent = new ArrayList<>(calls.size() + 1);
    calls.forEach(each -> sent.add(call(each.script(), each.keys(), each.args())));
    last.ifPresent(question -> sent.add(question.call()));
    return links
        .send(lane, sent)
        .thenRun(
            () -> {
              for (int i = 0; i < calls.size(); i++) {
                read(lane, calls.get(i), sent.get(i), settlement);
              }
              last.ifPresent(question -> compare(lane, question, settlement));
            });
  }

  private void compare(int lane, Epochs.Question last, Settlement settlement) {
    Optional<Failure> failure = last.call().failure();
    if (failure.isPresent()) {
      failed(lane, failure.get());
      settlement.unsure = failure;
    } else if (!last.confirms()) {
      settlement.otherData = true;
    }
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
    if (call.isOfOtherData(sent.reply())) {
      settlement.otherData = true;
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
    SafeLog.tell(() -> alarms.failed(why));
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    links.poll();
    return nodes
        .heartbeat(node, this::failed)
        .thenApply(
            membership -> {
              eviction.beat();
              neighbours.beat(node);
              return membership;
            });
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return nodes.leave(node, this::failed).thenCombine(neighbours.leave(node), (gone, too) -> gone);
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
    private volatile Optional<Failure> unsure = Optional.empty();
    private volatile boolean otherData;

    Settlement(int claims) {
      grants = new ArrayList<>(java.util.Collections.nCopies(claims, Optional.empty()));
    }

    void failed(Failure why) {
      if (!why.trouble().ofOneKey()) {
        whole = Optional.of(why);
      }
    }

    List<Optional<Grant>> answers() {
      if (otherData) {
        throw new OtherEpochException();
      }
      if (unsure.isPresent()) {
        throw new StoreAwayException(unsure.get()); // of which data the answers are
      }
      boolean granted = grants.stream().anyMatch(Optional::isPresent);
      if (granted) {
        SafeLog.tell(alarms::answered);
      } else if (whole.isPresent()) {
        throw new StoreAwayException(whole.get());
      }
      return grants;
    }
  }
}
