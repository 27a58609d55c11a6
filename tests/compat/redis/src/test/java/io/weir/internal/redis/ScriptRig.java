package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.compat.redis.RedisServer;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/**
 * The scripts on a real Redis, at a time that the test sets: it is in a key, and the scripts have
 * another line for it.
 *
 * <p>Confine to one thread.
 */
final class ScriptRig implements AutoCloseable {
  private static final String CLOCK = "local time = redis.call('TIME')";
  private static final String END = "(due - due % 1000) / 1000 + 2";
  private static final String NOW = "wall[1] * 1000 + math.floor(wall[2] / 1000)";

  final String prefix = RedisServer.prefix();
  final BucketKeyEncoder keys = new BucketKeyEncoder(prefix, "a secret");
  final Jedis jedis = new Jedis(URI.create(RedisServer.shared()));
  private final String clockKey = prefix + "-clock";
  final Scripts scripts;

  private ScriptRig(UnaryOperator<String> change) {
    scripts = new Scripts(text -> replace(change.apply(text), CLOCK, clockLine()));
    for (BucketScript script : BucketScript.values()) {
      byte[] sha = jedis.scriptLoad(scripts.of(script).text());
      assertEquals(text(scripts.of(script).sha()), text(sha), "the name that Redis gives");
    }
  }

  /** Keys live as long as they do in earnest, by the time of day. */
  static ScriptRig withLifetimes() {
    return new ScriptRig(
        text -> replace(text, END, "math.floor((due - clock) / 1000) + 2 + " + NOW));
  }

  /** Keys outlive the test, so that time may pass slower in it than outside. */
  static ScriptRig withoutLifetimes() {
    return new ScriptRig(text -> replace(text, END, "3600000 + " + NOW));
  }

  private String clockLine() {
    return "local wall = redis.call('TIME') "
        + "local time = {0, redis.call('GET', '"
        + clockKey
        + "')}";
  }

  static String replace(String text, String line, String other) {
    assertNotEquals(text, text.replace(line, other), "no such line: " + line);
    return text.replace(line, other);
  }

  void setClock(long micros) {
    jedis.set(clockKey, Long.toString(micros));
  }

  /** A claim and its time. */
  record Moment(long micros, List<Claim> claims) {
    Moment(long micros, Claim claim) {
      this(micros, List.of(claim));
    }
  }

  Grant execute(long micros, Claim claim) {
    return execute(List.of(new Moment(micros, claim)), 1).get(0);
  }

  /** Asks everything, one after the other, with so many claims a call. */
  List<Grant> execute(List<Moment> moments, int mostKeys) {
    List<ScriptCall> calls = new ArrayList<>();
    List<Response<Object>> replies = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    try (Pipeline pipeline = jedis.pipelined()) {
      for (int i = 0; i < moments.size(); i++) {
        pipeline.set(clockKey, Long.toString(moments.get(i).micros()));
        for (ScriptCall call : ScriptCall.of(moments.get(i).claims(), keys, mostKeys)) {
          calls.add(call);
          owners.add(i);
          replies.add(pipeline.evalsha(scripts.of(call.script()).sha(), call.keys(), call.args()));
        }
      }
    }
    List<List<Optional<Grant>>> grants = new ArrayList<>();
    moments.forEach(moment -> grants.add(unanswered(moment.claims().size())));
    List<String> errors = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).read(replies.get(i).get(), grants.get(owners.get(i)), errors::add);
    }
    assertEquals(List.of(), errors);
    return grants.stream().flatMap(List::stream).map(Optional::orElseThrow).toList();
  }

  /** Asks in one call, whatever time it is. */
  List<Optional<Grant>> ask(List<Claim> claims, List<String> errors) {
    setClock(1_700_000_040_000_000L);
    List<Optional<Grant>> grants = unanswered(claims.size());
    for (ScriptCall call : ScriptCall.of(claims, keys, claims.size())) {
      Object reply = jedis.evalsha(scripts.of(call.script()).sha(), call.keys(), call.args());
      call.read(reply, grants, errors::add);
    }
    return grants;
  }

  static List<Optional<Grant>> unanswered(int claims) {
    return new ArrayList<>(Collections.nCopies(claims, Optional.empty()));
  }

  /** Microseconds until Redis forgets a bucket; negative if never, or if it doesn't know it. */
  long lifetime(BucketId bucket) {
    return jedis.pttl(keys.of(bucket)) * 1_000;
  }

  /** Lets a bucket grow older, as Redis doesn't know of the time that the test sets. */
  void age(BucketId bucket, long micros) {
    byte[] key = keys.of(bucket);
    long left = jedis.pttl(key) - micros / 1_000;
    if (left > 0) {
      jedis.pexpire(key, left);
    } else {
      jedis.del(key);
    }
  }

  /** The stored value of a bucket. */
  byte[] value(BucketId bucket) {
    return jedis.get(keys.of(bucket));
  }

  /** The number of bytes of a bucket, without those of its key. */
  long memory(BucketId bucket) {
    byte[] key = keys.of(bucket);
    return jedis.memoryUsage(key) - key.length;
  }

  /** The time by which Redis forgets keys. */
  long micros() {
    List<String> time = jedis.time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  boolean exists(BucketId bucket) {
    return jedis.exists(keys.of(bucket));
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    jedis.close();
  }
}
