package io.weir.redis;

import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script: the claims it executes, as keys and arguments, one of each for each claim.
 *
 * <p>Immutable.
 */
final class ScriptCall {
  private final Script script;
  private final List<Integer> claims = new ArrayList<>();
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> args = new ArrayList<>();

  private ScriptCall(Script script) {
    this.script = script;
  }

  /**
   * Packs claims into calls. Claims of one bucket are executed in their order if the calls are sent
   * in theirs, over one connection.
   *
   * @param claims any number, also several of one bucket
   * @param keys what each bucket is called in Redis
   * @param mostKeys how many claims a call may execute, 1 and more; 1 where keys live apart
   * @return as few calls as that allows
   */
  static List<ScriptCall> of(List<Claim> claims, BucketKeys keys, int mostKeys) {
    List<ScriptCall> calls = new ArrayList<>();
    Map<Script, ScriptCall> open = new EnumMap<>(Script.class);
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Script script = Script.of(claim.bucket().shape().algorithm());
      ScriptCall call = open.get(script);
      if (call == null || call.keys.size() >= mostKeys) {
        call = new ScriptCall(script);
        open.put(script, call);
        calls.add(call);
      }
      call.add(i, claim, keys);
    }
    return calls;
  }

  private void add(int index, Claim claim, BucketKeys bucketKeys) {
    Bucket bucket = claim.bucket();
    claims.add(index);
    keys.add(bucketKeys.of(bucket));
    args.add(ClaimCodec.encode(claim));
  }

  /** What is called. */
  Script script() {
    return script;
  }

  /** The {@code KEYS}, one for each claim. */
  List<byte[]> keys() {
    return keys;
  }

  /** The {@code ARGV}, one for each claim. */
  List<byte[]> args() {
    return args;
  }

  /** Which claims of the settle these are, in the order of keys, args and answers. */
  List<Integer> claims() {
    return claims;
  }

  /**
   * Reads what Redis answered.
   *
   * @param reply the script's answer as Jedis hands it out: a list of numbers, and of byte arrays
   *     for texts
   * @param into a list as long as the settle's claims, where the grants of this call are set;
   *     claims that failed keep what is there
   * @param errors told the text of each error that a single claim came to, such as {@code OOM …} or
   *     {@code WRONGTYPE …}; and one of its own for a reply that can't be read
   */
  void read(@Nullable Object reply, List<Optional<Grant>> into, Consumer<String> errors) {
    if (!(reply instanceof List<?> answers)
        || answers.size() != claims.size() * ClaimCodec.GRANT_NUMBERS) {
      errors.accept("unexpected answer of the script " + script.resource());
      return;
    }
    for (int i = 0; i < claims.size(); i++) {
      int from = i * ClaimCodec.GRANT_NUMBERS;
      if (answers.get(from) instanceof byte[] trouble) {
        errors.accept(new String(trouble, StandardCharsets.UTF_8));
      } else {
        into.set(claims.get(i), Optional.of(ClaimCodec.grant(answers, from)));
      }
    }
  }
}
