package io.weir.internal.redis;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script: the claims it executes, each of another bucket.
 *
 * <p>Confine to one thread until it is sent; immutable from then on.
 */
final class ScriptCall {
  private final Script script;
  private final List<Integer> places = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final Set<BucketId> buckets = new HashSet<>();
  private final List<byte[]> keys = new ArrayList<>();
  private final Optional<EpochToken> epoch;

  private ScriptCall(Script script, Optional<EpochToken> epoch) {
    this.script = script;
    this.epoch = epoch;
  }

  /** The same for claims that are executed whatever data there is. */
  static List<ScriptCall> of(List<Claim> claims, BucketKeys keys, int mostKeys) {
    return of(claims, keys, mostKeys, Optional.empty());
  }

  /**
   * Packs claims into calls. Claims of one bucket are executed in their order if the calls are sent
   * in theirs, over one connection.
   *
   * @param claims any number, also several of one bucket
   * @param keys what each bucket is called in Redis
   * @param mostKeys how many claims a call may execute, 1 and more; 1 where keys live apart
   * @param epoch of which data they are, to be executed only there; its key lives with theirs
   * @return as few calls as that allows
   */
  static List<ScriptCall> of(
      List<Claim> claims, BucketKeys keys, int mostKeys, Optional<EpochToken> epoch) {
    List<ScriptCall> calls = new ArrayList<>();
    Map<Script, ScriptCall> open = new EnumMap<>(Script.class);
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Script script = Script.of(claim.bucket().spec().algorithm());
      ScriptCall call = open.get(script);
      if (call == null || call.claims.size() >= mostKeys || call.has(claim)) {
        call = new ScriptCall(script, epoch);
        open.put(script, call);
        calls.add(call);
      }
      call.add(i, claim, keys);
    }
    return calls;
  }

  /** A script reads all of its buckets before it writes any. */
  private boolean has(Claim claim) {
    return buckets.contains(claim.bucket());
  }

  private void add(int place, Claim claim, BucketKeys bucketKeys) {
    places.add(place);
    claims.add(claim);
    buckets.add(claim.bucket());
    keys.add(bucketKeys.of(claim.bucket()));
  }

  /** What is called. */
  Script script() {
    return script;
  }

  /** The {@code KEYS}, one for each claim, and that of the epoch. */
  List<byte[]> keys() {
    if (epoch.isEmpty()) {
      return keys;
    }
    List<byte[]> all = new ArrayList<>(keys);
    all.add(epoch.get().key());
    return all;
  }

  /** The {@code ARGV}: all claims in one piece, and the epoch. */
  List<byte[]> args() {
    byte[] encoded = ClaimCodec.encode(claims);
    return epoch.isEmpty() ? List.of(encoded) : List.of(encoded, epoch.get().known());
  }

  /** Whether Redis answered that its data is of another epoch. */
  boolean isOfOtherData(@Nullable Object reply) {
    return epoch.isPresent() && reply instanceof List<?> parts && parts.isEmpty();
  }

  /**
   * Reads what Redis answered.
   *
   * @param reply the script's answer as Jedis hands it out: the grants in one piece; if claims
   *     failed, a list of that and for each of them its number, from 1, and a text
   * @param into a list as long as all claims, where the grants of this call are set; claims that
   *     failed keep what is there
   * @param errors told the text of each error that a single claim came to, such as {@code OOM …} or
   *     {@code WRONGTYPE …}; and one of its own for a reply that can't be read
   */
  void read(@Nullable Object reply, List<Optional<Grant>> into, Consumer<String> errors) {
    try {
      List<?> parts =
          reply instanceof byte[] ? List.of(reply) : (List<?>) Objects.requireNonNull(reply);
      byte[] answer = (byte[]) Objects.requireNonNull(parts.get(0));
      List<Grant> grants = ClaimCodec.grants(ByteBuffer.wrap(answer), claims.size());
      BitSet failed = failed(parts, errors);
      for (int i = failed.nextClearBit(0); i < claims.size(); i = failed.nextClearBit(i + 1)) {
        into.set(places.get(i), Optional.of(granted(claims.get(i), grants.get(i))));
      }
    } catch (RuntimeException unreadable) {
      errors.accept("unexpected answer of the script " + script.resource());
    }
  }

  /** No script grants more than was claimed; so an answer that does is no answer. */
  private static Grant granted(Claim claim, Grant grant) {
    if (grant.permits() - claim.needed() > claim.extra()) { // their sum needn't be a long
      throw new IllegalArgumentException("more than was claimed");
    }
    return grant;
  }

  private BitSet failed(List<?> parts, Consumer<String> errors) {
    BitSet failed = new BitSet();
    for (int i = 1; i < parts.size(); i += 2) {
      Number number = (Number) Objects.requireNonNull(parts.get(i));
      byte[] trouble = (byte[]) Objects.requireNonNull(parts.get(i + 1));
      failed.set(Objects.checkIndex(Math.toIntExact(number.longValue() - 1), claims.size()));
      errors.accept(new String(trouble, StandardCharsets.UTF_8));
    }
    return failed;
  }
}
