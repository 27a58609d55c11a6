package io.weir.internal.redis;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
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
 * One call of a script: the claims that it executes, each of a different bucket.
 *
 * <p>Immutable once it is returned.
 */
final class ScriptCall {
  private static final BitSet NONE = new BitSet(0); // never written to

  private final BucketScript script;
  private final Optional<EpochToken> epoch;
  private final List<Integer> places;
  private final List<Claim> claims;
  private final List<byte[]> keys;

  private ScriptCall(
      BucketScript script,
      Optional<EpochToken> epoch,
      List<Integer> places,
      List<Claim> claims,
      List<byte[]> keys) {
    this.script = script;
    this.epoch = epoch;
    this.places = places;
    this.claims = claims;
    this.keys = keys;
  }

  /** Packs claims that are executed whatever the epoch is. */
  static List<ScriptCall> of(List<Claim> claims, BucketKeyEncoder keys, int mostKeys) {
    return of(claims, keys, mostKeys, Optional.empty());
  }

  /**
   * Packs claims into as few calls as possible. Claims of one bucket are executed in their order if
   * the calls are sent in theirs, over one connection.
   *
   * @param claims any number, also several of one bucket; mustn't change any more
   * @param mostKeys the most claims of a call, 1 and more; 1 if keys live on different masters
   * @param epoch the epoch that the data must have for them to be executed; its key lives with
   *     theirs
   */
  static List<ScriptCall> of(
      List<Claim> claims, BucketKeyEncoder keys, int mostKeys, Optional<EpochToken> epoch) {
    if (claims.size() == 1) {
      return List.of(of(claims, keys.of(claims.get(0).bucket()), epoch));
    }
    List<ScriptCall> calls = new ArrayList<>();
    Map<BucketScript, Packing> open = new EnumMap<>(BucketScript.class);
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      BucketScript script = script(claim);
      Packing packing = open.get(script);
      if (packing == null || packing.size() >= mostKeys || !packing.buckets.add(claim.bucket())) {
        packing = new Packing(script, epoch);
        packing.buckets.add(claim.bucket());
        open.put(script, packing);
        calls.add(packing.call);
      }
      packing.add(i, claim, keys.of(claim.bucket()));
    }
    epoch.ifPresent(token -> calls.forEach(call -> call.keys.add(token.key())));
    return calls;
  }

  private static ScriptCall of(List<Claim> one, byte[] key, Optional<EpochToken> epoch) {
    List<byte[]> keys = epoch.isEmpty() ? List.of(key) : List.of(key, epoch.get().key());
    return new ScriptCall(script(one.get(0)), epoch, List.of(0), one, keys);
  }

  private static BucketScript script(Claim claim) {
    return BucketScript.of(claim.bucket().spec());
  }

  /**
   * A call that takes more claims. A script reads all of its buckets before it writes any, so it
   * contains each bucket only once.
   */
  private static final class Packing {
    final Set<BucketId> buckets = new HashSet<>();
    final ScriptCall call;

    Packing(BucketScript script, Optional<EpochToken> epoch) {
      call = new ScriptCall(script, epoch, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    int size() {
      return call.claims.size();
    }

    void add(int place, Claim claim, byte[] key) {
      call.places.add(place);
      call.claims.add(claim);
      call.keys.add(key);
    }
  }

  BucketScript script() {
    return script;
  }

  /** Returns the {@code KEYS}: one for each claim, and that of the epoch. */
  List<byte[]> keys() {
    return keys;
  }

  /** Returns the {@code ARGV}: all claims in one string, and the epoch. */
  List<byte[]> args() {
    byte[] encoded = ClaimCodec.encode(claims);
    return epoch.isEmpty() ? List.of(encoded) : List.of(encoded, epoch.get().known());
  }

  /** Returns whether Redis answered that its data has a different epoch. */
  boolean isOfOtherData(@Nullable Object reply) {
    return epoch.isPresent() && reply instanceof List<?> parts && parts.isEmpty();
  }

  /**
   * Reads the answer of Redis.
   *
   * @param reply the script's answer as Jedis returns it: the grants in one string; if claims
   *     failed, a list of that and for each of them its number, from 1, and a text
   * @param into a list as long as all claims, where the grants of this call are set; claims that
   *     failed keep what is there
   * @param errors receives the text of each error of a single claim, such as {@code OOM …} or
   *     {@code WRONGTYPE …}, and one of its own for a reply that can't be read
   */
  void read(@Nullable Object reply, List<Optional<Grant>> into, Consumer<String> errors) {
    try {
      if (reply instanceof byte[] grants) {
        read(grants, NONE, into);
      } else {
        List<?> parts = (List<?>) Objects.requireNonNull(reply);
        byte[] grants = (byte[]) Objects.requireNonNull(parts.get(0));
        read(grants, failed(parts, errors), into);
      }
    } catch (RuntimeException unreadable) {
      errors.accept("unexpected answer of the script " + script.resource());
    }
  }

  private void read(byte[] answer, BitSet failed, List<Optional<Grant>> into) {
    ClaimCodec.Reader grants = new ClaimCodec.Reader(answer);
    for (int i = 0; i < claims.size(); i++) {
      Grant grant = grants.next();
      if (!failed.get(i)) {
        into.set(places.get(i), Optional.of(granted(claims.get(i), grant)));
      }
    }
  }

  /**
   * Checks a grant: no script grants more than was claimed, so such an answer is invalid. A window
   * of the calendar without time left means that the claim named another one, and the stamp is the
   * time.
   */
  private static Grant granted(Claim claim, Grant grant) {
    if (grant.permits() == 0 && grant.life() == 0 && script(claim) == BucketScript.CALENDAR) {
      return Grant.otherWindow(grant.stamp());
    }
    long most = grant.isFar() ? claim.far() : claim.extra();
    if (grant.permits() - claim.needed() > most) { // their sum needn't be a long
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
